/* distribution: divides the durations of the chosen functions into ranges, and writes a row for each. For the question durations
 * and the page. */
#include "analysis/distribution.h"

#include <stdio.h>
#include <stdlib.h>

#define ROWS_GOOD 24u /* choose_parts takes the shortest ranges that give at most about so many rows */
#define PARTS_MAX 8u  /* parts of an octave; histogram buckets never cross the border of such a part */

enum { FROM, TO, CALLS, PERCENT, SUM_PERCENT, MARKS, BAR, COLUMN_COUNT };

static const struct column columns[COLUMN_COUNT] = {
	[FROM] = {.key = "from_ns", .title = "from", .unit = UNIT_NS},
	[TO] = {.key = "to_ns", .title = "to", .unit = UNIT_NS, .data_only = true},
	[CALLS] = {.key = "calls", .title = "calls", .unit = UNIT_COUNT},
	[PERCENT] = {.key = "percent", .title = "%", .unit = UNIT_PERCENT},
	[SUM_PERCENT] = {.key = "sum_percent", .title = "up to it %", .unit = UNIT_PERCENT, .spare = 1},
	[MARKS] = {.key = "marks", .title = "", .unit = UNIT_TEXT},
	[BAR] = {.key = "bar", .title = "", .unit = UNIT_BAR, .text_only = true},
};

enum { P50, P90, P99, P999, MARK_COUNT };
static const struct {
	const char *name;
	double part;
} marks[MARK_COUNT] = {[P50] = {"p50", 0.5}, [P90] = {"p90", 0.9}, [P99] = {"p99", 0.99}, [P999] = {"p99.9", 0.999}};

struct walk {
	const struct analysis_distribution *what;
	const struct table_sink *sink;
	const struct profile_function *function; /* the sum over all chosen functions */
	uint64_t percentiles[MARK_COUNT];        /* in ticks */
	uint64_t most, sum;                      /* calls: the largest row; all rows so far */
	uint32_t parts;                          /* rows per octave */
};

static uint32_t octave_of(uint64_t ticks)
{
	return ticks ? 63u - (uint32_t)__builtin_clzll(ticks) : 0;
}

/* Start of a range: this part of the octave 2^octave, rounded up to a whole tick. */
static uint64_t edge_of(uint32_t octave, uint32_t part, uint32_t parts)
{
	uint64_t whole = (uint64_t)1 << octave;

	return whole + (octave >= 3 ? whole / parts * part : (whole * part + parts - 1) / parts);
}

/* The first tick after the range that contains ticks. */
static uint64_t range_end(uint64_t ticks, uint32_t parts)
{
	uint32_t octave = octave_of(ticks);

	if (!ticks)
		return 1;
	for (uint32_t part = 1; part < parts; part++)
		if (edge_of(octave, part, parts) > ticks)
			return edge_of(octave, part, parts);
	return octave < 63 ? (uint64_t)1 << (octave + 1) : UINT64_MAX;
}

static uint64_t range_begin(uint64_t ticks, uint32_t parts)
{
	uint32_t octave = octave_of(ticks);

	if (!ticks)
		return 0;
	for (uint32_t part = parts - 1; part; part--)
		if (edge_of(octave, part, parts) <= ticks)
			return edge_of(octave, part, parts);
	return (uint64_t)1 << octave;
}

/* Counts the calls with durations in [begin, end) ticks. */
static uint64_t count_range(const struct histogram *durations, uint64_t begin, uint64_t end)
{
	struct histogram_bucket bucket;
	uint64_t count = 0;

	for (uint32_t at = 0; histogram_next(durations, &at, &bucket);)
		if (bucket.low >= begin && bucket.low < end)
			count += bucket.count;
	return count;
}

/* Writes the percentiles in [begin, end) as text: "p50 p90 max". */
static void write_marks(const struct walk *walk, uint64_t begin, uint64_t end, char *text, size_t bytes)
{
	size_t used = 0;

	*text = 0;
	for (int i = 0; i < MARK_COUNT; i++)
		if (walk->percentiles[i] >= begin && walk->percentiles[i] < end)
			used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? " " : "", marks[i].name);
	if (walk->function->max >= begin && walk->function->max < end)
		snprintf(text + used, bytes - used, "%smax", used ? " " : "");
}

