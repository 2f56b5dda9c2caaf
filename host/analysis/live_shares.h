/* live_shares: where samples see the time go just now, function by function: shares with the interval that the true one is in, of the last
 * seconds, and since the start.
 *
 * The last seconds are as many tables as it takes to have LIVE_SHARES_SAMPLES in them: one where a program is busy. Of fewer samples a
 * second's shares would be told apart from nothing. But no more than LIVE_SHARES_TABLES, so that what is shown is of now. */
#ifndef DWELL_HOST_ANALYSIS_LIVE_SHARES_H
#define DWELL_HOST_ANALYSIS_LIVE_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/model.h"
#include "model/profile/estimate.h"

#define LIVE_SHARES_SAMPLES 500u
#define LIVE_SHARES_TABLES 10u

/* What was known at one time, since the start. */
struct live_known {
	struct estimates estimates;
	struct live_weight {
		uint64_t self, total;
	} *weights; /* by function */
	uint32_t count;
	uint64_t weight; /* of all samples */
	uint64_t ns;     /* up to when; of the last seconds: from when */
};

/* Zero it before the first use, clear it after the last. */
struct live_shares {
	struct live_known known[LIVE_SHARES_TABLES + 1]; /* of the last tables; which is whose turns */
	uint32_t newest, count;
	struct live_known recent; /* the last seconds */
	uint64_t begun_ns, told_ns; /* 0: not told yet */
};

/* All samples up to that moment have been told; the first time: none is older. */
void live_shares_tell(struct live_shares *live, uint64_t ns);
void live_shares_clear(struct live_shares *live);

/* Takes what the model, which still grows, knows by now. False: no memory. */
bool live_shares_update(struct live_shares *live, const struct model *model);
/* What was known at the last update; and the part of it that is of the last seconds, which began at ns. */
const struct live_known *live_shares_all(const struct live_shares *live);
const struct live_known *live_shares_recent(const struct live_shares *live);
/* A row for each of the limit functions with the largest share of the last seconds. False: no memory. */
bool live_shares_write(const struct live_shares *live, struct model *model, uint64_t limit, struct table_sink *sink);

#endif
