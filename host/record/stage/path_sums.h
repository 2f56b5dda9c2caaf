/* path_sums: core/paths.h with growing memory, and the sums as a message for the trace writer. For longer_thread.c and count.c. */
#ifndef DWELL_HOST_RECORD_STAGE_PATH_SUMS_H
#define DWELL_HOST_RECORD_STAGE_PATH_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/paths.h"
#include "reader/message.h"

/* The most paths, functions and octaves in one message, which becomes one chunk. An octave has the counts of a function's durations
 * between two powers of two (core/duration.h). */
#define PATH_SUMS_NODES_MAX 65536u
#define PATH_SUMS_FUNCTIONS_MAX 65536u
#define PATH_SUMS_OCTAVES_MAX 8192u

struct path_sums {
	struct dwell_paths paths;
	void *memory;
	/* Memory for the parts of a message, valid as path_sums_fill_message describes. */
	struct message_sum_node *nodes;
	struct message_sum_function *functions;
	struct message_sum_bucket *buckets;
	size_t node_capacity, function_capacity, bucket_capacity;
};

/* False: no memory. */
bool path_sums_begin(struct path_sums *sums);
void path_sums_end(struct path_sums *sums);

/* path_sums_grow and path_sums_reserve make room for the paths of depth open calls and of a call below them. path_sums_reserve is
 * quick if there is room already. False: no room; write the sums now, and clear them. */
bool path_sums_grow(struct path_sums *sums, uint32_t depth);
static inline bool path_sums_reserve(struct path_sums *sums, uint32_t depth)
{
	const struct dwell_paths *has = &sums->paths;

	return (has->size.nodes - has->node_count > depth && has->size.functions - has->function_count > depth &&
		       has->octave_count < has->size.octaves) ||
	       path_sums_grow(sums, depth);
}

/* Whether a call found no room, or less than an eighth of the greatest room is left for paths, functions or octaves. */
static inline bool path_sums_is_full(const struct path_sums *sums)
{
	return sums->paths.full || sums->paths.node_count >= PATH_SUMS_NODES_MAX / 8 * 7 ||
	       sums->paths.function_count >= PATH_SUMS_FUNCTIONS_MAX / 8 * 7 ||
	       sums->paths.octave_count >= PATH_SUMS_OCTAVES_MAX / 8 * 7;
}

/* Whether the sums are full, and writing the sums makes room for a call below depth open calls. False if the paths of the open
 * calls alone need half of the room or more. After the sums are written, these paths would fill the room again. */
static inline bool path_sums_is_worth_writing(const struct path_sums *sums, uint32_t depth)
{
	return path_sums_is_full(sums) && depth < PATH_SUMS_NODES_MAX / 2;
}

/* Whether the sums have any calls or time. */
bool path_sums_has_any(const struct path_sums *sums);
/* Fills in what the message has of the sums: paths, functions, buckets, and the time and calls of no path. The sums own these
 * arrays, valid until the next path_sums_fill_message or path_sums_end. False: no memory. */
bool path_sums_fill_message(struct path_sums *sums, struct message_sums *message);
void path_sums_clear(struct path_sums *sums);

#endif