static void write_row(struct walk *walk, uint64_t begin, uint64_t end)
{
	const struct clock_map *clock = walk->what->clock;
	uint64_t all = walk->function->durations.count, calls = count_range(&walk->function->durations, begin, end);
	struct cell cells[COLUMN_COUNT] = {0};
	char text[64];

	walk->sum += calls;
	write_marks(walk, begin, end, text, sizeof text);
	cells[FROM].count = clock_duration_ns(clock, begin);
	cells[TO].count = clock_duration_ns(clock, end);
	cells[CALLS].count = calls;
	cells[PERCENT].real = 100.0 * (double)calls / (double)all;
	cells[SUM_PERCENT].real = 100.0 * (double)walk->sum / (double)all;
	cells[MARKS].text = text;
	cells[BAR].real = (double)calls / (double)walk->most;
	cells[FROM].unsure = walk->what->unsure;
	walk->sink->row(walk->sink->context, cells);
}

/* Chooses the number of ranges in an octave, and finds the largest row, for the bars. */
static void choose_parts(struct walk *walk)
{
	uint64_t min = walk->function->min, max = walk->function->max;
	uint32_t octaves = octave_of(max) - octave_of(min) + 1;

	for (walk->parts = PARTS_MAX; walk->parts > 1 && octaves * walk->parts > ROWS_GOOD; walk->parts /= 2)
		;
	for (uint64_t at = range_begin(min, walk->parts), end; at <= max; at = end) {
		uint64_t calls;

		end = range_end(at, walk->parts);
		calls = count_range(&walk->function->durations, at, end);
		if (calls > walk->most)
			walk->most = calls;
		if (end == UINT64_MAX)
			return;
	}
}

static void write_rows(struct walk *walk)
{
	const struct profile_function *function = walk->function;

	walk->sink->begin(walk->sink->context, "histogram", columns, COLUMN_COUNT);
	for (uint64_t at = range_begin(function->min, walk->parts), end; walk->most && at <= function->max; at = end) {
		end = range_end(at, walk->parts);
		write_row(walk, at, end);
		if (end == UINT64_MAX)
			break;
	}
	walk->sink->end(walk->sink->context);
}

/* A percentile is the middle of a histogram bucket, so it is bounded by the exact min and max. */
static uint64_t percentile(const struct profile_function *function, double part)
{
	uint64_t ticks = histogram_percentile(&function->durations, part);

	return ticks < function->min ? function->min : ticks > function->max ? function->max : ticks;
}

static void set_results(struct analysis_distribution *what, const struct walk *walk)
{
	const struct profile_function *function = walk->function;
	uint64_t count = function->durations.count;

	what->min_ns = clock_duration_ns(what->clock, function->min);
	what->avg_ns = count ? clock_duration_ns(what->clock, function->sum / count) : 0;
	what->p50_ns = clock_duration_ns(what->clock, walk->percentiles[P50]);
	what->p90_ns = clock_duration_ns(what->clock, walk->percentiles[P90]);
	what->p99_ns = clock_duration_ns(what->clock, walk->percentiles[P99]);
	what->p999_ns = clock_duration_ns(what->clock, walk->percentiles[P999]);
	what->max_ns = clock_duration_ns(what->clock, function->max);
}

bool analysis_distribution(struct analysis_distribution *what, const struct table_sink *sink)
{
	struct profile_function all = {0};
	struct walk walk = {.what = what, .sink = sink, .function = &all};
	bool good = true;

	if (what->durations) {
		all.calls = what->durations->calls;
		good = profile_merge_durations(&all, what->durations);
	}
	for (uint32_t id = 0; good && !what->durations && id < what->profile->function_count; id++) {
		if (!what->profile->functions[id].calls || !pattern_matches(what->pattern, id))
			continue;
		all.calls += what->profile->functions[id].calls;
		good = profile_merge_durations(&all, &what->profile->functions[id]);
	}
	if (good) {
		for (int i = 0; i < MARK_COUNT; i++)
			walk.percentiles[i] = percentile(&all, marks[i].part);
		what->calls = all.durations.count;
		what->others = all.calls - all.durations.count;
		what->unsure = !all.complete;
		if (all.durations.count)
			choose_parts(&walk);
		set_results(what, &walk);
		write_rows(&walk);
	}
	profile_clear_function(&all);
	return good;
}
