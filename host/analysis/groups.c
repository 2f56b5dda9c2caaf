/* groups: adds functions or threads to groups, sorts the groups, and writes the table. */
#include "analysis/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/thread_label.h"
#include "analysis/known.h"
#include "analysis/off_cpu_columns.h"
#include "analysis/whole.h"
#include "util/array.h"
#include "util/saturate.h"
#include "util/strings.h"

enum { CALLS, SELF, SELF_CPU, SELF_WAITING, SELF_PREEMPTED, SAMPLES, SELF_WEIGHT, PERCENT, NAME, COLUMN_COUNT };

static const struct column all_columns[COLUMN_COUNT] = {
	[CALLS] = {.key = "calls", .title = "calls", .unit = UNIT_COUNT},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS},
	[SELF_CPU] = {.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS},
	[SELF_WAITING] = {.key = "self_waiting_ns", .title = "waiting", .unit = UNIT_NS, .spare = 1},
	[SELF_PREEMPTED] = {.key = "self_preempted_ns", .title = "preempted", .unit = UNIT_NS, .spare = 2},
	[SAMPLES] = {.key = "samples", .title = "samples", .unit = UNIT_COUNT},
	[SELF_WEIGHT] = {.key = "self", .title = "self", .unit = UNIT_COUNT},
	[PERCENT] = {.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT},
	[NAME] = {.key = "group", .title = "group", .unit = UNIT_NAME},
};

static const enum known needs[COLUMN_COUNT] = {
	[SELF] = KNOWN_TIMES,
	[SELF_CPU] = KNOWN_CPU,
	[SELF_WAITING] = KNOWN_CPU,
	[SELF_PREEMPTED] = KNOWN_CPU,
	[SAMPLES] = KNOWN_SHARES,
	[SELF_WEIGHT] = KNOWN_WEIGHTS,
};

struct group {
	const char *name; /* owned by the names */
	uint64_t calls, samples, self; /* self: ticks, or a weight */
	struct off_cpu_ticks off;
};

struct groups {
	const struct analysis_groups *what;
	const struct profile *profile;
	struct strings names; /* number of a name: index of its group */
	struct group *list;
	size_t count, capacity;
	bool by_cpu, failed;
};

/* ---- adding up ---- */

static void add(struct groups *groups, const char *name, const struct group *more)
{
	bool is_new = false;
	uint32_t at = strings_intern(&groups->names, name, &is_new);
	struct group *group;

	if (at == STRINGS_NONE || !array_reserve(&groups->list, &groups->capacity, (size_t)at + 1, sizeof *groups->list)) {
		groups->failed = true;
		return;
	}
	group = &groups->list[at];
	if (is_new) {
		*group = (struct group){0};
		groups->count = (size_t)at + 1;
	}
	group->name = groups->names.texts[at];
	saturate_add(&group->calls, more->calls);
	saturate_add(&group->samples, more->samples);
	saturate_add(&group->self, more->self);
	profile_add_off_cpu(&group->off, &more->off);
}

static const char *module_of(const struct functions *functions, uint32_t id)
{
	struct function_place place;

	return functions_get_place(functions, id, &place) && place.path ? place.path : "(no module)";
}

/* The path in front of ":12". */
static void add_by_source(struct groups *groups, uint32_t id, const struct group *more)
{
	const char *line = groups->what->lines ? lines_get(groups->what->lines, id) : NULL;
	const char *colon = line ? strrchr(line, ':') : NULL;
	char *path = colon ? strndup(line, (size_t)(colon - line)) : NULL;

	add(groups, path ? path : "(source not known)", more);
	free(path);
}

static void add_functions(struct groups *groups)
{
	const struct profile *profile = groups->profile;

	for (uint32_t id = 0; id < profile->function_count; id++) {
		const struct profile_function *function = &profile->functions[id];
		const struct group more = {.calls = function->calls,
			.samples = id < profile->estimates.count ? profile->estimates.functions[id].samples : 0,
			.self = function->self,
			.off = function->self_off};

		if (!function->calls && !function->self && !more.samples)
			continue;
		if (groups->what->key == GROUP_SOURCE)
			add_by_source(groups, id, &more);
		else
			add(groups, module_of(model_get_functions(groups->what->model), id), &more);
	}
}

static const struct model_process *find_process(const struct model *model, uint32_t process)
{
	for (uint32_t i = 0; i < model_process_count(model); i++)
		if (model_get_process(model, i)->process == process)
			return model_get_process(model, i);
	return NULL;
}

static void add_by_process(struct groups *groups, const struct profile_thread *thread, const struct group *more)
{
	const struct model_process *process = find_process(groups->what->model, thread->process);
	char *name = NULL;

	if (process && asprintf(&name, "%s (%u)", process->path ? process->path : "?", process->pid) < 0)
		name = NULL;
	add(groups, name ? name : "(process not known)", more);
	free(name);
}

static void add_threads(struct groups *groups)
{
	const struct model *model = groups->what->model;

	for (size_t i = 0; i < groups->profile->thread_count; i++) {
		const struct profile_thread *thread = &groups->profile->threads[i];
		uint32_t index = model_find_thread(model, thread->stream);
		const struct group more = {.calls = thread->calls,
			.samples = thread->samples,
			.self = groups->profile->has_times ? thread->self_ticks : thread->sampled,
			.off = thread->off_self};

		if (groups->what->key == GROUP_PROCESS)
			add_by_process(groups, thread, &more);
		else
			add(groups, index == UINT32_MAX ? "?" : make_thread_label(model, index).text, &more);
	}
}

