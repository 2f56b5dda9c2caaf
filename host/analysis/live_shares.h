/* live_shares: where samples show the time going now, function by function: shares with their intervals, for the last
 * seconds and since the start.
 *
 * "The last seconds" are as many tables as contain LIVE_SHARES_SAMPLES samples: one table if the program is busy. With
 * fewer samples the intervals are so wide that no two functions differ. At most LIVE_SHARES_TABLES tables count, so
 * that the shares are recent. */
#ifndef DWELL_HOST_ANALYSIS_LIVE_SHARES_H
#define DWELL_HOST_ANALYSIS_LIVE_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/model.h"
#include "model/profile/estimate.h"

#define LIVE_SHARES_SAMPLES 500u
#define LIVE_SHARES_TABLES 10u

/* The sums of samples from the start up to one moment; or, as recent, since an earlier moment. */
struct live_state {
	struct estimates estimates;
	struct live_weight {
		uint64_t self, total;
	} *weights; /* index: function id */
	uint32_t count;
	uint64_t weight; /* of all samples */
	uint64_t ns;     /* the moment; for recent: the earlier moment */
};

/* Zero it before the first use. Call live_shares_clear after the last. */
struct live_shares {
	struct live_state known[LIVE_SHARES_TABLES + 1]; /* the states at the last tables, as a ring */
	uint32_t newest, count;
	struct live_state recent; /* the last seconds */
	uint64_t begun_ns, arrived_ns; /* the first and the latest time from live_shares_advance; 0: none yet */
};

/* All samples up to the moment ns have arrived. The first call sets the start: no sample is older. */
void live_shares_advance(struct live_shares *live, uint64_t ns);
void live_shares_clear(struct live_shares *live);

/* Takes over the state of the model, which keeps growing. False: memory ran out. */
bool live_shares_update(struct live_shares *live, const struct model *model);
/* The state at the last update; and the part for the last seconds, with their start in ns. */
const struct live_state *live_shares_all(const struct live_shares *live);
const struct live_state *live_shares_recent(const struct live_shares *live);
/* Writes a row for each of the limit functions with the largest shares of the last seconds. False: memory ran out. */
bool live_shares_write(const struct live_shares *live, struct model *model, uint64_t limit, struct table_sink *sink);

#endif
