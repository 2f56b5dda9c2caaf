/* samples: samples → profile. For model.c.
 *
 * Each path of a chunk is looked up in the tree once, below its caller's node. The samples' weights are added up by path, and then
 * carried outwards. So the cost of deep stacks depends on the number of paths, not on the number of samples. */
#ifndef DWELL_HOST_MODEL_SUMS_SAMPLES_H
#define DWELL_HOST_MODEL_SUMS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/thread/thread.h"
#include "reader/message.h"

/* Zero before the first use; sample_paths_clear after the last. */
struct sample_paths {
	struct sample_path {
		uint64_t self, total; /* of this chunk */
		uint32_t function;
		uint32_t node;        /* in the profile's tree */
		uint32_t caller, first_callee, next_callee; /* index plus 1, 0: none */
		bool repeated;        /* the function is already on the path to its caller */
	} *paths;                     /* callers come before callees */
	size_t count, capacity;
	uint32_t *told; /* buffer for the functions of one path, for on_sample */
	size_t told_capacity;
	uint32_t *on_path;        /* by function: number of frames on the path in progress */
	size_t on_path_count;
};

/* False: no memory, and some samples are missing. */
bool samples_feed(
	struct sample_paths *paths, struct thread *thread, struct thread_context *context, const struct message_samples *message);

/* For counted.c, whose paths have no samples: adds a path below its caller's. caller: index plus 1, 0: none. Without room in
 * the tree, the path gets the node (other). False: no memory. */
bool sample_paths_add(struct sample_paths *paths, struct profile *profile, uint32_t caller, uint32_t function);
/* Sets repeated of all paths. False: no memory. */
bool sample_paths_find_repeated(struct sample_paths *paths);
void sample_paths_clear(struct sample_paths *paths);

#endif
