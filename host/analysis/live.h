/* live: where the time goes just now, function by function: what came since the table before, and since the start. Calls that are open
 * count up to now. */
#ifndef DWELL_HOST_ANALYSIS_LIVE_H
#define DWELL_HOST_ANALYSIS_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/table.h"
#include "model/model.h"

struct live {
	struct live_function *functions; /* by id */
	uint32_t count, capacity;
	uint64_t last_ticks;             /* of the last update … */
	uint64_t interval_ns;            /* … and how long after the one before it, 0: it was the first */
	uint32_t serial;
	bool lost; /* some events of the interval are missing: what is counted is too little */
};

struct live_summary {
	uint64_t interval_ns;        /* since the table before */
	uint64_t calls, all_calls;   /* that ended in it; since the start */
	uint32_t threads;            /* that are there */
};

/* Takes what the model, which still grows, knows by now: ticks, the time of the last event of any thread. False: no memory. */
bool live_update(struct live *live, const struct model *model, uint64_t ticks, struct live_summary *summary);
/* A row for each of the limit functions that took most of the interval: on the CPU where that is known, unless by says otherwise. What
 * threads did behind their last events is not known to be on the CPU. False: no memory. */
bool live_write(const struct live *live, struct model *model, enum by by, uint64_t limit, struct table_sink *sink);
void live_clear(struct live *live);

#endif
