/* clock_point: reads the processor's tick clock beside the system's clocks, and measures the step of the tick clock. */
#include "record/session/clock_point.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu/cpu.h"
#include "util/clock.h"

uint32_t clock_point_machine(void)
{
	return cpu_native()->read_ticks ? cpu_native()->elf_machine : 0;
}

static uint64_t no_ticks(void)
{
	return 0;
}

struct message_clock clock_point_read(void)
{
	uint64_t (*ticks)(void) = cpu_native()->read_ticks ? cpu_native()->read_ticks : no_ticks;
	struct message_clock point = {0};
	uint64_t width = UINT64_MAX;

	/* Keeps the try with the fewest ticks: nothing interrupted it. */
	for (int i = 0; i < 10; i++) {
		uint64_t before = ticks(), monotonic = clock_ns(CLOCK_MONOTONIC), after = ticks();

		if (after - before >= width)
			continue;
		width = after - before;
		point.ticks = before + width / 2;
		point.monotonic_ns = monotonic;
		point.unix_ns = clock_ns(CLOCK_REALTIME) - (clock_ns(CLOCK_MONOTONIC) - monotonic);
	}
	return point;
}

#define READINGS 2048u    /* pairs of readings for one measurement of the step */
#define WAITS 64u         /* number of different delays between two readings */
#define STEP_TICKS_MIN 4u /* times are not shown more precisely than that */

static int compare(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

/* If a clock steps, distances are close to multiples of the step, and none is halfway between two
 * multiples. Ignores the longest tenth of the distances, which interrupts have lengthened. */
uint32_t clock_point_step_of(uint32_t *distances, size_t count)
{
	size_t used = count - count / 10, groups = 1;
	uint32_t gap = 0, first, last;

	qsort(distances, count, sizeof *distances, compare);
	for (size_t i = 1; i < used; i++)
		if (distances[i] - distances[i - 1] > gap)
			gap = distances[i] - distances[i - 1];
	if (gap < STEP_TICKS_MIN)
		return 0;
	first = last = distances[0];
	for (size_t i = 1; i < used; i++)
		if (distances[i] - distances[i - 1] > gap / 2) {
			groups++;
			last = distances[i];
		} else if (distances[i] - distances[i - 1] > gap / 4) {
			return 0; /* some distances are between: the gap is chance */
		}
	return groups < 3 ? 0 : (last - first + (uint32_t)groups / 2) / (uint32_t)(groups - 1);
}

uint32_t clock_point_find_step(void)
{
	uint64_t (*ticks)(void) = cpu_native()->read_ticks;
	uint32_t distances[READINGS];

	if (!ticks)
		return 0;
	for (uint32_t i = 0; i < READINGS; i++) {
		uint64_t before = ticks(), distance;

		for (volatile uint32_t wait = 0; wait < i % WAITS; wait++)
			;
		distance = ticks() - before;
		distances[i] = distance < UINT32_MAX ? (uint32_t)distance : UINT32_MAX;
	}
	return clock_point_step_of(distances, READINGS);
}

bool clock_point_make_step_fact(struct message_info *fact, char text[CLOCK_STEP_TEXT])
{
	uint32_t step_ticks = clock_point_find_step();

	snprintf(text, CLOCK_STEP_TEXT, "%" PRIu32 " ticks", step_ticks);
	*fact = (struct message_info){"clock-step", text};
	return step_ticks;
}
