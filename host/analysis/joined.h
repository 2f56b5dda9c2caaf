/* joined: the functions of a traced recording with the samples of another recording of the same program. For `dwell report
 * --times-from`.
 *
 * Tracing counts calls exactly and disturbs times; sampling hardly disturbs and counts no calls. A sample counts for the innermost
 * traced function on the stack: functions too small for the trace are a part of the caller in both recordings. A sample without a
 * traced function counts for the innermost function, whose row has no calls. */
#ifndef DWELL_HOST_ANALYSIS_JOINED_H
#define DWELL_HOST_ANALYSIS_JOINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/counterpart.h"
#include "model/call.h"
#include "model/profile/profile.h"

/* Zero before the first use; joined_clear after the last. */
struct joined {
	struct functions *functions; /* of the trace; also gets functions without calls. Borrowed */
	struct functions *sampled;   /* of the samples; borrowed */
	struct profile *profile; /* result, owned: the samples and calls of functions; ids are of functions */
	uint64_t traced_weight;  /* result: part of profile->total that counts for functions of the trace */

	/* Internal. */
	struct counterparts counterparts;
	struct estimate_streams streams;
	struct joined_place {
		uint32_t id; /* in functions */
		bool is_known, is_traced;
	} *places; /* index: id in sampled */
	size_t place_count;
	uint64_t *counted_in; /* index: id in functions; the number of the last sample in the total */
	size_t counted_count;
	uint64_t samples;
	bool has_failed; /* memory ran out */
};

/* Takes the functions of a trace. pre: calls has been read; functions is set. False: memory ran out. */
bool joined_begin(struct joined *joined, const struct profile *calls);
/* A sample_fn, with struct joined as context. pre: sampled is set. */
void joined_take(void *joined, const struct model_sample *sample);
/* After the last sample. samples: the profile of the sampled recording. False: memory ran out. */
bool joined_finish(struct joined *joined, const struct profile *samples);
void joined_clear(struct joined *joined);

#endif
