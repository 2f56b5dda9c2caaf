/* slow_trees: of functions that were named, the trees of the N slowest calls of each: all that they called, with times and values. What
 * else was recorded is not in the file; calls of these functions are counted.
 *
 * A stage: what it knows of a thread is slow_thread.c's, and all of it is written when the recording is over.
 *
 * Which calls are the slowest is known at the end, so trees stay in memory until then: of each function N at the most, each of them
 * SLOW_TREE_SLOTS long. Of a longer one the beginning is kept, and its end: what lies between is a gap. Where all of them together would be
 * more than the budget, later ones are cut short likewise. */
#ifndef DWELL_HOST_RECORD_STAGE_SLOW_TREES_H
#define DWELL_HOST_RECORD_STAGE_SLOW_TREES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/slot.h"
#include "reader/message.h"
#include "record/stage/watcher.h"
#include "util/diag.h"

#define SLOW_KEPT_MAX 1000u
#define SLOW_TREE_SLOTS 500000u

/* "N:FUNC", added. False: *wrong says what was expected, static. */
bool slow_read(struct watcher_options *options, const char *text, const char **wrong);

/* One call of such a function. Slots without TIME in front of the first; as if it were all that its thread ever called. */
struct slow_tree {
	uint64_t *slots;
	uint32_t count, capacity, events;
	uint32_t function; /* the finder's number */
	uint32_t stream, stack;
	uint64_t enter_ticks, exit_ticks;
	uint64_t held_ticks; /* of that: the recorder held the thread up. While it grows: of the thread, before it */
	bool is_cut;  /* it is not all there */
	bool is_open; /* it did not end */
};

struct slow_trees;

/* program, filter: as for make_watcher. Null and a diag: a function is left out by it, or no memory. */
struct stage *make_slow_trees(const struct watcher_options *options, const struct filter_program *program, uint64_t budget_bytes,
	const struct filter *filter, struct diag *diag);
struct filter *slow_trees_get_finder(struct slow_trees *trees);

/* A call has ended: it is counted, and its tree kept. Returns whether it is; else its memory is still the caller's. Any thread. */
bool slow_trees_take(struct slow_trees *trees, struct slow_tree *tree);
/* A call was not followed: there was no memory for it, or too many were open. Any thread. */
void slow_trees_miss(struct slow_trees *trees);
/* Whether there is memory for so many slots more. Any thread. */
bool slow_trees_has_room(struct slow_trees *trees, uint64_t slots);
/* A stream has ended; ticks: of its first and last event. Any thread. */
void slow_trees_end_stream(struct slow_trees *trees, const struct message_thread *thread, uint64_t first_ticks, uint64_t last_ticks);

#endif
