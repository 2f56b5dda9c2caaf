/* relative_shares: how sure it is which part of a function's samples came through which caller, or is in which callee. Who asks names the
 * function before the file is read, and is told each sample: only the samples know which came behind which, and so how much each of them
 * says (model/estimate.h). */
#ifndef DWELL_HOST_ANALYSIS_RELATIVE_SHARES_H
#define DWELL_HOST_ANALYSIS_RELATIVE_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/relatives.h"
#include "model/model.h"
#include "model/profile/estimate.h"

/* Set pattern and side; zero the rest. */
struct relative_shares {
	struct pattern *pattern; /* borrowed */
	enum relatives_side side;
	struct estimates rows; /* of the samples with the function on their path: a caller's or callee's by its id + 1; 0: (outermost),
	                          (itself) */
	struct estimates all;  /* of all samples: 0 with the function on their path, 1 in the function itself */
	/* own */
	struct estimate_runs rows_runs, all_runs;
	uint32_t *found; /* rows of one sample */
	size_t found_capacity;
	bool has_failed; /* there was no memory: what is known is not of all */
};

/* A sample_fn; the context is the relative_shares. */
void relative_shares_take(void *context, const struct model_sample *sample);
/* No more samples. */
void relative_shares_finish(struct relative_shares *shares);
void relative_shares_clear(struct relative_shares *shares);

#endif
