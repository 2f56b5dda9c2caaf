/* health: problems of a recording, missing or unsure data, and other facts about its completeness. All views take their lines from
 * this table of findings: `dwell info`, the head of a report, warnings, JSON, the page. Each sentence is in health.c, once. */
#ifndef DWELL_HOST_QUERY_HEALTH_H
#define DWELL_HOST_QUERY_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/coverage.h"
#include "query/trace.h"

enum health_severity {
	HEALTH_NOTE,  /* information: nothing is missing or unsure */
	HEALTH_NAMES, /* all events are there, but some names are missing */
	HEALTH_LOSS,  /* something is missing or unsure */
};

/* Where a finding appears besides the lists of all findings. A finding that follows from another finding
 * appears only in the lists. */
enum health_shown {
	HEALTH_IN_HEAD = 1,   /* a line in the head of a report. A loss with this flag makes the recording incomplete */
	HEALTH_WARNED = 2,    /* a warning, with exit status 1; for HEALTH_NOTE only a note */
	HEALTH_IF_COMPLETE = 4,  /* in the head, after the statement that the recording is complete */
	HEALTH_ON_TOP = 8,       /* with HEALTH_IN_HEAD: the first line below the recording's name */
};

struct health_finding {
	const char *key; /* "lost_events" */
	enum health_severity severity;
	unsigned shown;     /* flags of enum health_shown */
	uint64_t count;     /* 0: the finding does not apply */
	const char *one;    /* the text after a count of 1; null: many is a sentence without a count */
	const char *many;   /* the text for all other counts */
	const char *detail; /* more about it, for warnings; null or "": nothing */
};
#define HEALTH_FINDINGS_MAX 96
#define HEALTH_FOLDED_BYTES 96

struct health {
	struct health_finding findings[HEALTH_FINDINGS_MAX]; /* in the order of display, including findings that do not apply */
	size_t count;
	bool is_complete; /* no HEALTH_LOSS with HEALTH_IN_HEAD applies */
	bool is_partial;  /* functions that were not recorded have a part of the CPU time, or dwell does not know how much */
	bool of_rings;    /* rings were full and keep the last events: what is complete begins there */
	bool is_of_program; /* a part of the CPU time, in the kernel, could have no samples */
	bool is_well;     /* no findings except notes */
	char coverage[COVERAGE_TEXT_BYTES]; /* the text of the finding "unrecorded_percent" */
	char folded_text[HEALTH_FOLDED_BYTES]; /* the detail of the finding "folded_calls" */
};

/* pre: the trace is read. The texts of findings are valid as long as the trace and the struct, which must not move. */
void health_find(const struct trace *trace, struct health *health);

/* The finding's text without its count. */
const char *health_get_text(const struct health_finding *finding);
/* Writes "15 events were lost; …" into text, and returns text. */
#define HEALTH_TEXT_BYTES 320
const char *health_format(const struct health_finding *finding, char text[static HEALTH_TEXT_BYTES]);

/* Adds a warning if a thread has only its last events, because its ring was full. For a command to which numbers of calls matter:
 * health_warn says nothing, since a ring promises the last events. */
void health_warn_of_counts(const struct trace *trace);

/* Writes the finding about paths that the tree has no room for, as the warning does; "": the tree is complete. For exported files
 * with a row for each path. */
void health_format_folded(const struct trace *trace, char text[static HEALTH_TEXT_BYTES]);

/* Adds each finding with HEALTH_WARNED to the trace's diag. pre: the trace is read. */
void health_warn(const struct trace *trace);

#endif
