/* The pairing under test with the calls that it gave, and chance that repeats. */
#ifndef UNIT_PAIR_RUN_H
#define UNIT_PAIR_RUN_H

#include "core/pair.h"
#include "pair_oracle.h"

static uint64_t state;

static inline uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

static inline void seed(uint64_t number)
{
	state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

/* The pairing under test with the calls that it gave, in order. */
struct run {
	struct dwell_pair pair;
	struct dwell_frame frames[16];
	struct dwell_call calls[ORACLE_CALLS];
	uint32_t count;
};

static inline void begin(struct run *run, uint32_t capacity)
{
	run->count = 0;
	dwell_pair_init(&run->pair, run->frames, capacity);
}

static inline void take(struct run *run)
{
	while (dwell_pair_pop(&run->pair, &run->calls[run->count]))
		run->count++;
}

static inline void leave(struct run *run, uint64_t id, uint64_t ticks)
{
	if (dwell_pair_exit(&run->pair, id, ticks, &run->calls[run->count]))
		run->count++;
	take(run);
}

static inline void finish(struct run *run)
{
	dwell_pair_finish(&run->pair);
	take(run);
}

#endif
