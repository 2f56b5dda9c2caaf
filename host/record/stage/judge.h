/* judge: finds functions of a process that are so short, and called so often, that recording costs too much. For throttle.h.
 *
 * A process has one judge. The judge measures calls in some of the slots that the process's threads have recorded since
 * judge_clear. Its table of functions has a fixed size and allocates nothing, unlike util/lookup.h. */
#ifndef DWELL_HOST_RECORD_STAGE_JUDGE_H
#define DWELL_HOST_RECORD_STAGE_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

/* The judge examines only the first JUDGE_SLOTS slots of a batch, as a sample of all slots. */
#define JUDGE_SLOTS 4096u
#define JUDGE_FUNCTIONS 2048u /* a power of two. The judge measures three quarters of so many functions at most */
/* Calls of a function are short if their mean time, with callees, is less than JUDGE_SHORT_TIMES times the cost of recording a
 * call. */
#define JUDGE_SHORT_TIMES 4

/* The cost of recording a call. inner_ticks: the part between the call's two stamps; outer_ticks: the rest. */
struct judge_cost {
	double inner_ticks, outer_ticks;
};

struct judge_function {
	uint32_t place; /* as in slots, bit 0 clear; 0: none */
	uint32_t open;  /* open calls in the slots under examination; 0 outside judge_feed */
	double calls;   /* in all slots, estimated from the sampled slots */
	double ticks;   /* time of the calls with callees, without the cost of recording; nested calls count within the outermost */
};

/* Zeroed: no slots yet. */
struct judge {
	double elapsed_ticks; /* of all threads together */
	struct judge_function functions[JUDGE_FUNCTIONS];
	uint32_t count; /* functions in the table */
};

/* Measures the calls in recorded slots of one thread: calls with both enter and exit among the first JUDGE_SLOTS slots. The slots
 * may begin in the middle of a block. One thread at a time. */
void judge_feed(struct judge *judge, const uint64_t *slots, uint32_t count, const struct judge_cost *cost);
/* Whether calls of the function are short, and recording them took more than share (0 to 1) of the threads' time. */
bool judge_is_costly(const struct judge *judge, const struct judge_function *function, const struct judge_cost *cost, double share);
/* Whether calls of the function are short. */
bool judge_is_short(const struct judge_function *function, const struct judge_cost *cost);
/* The function's share of the threads' time without the cost of recording, from 0 to 1. The share is an
 * upper limit: calls count as longer by half the cost of recording between their stamps. */
double judge_get_share(const struct judge *judge, const struct judge_function *function, const struct judge_cost *cost);
/* The figures of the function at a place; null: the slots had no whole call of the function. */
const struct judge_function *judge_find(const struct judge *judge, uint32_t place);
/* Forgets all functions and times. */
void judge_clear(struct judge *judge);

#endif
