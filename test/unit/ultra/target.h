/* A target that counts by chance: three segments of code, whose interrupts the test makes itself. */
#ifndef DWELL_TEST_ULTRA_TARGET_H
#define DWELL_TEST_ULTRA_TARGET_H

#include <stdint.h>

#include "classic/target/recorder/histogram/histogram.h"
#include "ultra64.h"

#define WORDS 700
#define SEGMENTS 3

static u32 text[SEGMENTS][WORDS];
static _Alignas(4) u16 counters[SEGMENTS][WORDS];
static struct histogram_server *const server = &dwell_histogram_server;
static uint32_t ticks;
static uint64_t state = 1;

static uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

/* Some words often, most never, some outside. */
static void tick(void)
{
	uint32_t segment = pick(SEGMENTS + 1);

	ticks++;
	dwell_histogram_sample(&dwell_histogram, segment == SEGMENTS ? 16 : (uintptr_t)&text[segment][pick(4) ? pick(30) * 20 : 7]);
}

static inline uint64_t in_target(void)
{
	uint64_t sum = dwell_histogram.overflow + dwell_histogram.beyond;

	for (int i = 0; i < SEGMENTS; i++)
		for (int k = 0; k < WORDS; k++)
			sum += counters[i][k];
	return sum;
}

static void begin(void)
{
	OSProf segments[SEGMENTS];

	if (dwell_histogram.state & HISTOGRAM_STATE_RUNNING || server->holds)
		osProfileStop();
	for (int i = 0; i < SEGMENTS; i++) {
		for (int k = 0; k < WORDS; k++)
			text[i][k] = (u32)(i * WORDS + k);
		segments[i] = (OSProf){counters[i], WORDS, text[i], text[i] + WORDS - 1};
	}
	dwell_server_reset(server);
	osProfileInit(segments, SEGMENTS);
	osProfileStart(1000);
	ticks = 0;
}

static inline void begin_with(uint64_t seed)
{
	state = seed;
	begin();
}

#endif
