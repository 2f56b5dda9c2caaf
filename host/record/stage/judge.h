/* judge: which functions of a process are called so often, and are so short, that recording them costs more than they are worth; from some
 * of the slots that its threads have recorded lately. */
#ifndef DWELL_HOST_RECORD_STAGE_JUDGE_H
#define DWELL_HOST_RECORD_STAGE_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

/* Of a run of slots as many are looked at: the first ones, which stand for all of it. */
#define JUDGE_SLOTS 4096u
#define JUDGE_FUNCTIONS 2048u /* a power of two. What finds no room is not judged */
/* Short: a call that takes, with all that is in it, less than so many times what it costs to record it. */
#define JUDGE_SHORT_TIMES 4

/* What recording a call takes: between its two stamps, and the rest. */
struct judge_cost {
	double inner_ticks, outer_ticks;
};

struct judge_function {
	uint32_t place; /* as in slots, bit 0 clear; 0: none */
	uint32_t open;  /* internal */
	double calls;   /* in all of the slots that those stand for which were looked at */
	double ticks;   /* in them, with what they called, without what recording cost; of calls in one another the outermost */
};

/* Zeroed: nothing was seen yet. */
struct judge {
	double elapsed_ticks; /* of all threads together */
	struct judge_function functions[JUDGE_FUNCTIONS];
	uint32_t count;
};

/* More slots of some thread, as they were recorded, from the beginning of a block or not. */
void judge_feed(struct judge *judge, const uint64_t *slots, uint32_t count, const struct judge_cost *cost);
/* Whether calls of the function are short, and recording them took more than share of the time. */
bool judge_says(const struct judge *judge, const struct judge_function *function, const struct judge_cost *cost, double share);
void judge_clear(struct judge *judge);

#endif
