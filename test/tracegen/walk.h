/* walk: one thread's invented life: calls, recursion, returns, longjmps; and an independent count of what each function did. */
#ifndef DWELL_TEST_TRACEGEN_WALK_H
#define DWELL_TEST_TRACEGEN_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"

#define WALK_FUNCTIONS_MAX 4096
#define WALK_DEPTH_MAX 4096
#define WALK_CHUNK_SLOTS 32768 /* 256 KiB */
#define WALK_CHUNK_SWITCHES 65536 /* at most */

/* What is counted while it happens, with no pairing of entries and exits: the generator knows. Times in ticks. */
struct walk_truth {
	uint64_t calls;
	uint64_t total; /* calls inside of a call of the same function are not counted again */
	uint64_t self;
	uint64_t total_off, self_off; /* of these, off the CPU */
};

/* The same of the calls that one function made of another. */
struct walk_pair {
	uint64_t calls, total, self;
};

struct walk_frame {
	uint32_t function;
	bool outermost; /* of its function */
	bool outermost_pair;
	uint64_t enter, child;
	uint64_t off_before, child_off; /* the thread's time off the CPU when it was entered; in its calls */
};

struct walk {
	uint64_t random;
	uint64_t now;  /* ticks */
	uint32_t switch_rate; /* off the CPU once in so many steps; 0: never */
	uint64_t off;         /* ticks so far */
	uint32_t args;        /* of each call: depth, ticks, −depth − 1, 0, −ticks, ticks << 30; it returns its duration. 0: none */
	uint32_t high; /* as the last TIME slot said */
	uint32_t function_count, depth_max;
	const uint32_t *places; /* of the functions */
	bool callers;           /* tell where an unwind landed: the places are real, so a call site can be looked up */
	uint32_t depth;
	struct walk_frame stack[WALK_DEPTH_MAX];
	uint32_t active[WALK_FUNCTIONS_MAX];   /* open calls of each function */
	/* By caller + 1 (0: outermost), then by function; all threads' own, and open calls of this one. Null: nobody asks. */
	struct walk_pair *pairs;
	uint32_t *active_pairs;
	uint64_t base;                         /* slots written before this chunk, for the blocks */
	uint64_t slots[WALK_CHUNK_SLOTS];
	uint32_t slot_count;
	/* Of the chunk being filled. */
	struct message_frame frames[WALK_DEPTH_MAX];
	uint32_t frame_count, events;
	uint64_t first, last;
	/* When the thread was off the CPU since the chunk before, and what it was off before that. */
	struct message_switch switches[WALK_CHUNK_SWITCHES];
	uint32_t switch_count;
	uint64_t off_before, preempted_before, known_until;
};

/* Starts the chunk: remembers the open frames, writes its TIME. */
void walk_begin_chunk(struct walk *walk);
/* Goes on until the chunk is full or this many events are in it. truth: indexed by function. */
void walk_fill_chunk(struct walk *walk, uint32_t events, struct walk_truth *truth);
/* Leaves all calls; the chunk needs room for them: call it on a fresh one. */
void walk_leave_all(struct walk *walk, struct walk_truth *truth);

#endif
