/* judge: reads what one trial left in the ring and says what is wrong with it. */
#ifndef DWELL_TEST_ADVERSARY_JUDGE_H
#define DWELL_TEST_ADVERSARY_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/trace.h"

/* What the trial did, and what it must have led to. */
struct truth {
	dwell_pos begin;          /* pos when it began */
	uint64_t begin_ticks, end_ticks;
	uint64_t event;           /* place of the enter or exit that was interrupted; 0: it was an unwind */
	enum dwell_event_kind kind;
	const uint64_t *values;   /* that stand behind it, value_count of them */
	unsigned value_count;
	const uint64_t *handler;  /* slots without a stamp that the handler recorded, in order */
	unsigned handler_count;   /* 0: it was never called */
	uint64_t after;           /* place of an enter after it all */
	uint64_t lost_before;     /* ring->lost_events when it began */
	uint64_t gap[3];          /* events, pops and pushes that were waiting to be said then */
	uint64_t refused;         /* counted elsewhere than in the ring */
	bool may_lose;
	bool may_doubt;           /* an unwind that has not landed, or a stop, may have left frames that nobody can count in a
	                             gap */
	bool is_off;              /* a stop at stop_ticks was waiting to be said */
	uint64_t stop_ticks;
	uint32_t landing;         /* not 0: the first enter of the thread itself says that this is its call site */
};

/* Null: all is as it must be. */
const char *judge(struct dwell_ring *ring, const struct truth *truth);

#endif
