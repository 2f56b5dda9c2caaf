/* dumps: memory of machines as the readers of the five older profilers take it, and gmon.out. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "classic/core/lines.h"
#include "shapes/shapes.h"
#include "util/bytes.h"

static FILE *begin(const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		exit(2);
	return out;
}

static void put(FILE *out, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		putc((int)(value >> 8 * i) & 255, out);
}

/* ---- gmon.out ---- */

static FILE *gmon_begin(const char *path, uint32_t bins)
{
	FILE *out = begin(path);

	fwrite("gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 1, 20, out);
	putc(0, out);
	put(out, 0x1000, 8);
	put(out, 0x1000 + 4 * (uint64_t)bins, 8);
	put(out, bins, 4);
	put(out, 100, 4);
	fwrite("seconds\0\0\0\0\0\0\0\0s", 1, 16, out);
	for (uint32_t i = 0; i < bins; i++)
		put(out, 1 + i % 7, 2);
	return out;
}

static void gmon_arc(FILE *out, uint64_t from, uint64_t to)
{
	putc(1, out);
	put(out, from, 8);
	put(out, to, 8);
	put(out, 3, 4);
}

static void gmon_bins(const char *path, uint32_t count)
{
	fclose(gmon_begin(path, count));
}

static void gmon_arcs(const char *path, uint32_t count)
{
	FILE *out = gmon_begin(path, 16);

	for (uint32_t i = 0; i < count; i++)
		gmon_arc(out, 0x1000 + 8 * (uint64_t)(count - i), 0x1000 + 16 * (uint64_t)i);
	fclose(out);
}

static void gmon_arcs_to_one(const char *path, uint32_t count)
{
	FILE *out = gmon_begin(path, 16);

	for (uint32_t i = 0; i < count; i++)
		gmon_arc(out, 0x1000 + 8 * (uint64_t)i, 0x1000);
	fclose(out);
}

static void gmon_histograms(const char *path, uint32_t count)
{
	FILE *out = gmon_begin(path, 4);

	for (uint32_t i = 1; i < count; i++) {
		putc(0, out);
		put(out, 0x1000 + 16 * (uint64_t)i, 8);
		put(out, 0x1010 + 16 * (uint64_t)i, 8);
		put(out, 4, 4);
		put(out, 100, 4);
		fwrite("seconds\0\0\0\0\0\0\0\0s", 1, 16, out);
		put(out, 0x0002000000030001, 8);
	}
	fclose(out);
}

/* ---- TI's records ---- */

enum { HOOK_ENTER, HOOK_EXIT, HOOK_COMES, HOOK_LEAVES };

struct hooks {
	FILE *out;
	bool is_text;
	uint64_t ticks;
};

static struct hooks hooks_begin(const char *path, bool is_text)
{
	struct hooks hooks = {begin(path), is_text, 1000};

	if (is_text)
		fputs("1651 1 90000000 0 24\n", hooks.out);
	return hooks;
}

static void hook_word(struct hooks *hooks, uint32_t word)
{
	if (hooks->is_text)
		fprintf(hooks->out, "0x%08X\n", word);
	else
		put(hooks->out, word, 4);
}

static void hook(struct hooks *hooks, uint32_t place, unsigned kind)
{
	hook_word(hooks, place | kind);
	hook_word(hooks, (uint32_t)hooks->ticks);
	hook_word(hooks, (uint32_t)(hooks->ticks >> 32));
	hooks->ticks += 10;
}

static void hooks_deep(const char *path, uint32_t count)
{
	struct hooks hooks = hooks_begin(path, false);

	for (uint32_t i = 0; i < count; i++)
		hook(&hooks, 0xc000000 + 16 * i, HOOK_ENTER);
	for (uint32_t i = count; i--;)
		hook(&hooks, 0xc000000 + 16 * i, HOOK_EXIT);
	fclose(hooks.out);
}

static void hooks_wide(const char *path, uint32_t count)
{
	struct hooks hooks = hooks_begin(path, false);

	for (uint32_t i = 0; i < count; i++) {
		hook(&hooks, 0xc000000 + 16 * i, HOOK_ENTER);
		hook(&hooks, 0xc000000 + 16 * i, HOOK_EXIT);
	}
	fclose(hooks.out);
}

static void hooks_never_left(const char *path, uint32_t count)
{
	struct hooks hooks = hooks_begin(path, false);

	for (uint32_t i = 0; i < count; i++)
		hook(&hooks, 0xc000000 + 16 * i, HOOK_ENTER);
	fclose(hooks.out);
}

static void hooks_tasks(const char *path, uint32_t count)
{
	struct hooks hooks = hooks_begin(path, false);

	for (uint32_t i = 0; i < count; i++) {
		hook(&hooks, 0x800000 + 16 * i, HOOK_COMES);
		hook(&hooks, 0xc000000 + 16 * (i % 9), HOOK_ENTER);
		hook(&hooks, 0xc000000 + 16 * (i % 9), HOOK_EXIT);
		hooks.ticks -= 10;
		hook(&hooks, 0x800000 + 16 * i, HOOK_LEAVES);
		hooks.ticks -= 10;
	}
	fclose(hooks.out);
}

/* Times fall again and again. */
static void hooks_backward(const char *path, uint32_t count)
{
	struct hooks hooks = hooks_begin(path, false);

	for (uint32_t i = 0; i < count; i++) {
		hook(&hooks, 0xc000000 + 16 * (i % 9), HOOK_ENTER);
		hook(&hooks, 0xc000000 + 16 * (i % 9), HOOK_EXIT);
		hooks.ticks -= i % 50 ? 0 : 35;
	}
	fclose(hooks.out);
}

/* Far apart: a long pause again and again. */
static void hooks_leaps(const char *path, uint32_t count)
{
	struct hooks hooks = hooks_begin(path, false);

	for (uint32_t i = 0; i < count; i++) {
		hook(&hooks, 0xc000000 + 16 * (i % 9), HOOK_ENTER);
		hook(&hooks, 0xc000000 + 16 * (i % 9), HOOK_EXIT);
		hooks.ticks += i % 50 ? 0 : UINT64_C(1) << 33;
	}
	fclose(hooks.out);
}

static void ccs_wide(const char *path, uint32_t count)
{
	struct hooks hooks = hooks_begin(path, true);

	for (uint32_t i = 0; i < count; i++) {
		hook(&hooks, 0xc000000 + 16 * i, HOOK_ENTER);
		hook(&hooks, 0xc000000 + 16 * i, HOOK_EXIT);
	}
	fclose(hooks.out);
}

/* Of other words than records. */
static void ccs_nonsense(const char *path, uint32_t count)
{
	FILE *out = begin(path);

	fputs("1651 1 90000000 0 24\n", out);
	for (uint32_t i = 0; i < count; i++)
		fputs(i % 3 ? "0xFFFFFFFF\n" : "0x0c000e8c\n", out);
	fclose(out);
}

/* ---- line buffers: traces, costs, statistics; histograms ---- */

static void areas(const char *path, uint32_t count, uint32_t magic, uint32_t what)
{
	FILE *out = begin(path);

	for (uint32_t i = 0; i < count; i++) {
		put(out, magic, 4);
		put(out, what, 4);
		for (uint32_t k = 0; k < 6; k++)
			put(out, 0x20000000 + 32 * (uint64_t)i + (k == 1 ? 8 : 0), 4);
	}
	fclose(out);
}

/* What begins like an area, at each multiple of 32 bytes. */
static void lines_beginnings(const char *path, uint32_t count)
{
	areas(path, count, 0x4e4c5744, 2 | 3 << 8 | 4u << 24);
}

static void lines_statistics_beginnings(const char *path, uint32_t count)
{
	areas(path, count, 0x4e4c5744, 2 | 4 << 8 | 4u << 24);
}

static void histogram_beginnings(const char *path, uint32_t count)
{
	areas(path, count, 0x53485744, 1 | 2 << 8 | 4 << 16 | 4u << 24);
}

static void hook_area_beginnings(const char *path, uint32_t count)
{
	areas(path, count, 0x4b485744, 1 | 1 << 8 | 12 << 16 | 4u << 24);
}

#define MEMORY 0x2100000u

/* Costs: entries and exits of functions whose names lie behind them, or nowhere. */
static void lines_cost(const char *path, uint32_t count, bool is_deep)
{
	uint32_t first = MEMORY + LINES_HEAD_BYTES + 4 * LINES_COST_WORDS, end = first + 12 * 2 * count;
	const uint32_t words[LINES_COST_WORDS] = {[LINES_COST_BEGIN] = first,
		[LINES_COST_CURSOR] = end,
		[LINES_COST_END] = end,
		[LINES_COST_GAPS] = end,
		[LINES_COST_STATE] = LINES_STATE_ENABLED,
		[LINES_COST_IN_USE] = 1,
		[LINES_COST_HZ] = 523655};
	FILE *out = begin(path);
	uint32_t tick = 0;

	put(out, 0x4e4c5744, 4);
	put(out, 2 | 3 << 8 | 4u << 24, 4);
	for (uint32_t i = 0; i < LINES_COST_WORDS; i++)
		put(out, words[i], 4);
	for (uint32_t i = 0; i < 2 * count; i++) {
		bool is_entry = is_deep ? i < count : i % 2 == 0;

		put(out, is_entry ? 0x2010040 + 16 * (is_deep ? i : i / 2) : UINT32_MAX, 4);
		put(out, tick += 5, 4);
		put(out, 0, 4);
	}
	fclose(out);
}

static void lines_deep(const char *path, uint32_t count)
{
	lines_cost(path, count, true);
}

static void lines_wide(const char *path, uint32_t count)
{
	lines_cost(path, count, false);
}

static void lines_statistics(const char *path, uint32_t count)
{
	const uint32_t first = (MEMORY + 60 + 7) & ~7u;
	FILE *out = begin(path);

	put(out, 0x4e4c5744, 4);
	put(out, 2 | 4 << 8 | 4u << 24, 4);
	put(out, first, 4);
	put(out, count, 4);
	put(out, count, 4);
	for (uint32_t i = 3; i < 13; i++)
		put(out, 0, 4);
	while (ftell(out) % 8)
		putc(0, out);
	for (uint32_t i = 0; i < count; i++) {
		put(out, 0x2010040 + 16 * (uint64_t)i, 8);
		put(out, 2, 8);
		put(out, 50, 8);
		put(out, 60, 8);
	}
	fclose(out);
}

const struct shape shapes_of_dumps[] = {
	{"gmon_bins", gmon_bins, 2500},
	{"gmon_arcs", gmon_arcs, 1250},
	{"gmon_arcs_to_one", gmon_arcs_to_one, 1250},
	{"gmon_histograms", gmon_histograms, 1250},
	{"hooks_deep", hooks_deep, 1250},
	{"hooks_wide", hooks_wide, 1250},
	{"hooks_never_left", hooks_never_left, 1250},
	{"hooks_tasks", hooks_tasks, 1000},
	{"hooks_backward", hooks_backward, 1250},
	{"hooks_leaps", hooks_leaps, 1250},
	{"ccs_wide", ccs_wide, 1250},
	{"ccs_nonsense", ccs_nonsense, 2500},
	{"lines_beginnings", lines_beginnings, 1250},
	{"lines_statistics_beginnings", lines_statistics_beginnings, 1250},
	{"histogram_beginnings", histogram_beginnings, 1250},
	{"hook_area_beginnings", hook_area_beginnings, 1250},
	{"lines_deep", lines_deep, 1250},
	{"lines_wide", lines_wide, 1250},
	{"lines_statistics", lines_statistics, 1250},
	{NULL, NULL, 0},
};
