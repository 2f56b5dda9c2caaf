/* weights: adds paths with a weight and without a time to the profile: folded stacks, pprof. For model.c.
 *
 * A path's weight is added to the callers only when the path is left. So a path with the same beginning as the path before costs
 * only the new part, and all paths of a deep tree together cost as many steps as the tree has nodes. */
#ifndef DWELL_HOST_MODEL_PROFILE_WEIGHTS_H
#define DWELL_HOST_MODEL_PROFILE_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "model/profile/profile.h"
#include "reader/message.h"

/* The path of the last message. Zeroed: empty. */
struct weights {
	struct weights_frame {
		uint32_t function;
		uint32_t node;  /* in the profile's tree; for a folded frame the nearest node above */
		bool is_first;  /* first frame of its function on the path */
		uint64_t weight; /* of the paths through this frame; the totals get it when the frame is left */
	} *frames;
	size_t count, capacity;
	uint32_t *nodes; /* buffer for tree_prune */
	size_t node_capacity;
	uint64_t *seen; /* a bit for each function on the path */
	size_t seen_words;
};

void weights_feed(
	struct weights *weights, struct functions *functions, struct profile *profile, const struct message_weight *message);
/* Leaves the frames from this depth on, and adds their weights to the totals. Call with depth 0 after the last message: until
 * then the totals are incomplete. */
void weights_settle(struct weights *weights, struct profile *profile, size_t depth);
void weights_clear(struct weights *weights);

#endif
