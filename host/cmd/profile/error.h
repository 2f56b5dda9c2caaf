/* profile_error: how far the percentages of dwell profile may be off, by the order in which its samples came (model/estimate.h).
 *
 * A tally knows counts only, on a machine that has room for no more, so its report takes samples to be independent of each other. Where a
 * program stays in one function for a while they are not, and here the order is at hand. */
#ifndef DWELL_HOST_CMD_PROFILE_ERROR_H
#define DWELL_HOST_CMD_PROFILE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/tally.h"
#include "model/profile/estimate.h"

/* Zero it but for tally, clear it after the last use. */
struct profile_error {
	const struct dwell_tally *tally; /* finished, and split if it will be */
	struct estimates symbols, parts; /* of all samples in the program; of those in the symbol that is split */
	uint32_t *ids;                   /* of a symbol, plus 1: estimates have room for those that were seen. 0: none yet */
	uint32_t id_count;
	struct profile_error_thread {
		uint32_t tid;
		struct estimate_run symbols, parts;
	} *threads;
	size_t thread_count, thread_capacity, last;
	bool starved; /* no memory: nothing is known */
};

/* A sample of a thread, at an offset in the text. context: a struct profile_error. */
void profile_error_add(void *context, uint32_t tid, uint64_t offset);
/* There are no more. */
void profile_error_end(struct profile_error *error);
/* Between which hundredths of a percent the share of a symbol is, or of a part of the one that is split. False: nothing is known.
 * pre: profile_error_end. context: a struct profile_error. */
bool profile_error_get(const void *context, bool is_part, size_t index, uintptr_t *low, uintptr_t *high);
void profile_error_clear(struct profile_error *error);

#endif
