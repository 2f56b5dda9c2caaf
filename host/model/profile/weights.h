/* weights: paths with a sum, and no time, → profile. For model.c.
 *
 * What a path adds to the functions above it is told them when the path is left: so a path that goes on where the one before it was costs
 * what is new in it, and all paths of a deep tree cost what the tree has nodes. */
#ifndef DWELL_HOST_MODEL_PROFILE_WEIGHTS_H
#define DWELL_HOST_MODEL_PROFILE_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "model/profile/profile.h"
#include "reader/message.h"

/* The path of the last message. Zeroed: there is none. */
struct weights {
	struct weights_frame {
		uint32_t function;
		uint32_t node;  /* in the profile's tree; of a folded one the nearest above it */
		bool is_folded; /* there was no room for it, nor for what is in it */
		bool is_first;  /* of its function on the path */
		uint64_t weight; /* that it and those above it have not been told */
	} *frames;
	size_t count, capacity;
	uint32_t *nodes;
	size_t node_capacity;
	uint64_t *seen; /* a bit for each function on the path */
	size_t seen_words;
};

void weights_feed(
	struct weights *weights, struct functions *functions, struct profile *profile, const struct message_weight *message);
/* Leaves the frames from this depth on; 0 when all is read: before that sums of functions and paths are incomplete. */
void weights_settle(struct weights *weights, struct profile *profile, size_t depth);
void weights_clear(struct weights *weights);

#endif
