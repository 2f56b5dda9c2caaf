/* live: where the time goes now, function by function, in a recording of calls that still runs: since the previous table, and since
 * the start. Open calls count up to now. For `dwell top`; live_shares.h does the same for samples. */
#ifndef DWELL_HOST_ANALYSIS_LIVE_H
#define DWELL_HOST_ANALYSIS_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/table.h"
#include "model/model.h"

struct live {
	struct live_function *functions; /* index: function id */
	uint32_t count, capacity;
	uint64_t last_ticks;             /* time of the last update */
	uint64_t interval_ns;            /* between the last two updates; 0: only one so far */
	uint32_t serial;                 /* of the thread that live_update looks at, counted over all updates */
	bool lost; /* set by the caller: some events of the interval are missing, so the counts are too low */
};

struct live_summary {
	uint64_t interval_ns;        /* since the previous table */
	uint64_t calls, all_calls;   /* calls that ended since the previous table; since the start */
	uint32_t threads;            /* threads still running */
};

/* Takes over the state of the model, which keeps growing. ticks: the time of the last event of any
 * thread. False: memory ran out. */
bool live_update(struct live *live, const struct model *model, uint64_t ticks, struct live_summary *summary);
/* Writes a row for each of the limit functions that took most of the interval. by selects the time; BY_BEST: CPU time if the model
 * contains CPU time. Time after a thread's last event does not count as CPU time. False: memory ran out. */
bool live_write(const struct live *live, struct model *model, enum by by, uint64_t limit, struct table_sink *sink);
void live_clear(struct live *live);

#endif
