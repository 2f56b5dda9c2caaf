/* health: what is wrong with a recording, missing in it or unsure, and what else to know of how whole it is. One table of findings, which
 * every view takes its lines from: `dwell info`, the head of a report, warnings, JSON, the page. Each sentence is in health.c, once. */
#ifndef DWELL_HOST_QUERY_HEALTH_H
#define DWELL_HOST_QUERY_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/trace.h"

enum health_severity {
	HEALTH_NOTE,  /* worth knowing: nothing is missing, nothing is unsure */
	HEALTH_NAMES, /* all that was recorded is there, but not all names for it */
	HEALTH_LOSS,  /* something is missing or unsure */
};

/* Where a finding is told beside the lists of all. What follows from another finding is only in those. */
enum health_shown {
	HEALTH_IN_HEAD = 1,   /* a line in the head of a report. One that is a loss: the recording is not complete */
	HEALTH_WARNED = 2,    /* a warning, so that the exit status is 1; of a note a note */
	HEALTH_IF_WHOLE = 4,  /* in the head, behind the word that the recording is complete */
};

struct health_finding {
	const char *key; /* "lost_events" */
	enum health_severity severity;
	unsigned shown;     /* of enum health_shown */
	uint64_t count;     /* 0: it is not so */
	const char *one;    /* what follows a count of 1; null: many is a sentence without a count */
	const char *many;   /* what follows other counts */
	const char *detail; /* more about it, for warnings; null, "": nothing */
};
#define HEALTH_FINDINGS_MAX 60

struct health {
	struct health_finding findings[HEALTH_FINDINGS_MAX]; /* the gravest first; also those that are not so */
	size_t count;
	bool is_complete; /* no loss that is in the head: nothing was lost */
	bool is_well;     /* no findings but notes */
};

/* pre: the trace is read. Its sentences are valid as long as the trace. */
void health_find(const struct trace *trace, struct health *health);

/* The finding without its count. */
const char *health_what(const struct health_finding *finding);
/* "15 events were lost; …" */
#define HEALTH_TEXT_BYTES 256
const char *health_say(const struct health_finding *finding, char text[static HEALTH_TEXT_BYTES]);

/* What a reader of any answer should know goes to the trace's diag. pre: the trace is read. */
void health_warn(const struct trace *trace);

#endif
