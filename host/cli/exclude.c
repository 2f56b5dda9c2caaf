/* exclude: chooses the functions for the list, writes the list, and reads it for record. */
#include "cli/exclude.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/throttled.h"
#include "reader/text_lines.h"
#include "util/real.h"
#include "util/result_file.h"
#include "util/units.h"

/* Short: the function's CPU time, with its callees, is less than SHORT_TIMES the cost of recording its calls. Often: that cost is
 * at least this part of the whole cost of recording. */
#define SHORT_TIMES 4
#define OFTEN_PART 0.01
#define LIST_BYTES_MAX (1 << 20)

struct excluded {
	uint32_t id;
	uint64_t calls;
	double ticks; /* the cost of recording its calls */
};

static int compare(const void *a, const void *b)
{
	const struct excluded *left = a, *right = b;

	return (left->ticks < right->ticks) - (left->ticks > right->ticks);
}

/* Returns an array by function id: 0: the function was not throttled; else the number of its calls that throttling left out, plus
 * 1. Null: memory ran out. The caller frees the array. */
static uint64_t *make_throttled_calls(const struct trace *trace, size_t function_count)
{
	uint64_t *calls = calloc(function_count + 1, sizeof *calls);
	struct throttled_function *list;
	size_t count;

	if (!calls)
		return NULL;
	list = make_throttled_functions(
		model_get_throttled(trace->model), model_get_functions(trace->model), model_get_profile(trace->model), &count);
	for (size_t i = 0; i < count; i++)
		if (list[i].id < function_count)
			calls[list[i].id] = list[i].calls + 1;
	free(list);
	return calls;
}

/* Writes the functions for the list to list, the costliest first, and returns their number. A throttled function is always chosen,
 * since the recorder found it short and frequent. throttled: as above. *all: the cost of recording in ticks, with the cost that
 * throttling saved. */
static size_t choose(const struct profile *profile, const struct overhead *overhead, const uint64_t *throttled,
	struct excluded *list, double *all)
{
	double cost = overhead->inner.ticks + overhead->outer.ticks;
	size_t count = 0;

	*all = 0;
	for (size_t id = 0; id < profile->function_count; id++)
		*all += ((double)profile->functions[id].calls + (double)(throttled[id] ? throttled[id] - 1 : 0)) * cost;
	for (size_t id = 0; id < profile->function_count; id++) {
		const struct profile_function *function = &profile->functions[id];
		double spent = (double)function->calls * cost;
		uint64_t on_cpu = profile_rest(function->total, profile_off_cpu(&function->total_off));
		uint64_t calls = throttled[id] ? function->calls + throttled[id] - 1 : function->calls;

		if (throttled[id] || (calls && spent >= *all * OFTEN_PART && (double)on_cpu < spent * SHORT_TIMES))
			list[count++] = (struct excluded){(uint32_t)id, calls, (double)calls * cost};
	}
	qsort(list, count, sizeof *list, compare);
	return count < FILTER_PATTERNS_MAX ? count : FILTER_PATTERNS_MAX;
}

/* The function's name; null: the name has several lines, so the list cannot contain the name. */
static const char *get_name(const struct functions *functions, uint32_t id)
{
	const char *name = functions_get_name((struct functions *)functions, id);

	return strpbrk(name, "\n\r") ? NULL : name;
}

static void write_list(FILE *out, const struct trace *trace, const struct excluded *list, size_t count)
{
	const struct clock_map *clock = model_get_clock(trace->model);

	fputs(EXCLUDE_HEAD "# Functions that are short, and called so often that recording them is much of what recording costs.\n"
			   "# dwell record --not @FILE does not record them.\n",
		out);
	for (size_t i = 0; i < count; i++) {
		const char *name = get_name(model_get_functions(trace->model), list[i].id);
		char cost[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES];

		if (!name)
			continue;
		units_format_ns_short(cost, clock_duration_ns(clock, real_to_u64(list[i].ticks)));
		units_format_count(calls, list[i].calls);
		fprintf(out, "# %s calls; recording them costs about %s\nnot %s\n", calls, cost, name);
	}
}

static bool is_listed(const struct excluded *list, size_t count, uint32_t id)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].id == id)
			return true;
	return false;
}

/* Adds a note about functions of the trace that are not in the list, but have the name of a listed function: record leaves them
 * out, too. */
