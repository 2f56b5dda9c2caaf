/* core/cost: lines of programs that keep their own accounts; both figures of the manual; whatever lines there are, cut wherever. */
#include "classic/core/cost.h"

#include <stdlib.h>

#include "check.h"

static uint64_t state;

static uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

static const lines_word exit_tag = LINES_TAG(LINES_TAG_EXIT);

#define NAME(text) ((lines_word)(text))
static const char function[] = "function", test_name[] = "test", xxxx[] = "xxxx";

static _Alignas(8) char stats_bytes[8192];

static const struct lines_row *row(const struct lines_stats *stats, lines_word name)
{
	for (uint32_t i = 0; i < stats->used; i++)
		if (dwell_cost_rows(stats)[i].name == name)
			return &dwell_cost_rows(stats)[i];
	return 0;
}

static void check_row(const struct lines_stats *stats, const char *name, uint64_t calls, uint64_t self, uint64_t total)
{
	const struct lines_row *found = row(stats, NAME(name));

	if (!CHECK(found != 0))
		return;
	CHECK_EQ(found->calls, calls);
	CHECK_EQ(found->self_ticks, self);
	CHECK_EQ(found->total_ticks, total);
}

/* Counts lines, and returns how many of them are open calls. */
static uint32_t count_all(struct lines_stats *stats, lines_word *lines, uint32_t count)
{
	struct dwell_counting counting;

	dwell_cost_begin(&counting, stats, lines);
	dwell_cost_count(&counting, count);
	stats->step = 0;
	return dwell_cost_end(&counting);
}

/* Section 4.1: 55 and 10. */
TEST(first_figure)
{
	lines_word lines[] = {NAME(function), 30, 0, exit_tag, 45, 0, NAME(function), 70, 0, NAME(test_name), 80, 0, exit_tag, 90,
		0, exit_tag, 120, 0};
	struct lines_stats *stats = dwell_cost_make_stats(stats_bytes, sizeof stats_bytes);

	CHECK_EQ(count_all(stats, lines, 6), 0);
	CHECK_EQ(stats->used, 2);
	check_row(stats, function, 2, 55, 65);
	check_row(stats, test_name, 1, 10, 10);
	CHECK(dwell_cost_rows(stats)[0].name == NAME(function));
}

/* Section 4.3, three threads: 73 (the 70 printed there is a slip), 5, 7; with callees 78. */
TEST(second_figure)
{
	lines_word first[] = {NAME(function), 30, 0, exit_tag, 45, 7, NAME(function), 70, 0, NAME(test_name), 80, 0, exit_tag, 90,
		5, exit_tag, 120, 0};
	lines_word second[] = {NAME(xxxx), 35, 0, exit_tag, 42, 0, NAME(function), 130, 0, exit_tag, 150, 10};
	lines_word third[] = {NAME(function), 83, 0, exit_tag, 88, 0, NAME(function), 135, 0, exit_tag, 145, 0};
	struct lines_stats *stats = dwell_cost_make_stats(stats_bytes, sizeof stats_bytes);

	CHECK_EQ(count_all(stats, first, 6), 0);
	CHECK_EQ(count_all(stats, second, 4), 0);
	CHECK_EQ(count_all(stats, third, 4), 0);
	check_row(stats, function, 5, 73, 78);
	check_row(stats, test_name, 1, 5, 5);
	check_row(stats, xxxx, 1, 7, 7);
}

/* A program with its own accounts: whose time each tick was, and on whose stack. */
enum { FUNCTIONS = 9, DEEP = 300 };
static const char names[FUNCTIONS][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};

struct program {
	uint32_t stack[DEEP], depth, on_stack[FUNCTIONS];
	uint64_t calls[FUNCTIONS], self[FUNCTIONS], total[FUNCTIONS];
	lines_word tick;
};

/* Runs for some ticks, and is away for some of them: the rest is its own. */
static uint32_t run(struct program *program, bool slow)
{
	uint32_t own = slow && !pick(50) ? 0xf0000000u + pick(1000) : pick(20), away = pick(4) ? 0
										       : slow  ? pick(0x7fffffff) * 2u
											       : pick(30);

	program->tick += (lines_word)own + away;
	if (program->depth)
		program->self[program->stack[program->depth - 1]] += own;
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		program->total[i] += program->on_stack[i] ? own : 0;
	return away;
}

