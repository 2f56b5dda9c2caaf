/* SPDX-License-Identifier: MIT
 *
 * OS_…Statistics: core/cost.h, as the NITRO-SDK has it. */
#include "core/cost.h"
#include "face/nitro/face.h"
#include "recorder/lines/cost.h"

void OS_InitStatistics(void *statBuf, u32 size)
{
	const struct lines_cost *cost = (const struct lines_cost *)((char *)statBuf + (-(uintptr_t)statBuf % sizeof(lines_word)));

	if (!statBuf)
		OS_Printf("OS_InitStatistics: no buffer (null)\n");
	else if (size >= sizeof *cost + sizeof(lines_word) && cost->magic == LINES_MAGIC &&
		 (cost->what >> 8 & 0xff) == LINES_KIND_COST && cost->begin == (lines_word)(cost + 1) && cost->in_use)
		OS_Printf("OS_InitStatistics: a thread measures in %p\n", statBuf);
	else if (!dwell_cost_make_stats(statBuf, size))
		OS_Printf("OS_InitStatistics: %u bytes are too few for two functions, which take up to %u\n", (unsigned)size,
			(unsigned)(sizeof(struct lines_stats) + 8 + 2 * sizeof(struct lines_row) + 7));
}

/* What could not be recorded goes with the statistics. */
static void move_counts(struct lines_stats *stats, struct lines_cost *cost)
{
	stats->dropped += cost->dropped;
	stats->halves += cost->halves;
	stats->missed += cost->missed;
	stats->hz = cost->hz;
	cost->dropped = cost->halves = cost->missed = 0;
}

/* One at a time. */
static bool begin(struct lines_stats *stats)
{
	uintptr_t before = nitro_port_lock();
	bool free = !stats->busy;

	stats->busy = 1;
	nitro_port_unlock(before);
	return free;
}

void OS_CalcStatistics(void *statBuf)
{
	struct lines_cost *cost = nitro_port_get_cost();
	struct lines_stats *stats = dwell_cost_find_stats(statBuf);
	uint32_t taken, open;
	uintptr_t before;

	if (!stats) {
		OS_Printf("OS_CalcStatistics: OS_InitStatistics did not make this buffer: nothing is counted\n");
	} else if (!cost) {
		OS_Printf("OS_CalcStatistics: this thread has no buffer: OS_InitFunctionCost gives it one\n");
	} else if (!begin(stats)) {
		OS_Printf("OS_CalcStatistics: another thread is at it: nothing is counted\n");
	} else {
		taken = dwell_cost_take(cost);
		open = dwell_cost_count(stats, (lines_word *)cost->begin, taken);
		before = nitro_port_mask();
		cost->busy = 1;
		dwell_cost_give(cost, taken, open);
		move_counts(stats, cost);
		cost->busy = 0;
		nitro_port_unmask(before);
		stats->busy = 0;
	}
}

static void dump(void *statBuf, bool inclusive)
{
	const struct lines_stats *stats = dwell_cost_find_stats(statBuf);
	const struct lines_row *row;

	if (!stats) {
		OS_Printf("OS_DumpStatistics: OS_InitStatistics did not make this buffer\n");
		return;
	}
	row = dwell_cost_rows(stats);
	for (uint32_t index = 0; index < stats->used; index++, row++) {
		const char *name = row->name == LINES_TAG(LINES_TAG_OTHERS) ? "(others)" : (const char *)row->name;

		OS_Printf("%s: count %llu, cost %llu", name, (unsigned long long)row->calls, (unsigned long long)row->self_ticks);
		if (inclusive)
			OS_Printf(", inclusive %llu", (unsigned long long)row->total_ticks);
		OS_Printf("\n");
	}
	if (stats->dropped)
		OS_Printf("(%lu calls dropped, the measurement buffer was full; their cost is their callers')\n",
			(unsigned long)stats->dropped);
	if (stats->halves)
		OS_Printf("(%lu calls dropped, only one half was recorded)\n", (unsigned long)stats->halves);
	if (stats->missed)
		OS_Printf("(%lu calls dropped, their handler interrupted the profiler)\n", (unsigned long)stats->missed);
}

void OS_DumpStatistics(void *statBuf)
{
	dump(statBuf, false);
}

void OS_DispStatistics(void *statBuf)
{
	dump(statBuf, false);
}

void OS_DispatchStatistics(void *statBuf)
{
	dump(statBuf, false);
}

void OS_DumpStatisticsInclusive(void *statBuf)
{
	dump(statBuf, true);
}
