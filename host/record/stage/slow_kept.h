/* slow_kept: keeps the trees of the slowest calls until the recording ends. slow_thread.c makes the trees, slow_trees.c writes the
 * kept ones. slow_trees.h describes the stage. */
#ifndef DWELL_HOST_RECORD_STAGE_SLOW_KEPT_H
#define DWELL_HOST_RECORD_STAGE_SLOW_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/stage/filter.h"

/* A tree with so many slots gets no more memory, and is cut when its memory is full. Memory doubles from 256 slots, so a cut tree
 * has up to 524,288 slots. */
#define SLOW_TREE_SLOTS 500000u

/* A call of a named function, with all calls below. slots: as if the thread had made no other call, without a TIME in front. */
struct slow_tree {
	uint64_t *slots;
	uint32_t count, capacity, events;
	uint32_t function; /* the finder's number */
	uint32_t stream, stack;
	uint64_t enter_ticks, exit_ticks;
	/* Ticks of the call in which the recorder held the thread up. While the tree grows: such ticks of the thread before the
	 * call. */
	uint64_t held_ticks;
	bool is_cut;  /* a part of the tree is missing */
	bool is_open; /* the call did not end */
};

struct slow_trees;

struct filter *slow_trees_get_finder(struct slow_trees *trees);

/* Counts the call of a tree, and keeps the tree if the call is among the slowest, or has not ended. True: the tree is kept, and
 * slow_trees owns its slots. False: the caller still owns them. Any thread. */
bool slow_trees_add(struct slow_trees *trees, struct slow_tree *tree);
/* Counts a call that the stage could not follow: no memory, or too many open calls. Any thread. */
void slow_trees_count_missed(struct slow_trees *trees);
/* Whether the budget has room for so many slots beside the kept trees. Any thread. */
bool slow_trees_has_room(struct slow_trees *trees, uint64_t slots);
/* Notes the end of a stream; first_ticks, last_ticks: times of the stream's first and last event. Any thread. */
void slow_trees_end_stream(
	struct slow_trees *trees, const struct message_thread *thread, uint64_t first_ticks, uint64_t last_ticks);

#endif
