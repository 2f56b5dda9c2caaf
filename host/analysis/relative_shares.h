/* relative_shares: which part of a function's samples came through each caller, or was in each callee, with intervals. For callers
 * and callees of recordings with samples. An interval depends on the order of the samples (model/profile/estimate.h), which a
 * profile no longer has. So the pattern is set before the file is read, and the model passes each sample to
 * relative_shares_take. */
#ifndef DWELL_HOST_ANALYSIS_RELATIVE_SHARES_H
#define DWELL_HOST_ANALYSIS_RELATIVE_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/relatives.h"
#include "model/model.h"
#include "model/profile/estimate.h"

/* Set pattern and side; zero everything else. */
struct relative_shares {
	struct pattern *pattern; /* borrowed */
	enum relatives_side side;
	struct estimates rows; /* of the samples whose path contains the function: index id + 1 of a caller or callee;
	                          index 0: (outermost), (itself) */
	struct estimates all;  /* of all samples: index 0: path contains the function; index 1: taken in the function itself */
	/* owned */
	struct estimate_streams rows_streams, all_streams;
	uint32_t *found; /* rows of one sample */
	size_t found_capacity;
	bool has_failed; /* memory ran out: some samples are missing */
};

/* A sample_fn; context is the struct relative_shares. */
void relative_shares_take(void *context, const struct model_sample *sample);
/* No more samples follow. jittered: as in struct estimates. */
void relative_shares_finish(struct relative_shares *shares, bool jittered);
void relative_shares_clear(struct relative_shares *shares);

#endif