static void note_same_names(const struct trace *trace, const struct excluded *list, size_t count)
{
	struct functions *functions = model_get_functions(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	uint32_t others = 0, one = 0;
	char *place;

	for (uint32_t id = 0; id < profile->function_count; id++)
		for (size_t i = 0; i < count && profile->functions[id].calls && !is_listed(list, count, id); i++) {
			const char *name = get_name(functions, list[i].id);

			if (!name || strcmp(name, functions_get_name(functions, id)))
				continue;
			others++;
			one = id;
			break;
		}
	if (!others)
		return;
	place = make_functions_name_and_place(functions, one);
	diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET,
		"dwell record leaves out every function whose name is in the list: %u more of this trace, such as %s, with %s", others,
		place ? place : functions_get_name(functions, one), functions_get_name(functions, one));
	free(place);
}

static void write_to(const struct trace *trace, const char *path, const struct excluded *list, size_t count, double all)
{
	const char *them = count == 1 ? "it" : "them";
	struct result_file file;
	double theirs = 0;

	if (!result_file_open(&file, path, trace->diag))
		return;
	write_list(file.out, trace, list, count);
	result_file_close(&file, true, trace->diag);
	for (size_t i = 0; i < count; i++)
		theirs += list[i].ticks;
	diag_add(trace->diag, DIAG_NOTE, path, DIAG_NO_OFFSET,
		"has %zu function%s; recording %s is %u %% of what recording costs. dwell record --not @%s leaves %s out", count,
		count == 1 ? "" : "s", them, real_to_u32(100 * theirs / all + 0.5), path, them);
	note_same_names(trace, list, count);
}

void exclude_write(const struct trace *trace, const char *path)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct excluded *list = calloc(profile->function_count + 1, sizeof *list);
	uint64_t *throttled = make_throttled_calls(trace, profile->function_count);
	double all = 0;
	size_t count = list && throttled ? choose(profile, model_get_overhead(trace->model), throttled, list, &all) : 0;

	if (!list || !throttled)
		diag_add(trace->diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "out of memory");
	else if (!count)
		diag_add(trace->diag, DIAG_NOTE, path, DIAG_NO_OFFSET,
			"is not written: no function is short and frequent enough to be left out");
	else
		write_to(trace, path, list, count, all);
	free(list);
	free(throttled);
}

/* ---- reading, for record ---- */

/* Drops the byte-order mark of an editor, and the carriage returns of another system's lines. */
static void unify_lines(char *text)
{
	char *to = text;

	for (const char *from = text + text_mark_bytes(text, strlen(text)); *from; from++)
		if (from[0] != '\r' || from[1] != '\n')
			*to++ = *from;
	*to = 0;
}

/* Reads the whole list. The caller frees the text. Null with a diag: the file cannot be read, or is no list. */
static char *read_text(const char *command, const char *path, struct diag *diag)
{
	FILE *in = fopen(path, "r");
	char *text = in ? calloc(1, LIST_BYTES_MAX + 2) : NULL;
	size_t bytes = text ? fread(text, 1, LIST_BYTES_MAX + 1, in) : 0;
	bool good = text && !ferror(in) && bytes <= LIST_BYTES_MAX && strlen(text) == bytes;

	if (good)
		unify_lines(text);
	good = good && !strncmp(text, EXCLUDE_HEAD, sizeof EXCLUDE_HEAD - 1);
	if (!good)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "%s: --not @LIST: %s", command,
			in ? "expected a list of dwell report --write-exclude, which begins with 'dwell exclude 1'" : strerror(errno));
	if (in)
		fclose(in);
	if (!good) {
		free(text);
		return NULL;
	}
	return text;
}

bool exclude_parse(const char *command, const char *path, char *text, struct filter_options *filter, struct diag *diag)
{
	char *line, *rest = text;

	for (uint32_t number = 1; (line = strsep(&rest, "\n")); number++) {
		if (*line && *line != '#' && number > 1 && (strncmp(line, "not ", 4) || !line[4]))
			diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "line %" PRIu32 ": '%.60s' leaves nothing out; expected 'not FUNCTION'", number,
				line);
		if (strncmp(line, "not ", 4) || !line[4])
			continue;
		if (filter->pattern_count == FILTER_PATTERNS_MAX) {
			diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "%s: --not @LIST: the list, --only and --not have more than %u functions together; shorten the list", command,
				FILTER_PATTERNS_MAX);
			return false;
		}
		filter->patterns[filter->pattern_count++] = (struct filter_pattern){line + 4, "--exclude", true, true};
	}
	return true;
}

bool exclude_read(const char *command, const char *path, struct filter_options *filter, char **text, struct diag *diag)
{
	*text = read_text(command, path, diag);
	return *text && exclude_parse(command, path, *text, filter, diag);
}