static void step(struct program *program, lines_word *line, uint32_t deepest, uint32_t enters, bool slow)
{
	line[2] = run(program, slow);
	line[1] = program->tick;
	if (!program->depth || (program->depth < deepest && pick(100) < enters)) {
		uint32_t which = pick(FUNCTIONS);

		line[0] = NAME(names[which]);
		program->stack[program->depth++] = which;
		program->on_stack[which]++;
	} else {
		uint32_t which = program->stack[--program->depth];

		line[0] = exit_tag;
		program->on_stack[which]--;
		program->calls[which]++;
	}
}

static void agree(const struct lines_stats *stats, const struct program *program)
{
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		const struct lines_row *found = row(stats, NAME(names[i]));

		if (!found) {
			CHECK_EQ(program->calls[i] + program->self[i], 0);
			continue;
		}
		CHECK_EQ(found->calls, program->calls[i]);
		CHECK_EQ(found->self_ticks, program->self[i]);
		CHECK_EQ(found->total_ticks, program->total[i]);
		CHECK_EQ(found->open, 0);
	}
}

/* Summarised after every few lines, with all that is open carried over, at any depth; ticks wrap, and the thread is away for
 * longer than that takes. */
static void walk(uint64_t seed, uint32_t deepest, uint32_t enters, uint32_t steps, bool slow)
{
	static struct program program;
	static lines_word lines[3 * (2 * DEEP + 2000)];
	struct lines_stats *stats = dwell_cost_make_stats(stats_bytes, sizeof stats_bytes);
	uint32_t count = 0;

	memset(&program, 0, sizeof program);
	state = seed;
	program.tick = (lines_word)0 - 0x100;
	for (uint32_t i = 0; i < steps; i++) {
		step(&program, lines + 3 * count++, deepest, enters, slow);
		if (!pick(60) || count > 1900) {
			count = count_all(stats, lines, count);
			CHECK_EQ(count, program.depth);
			for (uint32_t k = 0; k < program.depth; k++)
				CHECK(lines[3 * k] == NAME(names[program.stack[k]]));
			agree(stats, &program);
			if (tap_bad)
				return;
		}
	}
}

TEST(any_program_cut_anywhere)
{
	for (uint64_t seed = 1; seed < 60; seed++)
		walk(seed, 3 + (uint32_t)seed % 9, 50, 3000, false);
}

TEST(deeper_than_any_window)
{
	for (uint64_t seed = 1; seed < 20; seed++)
		walk(seed, DEEP, 45 + (uint32_t)seed, 20000, false);
}

/* On a machine with words of 32 bits, again and again; on others at the beginning, and these are calls of hours. */
TEST(ticks_that_wrap)
{
	for (uint64_t seed = 1; seed < 20; seed++)
		walk(seed, 40, 52, 20000, true);
}

TEST(rows_run_out)
{
	lines_word lines[3 * 2 * FUNCTIONS];
	uint32_t bytes = (uint32_t)(sizeof(struct lines_stats) + 3 * sizeof(struct lines_row));
	struct lines_stats *stats;

	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		memcpy(lines + 6 * i, (lines_word[]){NAME(names[i]), 10 * i, 0, exit_tag, 10 * i + 1 + i, 0}, 6 * sizeof *lines);
	}
	CHECK(!dwell_cost_make_stats(stats_bytes, (uint32_t)(sizeof(struct lines_stats) + 2 * sizeof(struct lines_row) - 1)));
	stats = dwell_cost_make_stats(stats_bytes, bytes);
	memset(stats_bytes + bytes, 0x5a, 100);
	CHECK_EQ(count_all(stats, lines, 2 * FUNCTIONS), 0);
	CHECK_EQ(count_all(stats, lines, 0), 0);
	CHECK_EQ(stats->used, 3);
	CHECK_EQ(dwell_cost_rows(stats)[2].name, LINES_TAG(LINES_TAG_OTHERS));
	CHECK_EQ(dwell_cost_rows(stats)[2].calls, FUNCTIONS - 2);
	CHECK_EQ(dwell_cost_rows(stats)[2].self_ticks, 3 + 4 + 5 + 6 + 7 + 8 + 9);
	for (uint32_t i = 0; i < 100; i++)
		CHECK_EQ(stats_bytes[bytes + i], 0x5a);
}

int main(void)
{
	RUN(first_figure);
	RUN(second_figure);
	RUN(any_program_cut_anywhere);
	RUN(deeper_than_any_window);
	RUN(ticks_that_wrap);
	RUN(rows_run_out);
	return tap_done();
}
