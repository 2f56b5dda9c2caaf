/* gperf live: what a target counts, fetched once a second into a trace that somebody reads meanwhile. */
#ifndef DWELL_HOST_REMOTE_GPERF_LIVE_H
#define DWELL_HOST_REMOTE_GPERF_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

struct gperf_live {
	const char *where, *program;
	const char *output;          /* where the trace goes: a pipe */
	const volatile bool *stop;   /* set by somebody */
	uint64_t for_ns;             /* 0: until then, or until SIGINT or SIGTERM */
};

/* Whether the word is the name of a link. */
bool gperf_live_is_link(const char *word);
/* What is wrong is a diag. */
void gperf_live(const struct gperf_live *live, struct diag *diag);

#endif
