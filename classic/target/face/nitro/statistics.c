/* SPDX-License-Identifier: MIT
 *
 * OS_…Statistics: the NITRO-SDK's functions for statistics, on classic/core/cost.h. */
#include "classic/core/cost.h"
#include "classic/target/face/nitro/face.h"
#include "classic/target/recorder/lines/cost.h"
#include "classic/target/recorder/lines/made.h"
#include "classic/target/recorder/lines/owned.h"

/* Includes the most bytes of alignment in front of and behind the control area. */
#define STATISTICS_LEAST (7 + sizeof(struct lines_stats) + 7 + 2 * sizeof(struct lines_row))

/* The most rows of a buffer, whose size is a u32. */
#define CAPACITY_MOST ((UINT32_MAX - STATISTICS_LEAST) / sizeof(struct lines_row))

enum outcome { MADE, TOO_SMALL, MEASURED_IN, BUSY };

/* Returns the statistics of the buffer. Null: the buffer has no statistics, or a thread measures in the
 * buffer's bytes. The function checks the list of made statistics first, because the memory may not exist.
 * Context: locked. */
static struct lines_stats *find(void *statBuf)
{
	struct lines_stats *stats = statBuf && dwell_made_knows(dwell_cost_stats_at(statBuf)) ? dwell_cost_find_stats(statBuf) : 0;

	/* The memory's content may be left from before a thread measured there, or resemble statistics by chance. */
	if (!stats || stats->capacity > CAPACITY_MOST ||
		dwell_lines_is_owned(
			stats, (uint32_t)(stats->begin - (lines_word)stats + stats->capacity * sizeof(struct lines_row))))
		return 0;
	return stats;
}

/* Runs under the lock: another thread must not count into rows while the number of rows shrinks. */
static enum outcome make(void *statBuf, u32 size)
{
	uintptr_t before = nitro_port_lock();
	struct lines_stats *stats = size < sizeof *stats + 7 ? 0 : find(statBuf);
	enum outcome outcome = MADE;

	if (stats && stats->busy) {
		outcome = BUSY;
	} else {
		dwell_made_forget(statBuf, size);
		if (dwell_lines_is_owned(statBuf, size))
			outcome = MEASURED_IN;
		else if ((stats = dwell_cost_make_stats(statBuf, size)))
			dwell_made_add(stats, statBuf, size);
		else
			outcome = TOO_SMALL;
	}
	nitro_port_unlock(before);
	return outcome;
}

void OS_InitStatistics(void *statBuf, u32 size)
{
	enum outcome outcome;

	if (!statBuf) {
		OS_Printf("OS_InitStatistics: no buffer (null)\n");
		return;
	}
	if (!face_is_in_memory(statBuf, size)) {
		OS_Printf("OS_InitStatistics: there are no %u bytes behind %p\n", (unsigned)size, statBuf);
		return;
	}
	outcome = make(statBuf, size);
	if (outcome == BUSY)
		OS_Printf("OS_InitStatistics: another thread counts into %p: it stays as it is\n", statBuf);
	else if (outcome == MEASURED_IN)
		OS_Printf("OS_InitStatistics: a thread measures in %p\n", statBuf);
	else if (outcome == TOO_SMALL)
		OS_Printf("OS_InitStatistics: %u bytes are too few for two functions, which take up to %u\n", (unsigned)size,
			(unsigned)STATISTICS_LEAST);
}

/* Moves the counts of unrecorded, incomplete and abandoned calls from the thread's buffer to the statistics. */
static void move_counts(struct lines_stats *stats, struct lines_cost *cost)
{
	stats->dropped += cost->dropped;
	stats->halves += cost->halves;
	stats->missed += cost->missed;
	stats->early += cost->early;
	stats->abandoned += cost->abandoned;
	stats->hz = cost->hz;
	cost->dropped = cost->halves = cost->missed = cost->early = cost->abandoned = 0;
}

/* Marks the statistics as busy with these lines, so one thread counts at a time. The search runs under the lock,
 * because another thread may be making the statistics. Null: the buffer has no statistics. */
static struct lines_stats *begin(void *statBuf, lines_word lines, bool *is_busy)
{
	uintptr_t before = nitro_port_lock();
	struct lines_stats *stats = find(statBuf);

	*is_busy = stats && stats->busy;
	if (stats && !*is_busy) /* otherwise the mark would stay when the other thread ends now */
		stats->busy = lines;
	nitro_port_unlock(before);
	return stats;
}

/* The caller of a summary: the name of a function with hooks, or null; the stack pointer and the return address. */
struct asker {
	const char *function;
	lines_word sp, lr;
};

/* Ends the open calls above the asker's own: longjmp left these calls. Returns the number of calls. Context: masked, and all lines
 * are counted. */