static void add_outside(struct groups *groups)
{
	const struct profile_function outside = whole_outside(groups->profile);
	const struct group more = {.self = outside.self, .off = outside.self_off};

	if (outside.self && groups->profile->has_times)
		add(groups, WHOLE_OUTSIDE, &more);
}

/* ---- the table ---- */

/* The time or weight that percentages refer to. */
static uint64_t part_of(const struct groups *groups, const struct group *group)
{
	return groups->by_cpu ? profile_rest(group->self, profile_off_cpu(&group->off)) : group->self;
}

static int compare(const void *a, const void *b, void *context)
{
	const struct group *left = a, *right = b;
	uint64_t x = part_of(context, left), y = part_of(context, right);

	if (x == y && left->calls != right->calls)
		return left->calls < right->calls ? 1 : -1;
	return x != y ? x < y ? 1 : -1 : strcmp(left->name, right->name);
}

static void begin(const struct groups *groups, struct column columns[COLUMN_COUNT], const struct table_sink *sink)
{
	const struct profile *profile = groups->profile;
	const char *const titles[] = {
		[GROUP_MODULE] = "module", [GROUP_THREAD] = "thread", [GROUP_PROCESS] = "process", [GROUP_SOURCE] = "source file"};

	memcpy(columns, all_columns, sizeof all_columns);
	columns[SELF].title = by_title(profile->has_off_cpu, "self", "self wall");
	columns[PERCENT].title = by_percent_title(profile->has_off_cpu, groups->by_cpu, "self %");
	columns[NAME].title = titles[groups->what->key];
	if (!profile->has_times && !strcmp(profile->unit, "ns"))
		columns[SELF_WEIGHT].unit = UNIT_NS;
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (!known_is(needs[i], profile, profile->has_samples))
			column_set_empty(&columns[i]);
	if (!profile->has_times && !profile->counts_calls)
		column_set_empty(&columns[CALLS]);
	sink->begin(sink->context, "groups", columns, COLUMN_COUNT);
}

static void set_times(struct cell *cells, const struct groups *groups, const struct group *group)
{
	const struct clock_map *clock = model_get_clock(groups->what->model);
	uint64_t self = clock_duration_ns(clock, group->self);
	struct off_cpu_parts parts = off_cpu_divide(self, off_cpu_round(clock, &group->off));

	cells[SELF].count = self;
	cells[SELF_CPU].count = parts.cpu;
	cells[SELF_WAITING].count = parts.waiting;
	cells[SELF_PREEMPTED].count = parts.preempted;
}

static void write_row(const struct groups *groups, const struct column *columns, const struct group *group, double percent,
	const struct table_sink *sink)
{
	struct cell cells[COLUMN_COUNT] = {
		[CALLS] = {.count = group->calls}, [SAMPLES] = {.count = group->samples}, [SELF_WEIGHT] = {.count = group->self}};

	if (groups->profile->has_times)
		set_times(cells, groups, group);
	for (int i = 0; i < COLUMN_COUNT; i++)
		cells[i].absent = columns[i].empty;
	cells[CALLS].absent |= !strcmp(group->name, WHOLE_OUTSIDE);
	cells[PERCENT] = (struct cell){.real = percent};
	cells[NAME] = (struct cell){.text = group->name};
	sink->row(sink->context, cells);
}

static void write(const struct groups *groups, const struct table_sink *sink)
{
	struct table_rest *rest = groups->what->rest;
	struct column columns[COLUMN_COUNT];
	double whole = groups->profile->has_times ? (double)whole_lost(groups->profile, groups->by_cpu) : 0;

	for (size_t i = 0; i < groups->count; i++)
		whole += (double)part_of(groups, &groups->list[i]);
	begin(groups, columns, sink);
	for (size_t i = 0; i < groups->count; i++) {
		double percent = whole > 0 ? 100 * (double)part_of(groups, &groups->list[i]) / whole : 0;

		if (i < groups->what->limit)
			write_row(groups, columns, &groups->list[i], percent, sink);
		else
			rest->percent += percent;
	}
	sink->end(sink->context);
	rest->rows = groups->what->limit < groups->count ? groups->count - groups->what->limit : 0;
	rest->of = by_self_title(groups->profile, groups->by_cpu);
}

bool analysis_groups(const struct analysis_groups *what, const struct table_sink *sink)
{
	struct groups groups = {.what = what, .profile = model_get_profile(what->model)};

	groups.by_cpu = groups.profile->has_times && by_is_cpu(what->by, groups.profile);
	if (what->key == GROUP_THREAD || what->key == GROUP_PROCESS)
		add_threads(&groups);
	else
		add_functions(&groups);
	add_outside(&groups);
	if (!groups.failed) {
		if (groups.count)
			qsort_r(groups.list, groups.count, sizeof *groups.list, compare, &groups);
		write(&groups, sink);
	}
	strings_clear(&groups.names);
	free(groups.list);
	return !groups.failed;
}
