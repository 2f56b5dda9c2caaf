/* samples: samples → profile. For model.c.
 *
 * A chunk's paths are found in the tree once, each below its caller's node; what its samples weigh is summed up on the paths and then
 * carried outwards, so a deep stack costs as much as its functions are many, not as its samples are. */
#ifndef DWELL_HOST_MODEL_PROFILE_SAMPLES_H
#define DWELL_HOST_MODEL_PROFILE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/thread/thread.h"
#include "reader/message.h"

/* Zero it before the first use, clear it after the last. */
struct sample_paths {
	struct sample_path {
		uint64_t self, total; /* of this chunk */
		uint32_t function;
		uint32_t node;        /* in the profile's tree */
		uint32_t caller, first_callee, next_callee; /* index plus 1, 0: none */
		bool repeated;        /* its function is on the path to it already */
	} *paths;                     /* callers stand before what they called */
	size_t count, capacity;
	uint32_t *told; /* functions of one path, for who wants to know of single samples */
	size_t told_capacity;
	uint32_t *on_path;        /* of each function: how often it is on the path that is walked */
	size_t on_path_count;
};

/* False: no memory, and some of it is missing. */
bool samples_feed(struct sample_paths *paths, struct thread *thread, struct thread_context *context, const struct message_samples *message);

/* For counted.c, which has paths without samples: one below its caller's; caller: index plus 1, 0: none. It gets a node where there is room
 * in the tree, else its caller's. False: no memory. */
bool sample_paths_add(struct sample_paths *paths, struct profile *profile, uint32_t caller, uint32_t function);
/* Which functions are on the path to themselves. False: no memory. */
bool sample_paths_find_repeated(struct sample_paths *paths);
void sample_paths_clear(struct sample_paths *paths);

#endif
