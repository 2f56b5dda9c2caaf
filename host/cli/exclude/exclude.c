/* exclude: see exclude.h. */
#include "cli/exclude/exclude.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exclude/forms.h"
#include "cli/exclude/names.h"
#include "cli/result_file.h"
#include "model/profile/throttled.h"
#include "symbol/build_id.h"
#include "util/units.h"

/* Short: a call that takes, with all that is in it, less than so many times what it costs to record it. Often: that is at least this
 * part of all that recording cost. */
#define SHORT_TIMES 4
#define OFTEN_PART 0.01

static int compare(const void *a, const void *b)
{
	const struct excluded *left = a, *right = b;

	return (left->ticks < right->ticks) - (left->ticks > right->ticks);
}

/* Calls that a recording has none of, as it throttled their function; null: no memory. */
static uint64_t *make_throttled_calls(const struct trace *trace, size_t function_count)
{
	uint64_t *calls = calloc(function_count + 1, sizeof *calls);
	struct throttled_function *list;
	size_t count;

	if (!calls)
		return NULL;
	list = make_throttled_functions(model_get_throttled(trace->model), model_get_functions(trace->model), &count);
	for (size_t i = 0; i < count; i++)
		if (list[i].id < function_count)
			calls[list[i].id] = list[i].calls + 1; /* 0: it was not throttled */
	free(list);
	return calls;
}

/* What was throttled was found to be short and called often when it was recorded. Returns how many; *all: what recording cost altogether,
 * or would have. */
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

static void write_files(FILE *out, const struct functions *functions, const struct excluded *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char id[BUILD_ID_TEXT_BYTES] = "-";
		struct function_place place, other;
		bool told = false;

		if (!functions_get_place(functions, list[i].id, &place) || !place.path)
			continue;
		for (size_t j = 0; j < i; j++)
			told |= functions_get_place(functions, list[j].id, &other) && other.path && !strcmp(other.path, place.path);
		if (place.build_id_bytes)
			format_build_id(id, place.build_id, place.build_id_bytes);
		if (!told && !strchr(place.path, '\n'))
			fprintf(out, "file %s %s\n", id, place.path);
	}
}

static void write_list(FILE *out, const struct trace *trace, const struct excluded *list, char *const *names, size_t count)
{
	struct functions *functions = model_get_functions(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);

	fputs(EXCLUDE_HEAD "# Functions that are short, and called so often that recording them is much of what recording costs.\n"
		   "# dwell record --exclude FILE does not record them; dwell report --write-exclude FILE --exclude-form gcc, clang or attribute\n"
		   "# is for compiling them without hooks.\n",
		out);
	write_files(out, functions, list, count);
	for (size_t i = 0; i < count; i++) {
		char cost[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES];

		if (!names[i])
			continue;
		units_format_ns_short(cost, clock_duration_ns(clock, (uint64_t)list[i].ticks));
		units_format_count(calls, list[i].calls);
		fprintf(out, "# %s calls; recording them costs about %s\nnot %s\n", calls, cost, names[i]);
	}
}

static void tell(const struct trace *trace, const char *path, enum exclude_form form, size_t count, size_t written, unsigned percent)
{
	const char *them = count == 1 ? "it" : "them";

	if (form == EXCLUDE_RECORD)
		diag_add(trace->diag, DIAG_NOTE, path, DIAG_NO_OFFSET,
			"has %zu function%s; recording %s is %u %% of what recording costs. dwell record --exclude %s leaves %s out", count,
			count == 1 ? "" : "s", them, percent, path, them);
	else
		diag_add(trace->diag, DIAG_NOTE, path, DIAG_NO_OFFSET, "has %zu of %zu function%s, recording which is %u %% of what recording costs. %s",
			written, count, count == 1 ? "" : "s", percent, exclude_form_use(form));
}

static void write_to(
	const struct trace *trace, const char *path, enum exclude_form form, const struct excluded *list, size_t count, double all)
{
	char **names = make_exclude_names(model_get_functions(trace->model), list, count, form);
	size_t written = count;
	double theirs = 0;
	struct result_file file;

	if (!names) {
		diag_add(trace->diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "out of memory");
		return;
	}
	if (result_file_open(&file, path, trace->diag)) {
		if (form == EXCLUDE_RECORD)
			write_list(file.out, trace, list, names, count);
		else
			written = exclude_write_form(file.out, trace, list, names, count, form);
		result_file_close(&file, true, trace->diag);
		for (size_t i = 0; i < count; i++)
			theirs += names[i] ? list[i].ticks : 0;
		tell(trace, path, form, count, written, (unsigned)(100 * theirs / all + 0.5));
		exclude_tell_others(trace, list, names, count, form);
	}
	free_exclude_names(names, count);
}

void exclude_write(const struct trace *trace, const char *path, enum exclude_form form)
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
			"is not written: no function is so short, and called so often, that it should be left out");
	else
		write_to(trace, path, form, list, count, all);
	free(list);
	free(throttled);
}
