/* samples: adds samples with their call stacks to the profile (messages SAMPLES). For model.c.
 *
 * A message lists the paths of its samples, each as a function below its caller's path. samples_feed looks each path up in the tree
 * once, adds up the samples' weights by path, and then adds each path's weight to its callers. So the cost of deep stacks depends
 * on the number of paths, not on the number of samples. */
#ifndef DWELL_HOST_MODEL_SUMS_SAMPLES_H
#define DWELL_HOST_MODEL_SUMS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/thread/thread.h"
#include "reader/message.h"

/* The paths of one message. The memory serves all messages. Zero before the first use; sample_paths_clear after the last. */
struct sample_paths {
	struct sample_path {
		uint64_t self, total; /* weight of this message's samples: in the path itself; with its callees */
		uint32_t function;
		uint32_t node;        /* in the profile's tree */
		uint32_t caller, first_callee, next_callee; /* index plus 1, 0: none */
		bool repeated;        /* recursion: a caller on the path is the same function, so total does not count for it */
	} *paths;                     /* callers come before callees */
	size_t count, capacity;
	uint32_t *told; /* buffer for the functions of one path, for on_sample */
	size_t told_capacity;
	uint32_t *on_path;        /* index: function id; number of its frames on the path that find_repeated has reached */
	size_t on_path_count;
};

/* False: no memory, and some samples are missing. */
bool samples_feed(
	struct sample_paths *paths, struct thread *thread, struct thread_context *context, const struct message_samples *message);

/* Adds a path below the path caller (index plus 1; 0: none). Without room in the tree, the path gets the node (other). False: no
 * memory. Also for call_sums.c, which adds up calls by path. */
bool sample_paths_add(struct sample_paths *paths, struct profile *profile, uint32_t caller, uint32_t function);
/* Sets repeated of all paths. False: no memory. */
bool sample_paths_find_repeated(struct sample_paths *paths);
void sample_paths_clear(struct sample_paths *paths);

#endif