static lines_word end_left(struct lines_cost *cost, const char *function)
{
	lines_word abandoned = cost->abandoned, left;

	dwell_cost_unwind(cost, dwell_cost_depth(cost) - dwell_cost_above(cost, function), nitro_port_line_tick(cost));
	left = cost->abandoned - abandoned;
	cost->abandoned = abandoned; /* not reported by the program */
	return left;
}

/* Handlers may record calls meanwhile: the last lines are counted without them. */
static void count(struct lines_stats *stats, struct lines_cost *cost, const char *function)
{
	struct dwell_counting counting;
	uintptr_t before;

	dwell_cost_begin(&counting, stats, (lines_word *)cost->begin);
	dwell_cost_count(&counting, dwell_cost_take(cost));
	before = nitro_port_mask();
	cost->busy = 1;
	dwell_cost_count(&counting, dwell_cost_take(cost));
	dwell_cost_keep(cost, dwell_cost_end(&counting));
	if (function)
		stats->not_left += end_left(cost, function);
	stats->step = 0;
	move_counts(stats, cost);
	cost->busy = 0;
	nitro_port_unmask(before);
}

/* Returns null, or why nothing is counted. */
static const char *summarise(void *statBuf, struct asker asker)
{
	struct lines_cost *cost = nitro_port_get_cost();
	struct lines_stats *stats;
	bool is_busy;

	if (!cost)
		return "this thread has no buffer: OS_InitFunctionCost gives it one";
	if (cost->busy)
		return "a handler that interrupted the recorder calls it: nothing is counted";
	stats = begin(statBuf, cost->begin, &is_busy);
	if (!stats)
		return "OS_InitStatistics did not make this buffer: nothing is counted";
	if (is_busy)
		return "another thread is at it: nothing is counted";
	if (!asker.function)
		stats->not_left += dwell_cost_see(cost, asker.sp, asker.lr);
	count(stats, cost, asker.function);
	stats->busy = 0;
	return 0;
}

static void calculate(void *statBuf, struct asker asker)
{
	const char *problem = summarise(statBuf, asker);

	if (problem)
		OS_Printf("OS_CalcStatistics: %s\n", problem);
}

#define CALLER(function)                                                                                                           \
	((struct asker){function, (lines_word)__builtin_frame_address(0), (lines_word)__builtin_return_address(0)})

void OS_CalcStatistics(void *statBuf)
{
	calculate(statBuf, CALLER(0));
}

void OS_CalcStatisticsIn(void *statBuf, const char *function)
{
	calculate(statBuf, CALLER(function));
}

BOOL OS_TryCalcStatistics(void *statBuf)
{
	return !summarise(statBuf, CALLER(0));
}

BOOL OS_TryCalcStatisticsIn(void *statBuf, const char *function)
{
	return !summarise(statBuf, CALLER(function));
}

/* Prints a count outside of all rows, unless the count is 0. */
static void print_count(lines_word count, const char *of, const char *what)
{
	if (count)
		OS_Printf("(%lu %s%s%s)\n", (unsigned long)count, of, count == 1 ? "" : "s", what);
}

static void dump(void *statBuf, bool inclusive)
{
	uintptr_t before = nitro_port_lock();
	const struct lines_stats *stats = find(statBuf);
	const struct lines_row *row;

	nitro_port_unlock(before);
	if (!stats) {
		OS_Printf("OS_DumpStatistics: OS_InitStatistics did not make this buffer\n");
		return;
	}
	row = dwell_cost_rows(stats);
	for (uint32_t index = 0; index < stats->used; index++, row++) {
		if (row->name == LINES_TAG(LINES_TAG_OTHERS))
			OS_Printf("(others)");
		else
			face_print_name(row->name);
		OS_Printf(": count %llu, cost %llu", (unsigned long long)row->calls, (unsigned long long)row->self_ticks);
		if (inclusive)
			OS_Printf(", inclusive %llu", (unsigned long long)row->total_ticks);
		OS_Printf("\n");
	}
	print_count(stats->dropped, "call", " dropped, the measurement buffer was full; their cost is their callers'");
	print_count(stats->halves, "call", " dropped, only one half was recorded");
	print_count(stats->missed, "call", " dropped, their handler interrupted the profiler");
	print_count(stats->early, "exit", " of functions that were entered before");
	print_count(stats->abandoned, "call", " abandoned: longjmp left them, and they ended where OS_SetProfileDepth was told so");
	print_count(stats->not_left, "call", " abandoned, and nobody said so: the costs of callers are wrong. Did longjmp leave them? See OS_SetProfileDepth");
	if (!stats->used && !(stats->dropped | stats->halves | stats->missed | stats->early))
		OS_Printf("OS_DumpStatistics: no call was counted. OS_CalcStatistics counts those of the thread that calls it; " FACE_WHY_NONE);
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
