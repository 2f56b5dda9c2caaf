/* slowest_write: writes each slow call and its tree of callees as rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/unique_names.h"
#include "analysis/by.h"
#include "analysis/off_cpu_columns.h"
#include "analysis/calls/call_values.h"
#include "analysis/calls/slowest.h"
#include "analysis/calls/slowest_tree.h"
#include "analysis/calls/thread_label.h"
#include "util/array.h"

enum {
	RANK,
	THREAD,
	ENTER,
	DEPTH,
	NAME,
	CALLS,
	TOTAL,
	TOTAL_CPU,
	PERCENT,
	SELF,
	WAITING, /* with PREEMPTED, for people: parts of self */
	PREEMPTED,
	TOTAL_FAULTS, /* with SELF_FAULTS, for people */
	SELF_FAULTS,
	NAME_AT_END,
	ARG,
	SELF_CPU = ARG + CALL_VALUES_COLUMNS,
	OFF_CPU,
	COLUMN_COUNT = OFF_CPU + OFF_CPU_COLUMNS
};

static const struct column all_columns[ARG] = {
	[RANK] = {.key = "rank", .title = "rank", .unit = UNIT_COUNT, .data_only = true},
	[THREAD] = {.key = "thread", .title = "thread", .unit = UNIT_TEXT, .data_only = true},
	[ENTER] = {.key = "enter_ns", .title = "enter", .unit = UNIT_NS_SIGNED, .data_only = true},
	[DEPTH] = {.key = "depth", .title = "depth", .unit = UNIT_INDENT},
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME, .data_only = true},
	[CALLS] = {.key = "calls", .title = "calls", .unit = UNIT_COUNT},
	[TOTAL] = {.key = "total_ns", .title = "total", .unit = UNIT_NS},
	[TOTAL_CPU] = {.key = "total_cpu_ns", .title = "total cpu", .unit = UNIT_NS, .spare = 1},
	[PERCENT] = {.key = "total_percent", .title = "total %", .unit = UNIT_PERCENT, .text_only = true},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS},
	[NAME_AT_END] = {.key = "function", .title = "function", .unit = UNIT_NAME, .text_only = true},
};

/* A row to be written: a node, or all siblings that are too small for rows of their own. */
struct pending_row {
	uint32_t node; /* TREE_NONE: several small siblings */
	uint32_t depth, functions;
	uint64_t calls, total, self;
	struct off_cpu_ticks total_off, self_off;
};

struct walk {
	const struct slowest_form *form;
	const struct table_sink *sink;
	const struct slowest_call *slow;
	const struct tree *tree;
	size_t rank;
	struct functions *functions;
	struct unique_names *names;
	const struct clock_map *clock;
	bool off_cpu_unknown, is_partial, by_cpu;
	struct thread_label label;
	struct pending_row *stack; /* rows still to be written, the next one last */
	size_t count, capacity;
};

/* Returns total as a percentage of the slow call's total. If the calls are ranked by CPU time, returns the CPU time, total − off,
 * as a percentage of the slow call's CPU time. */
static double percent_of(const struct walk *walk, uint64_t total, const struct off_cpu_ticks *off)
{
	const struct call *call = &walk->slow->call;
	uint64_t whole = walk->by_cpu ? profile_rest(call->total_ticks, call->total_off.ticks) : call->total_ticks;
	uint64_t part = walk->by_cpu ? profile_rest(total, off->ticks) : total;

	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Returns the time by which rows are sorted: CPU time or total. */
static uint64_t order_of(const struct walk *walk, const struct pending_row *row)
{
	return walk->by_cpu ? profile_rest(row->total, row->total_off.ticks) : row->total;
}

static int by_rising_total(const void *a, const void *b, void *context)
{
	const struct pending_row *left = a, *right = b;
	const struct walk *walk = context;
	uint32_t left_function = walk->tree->nodes[left->node].function, right_function = walk->tree->nodes[right->node].function;
	int names;

	if (order_of(walk, left) != order_of(walk, right))
		return order_of(walk, left) < order_of(walk, right) ? -1 : 1;
	names = strcmp(functions_get_name(walk->functions, right_function), functions_get_name(walk->functions, left_function));
	return names ? names : right_function < left_function ? -1 : right_function > left_function;
}

static struct pending_row make_pending_row(const struct tree *tree, uint32_t node, uint32_t depth)
{
	const struct tree_node *nodes = tree->nodes;
	const struct tree_off *off = tree_get_off(tree, &nodes[node]);

	return (struct pending_row){
		.node = node, .depth = depth, .calls = nodes[node].calls, .total = nodes[node].total, .self = nodes[node].self,
		.total_off = off->total, .self_off = off->self};
}

/* Pushes the callees of a node, the callee with the largest total on top, the small callees together at the bottom. */
static bool push_callees(struct walk *walk, uint32_t node, uint32_t depth)
{
	const struct tree_node *nodes = walk->tree->nodes;
	struct pending_row small = {.node = TREE_NONE, .depth = depth}, only;
	size_t first = walk->count;

	if (depth > walk->form->depth_limit)
		return true;
	for (uint32_t child = nodes[node].first_child; child != TREE_NONE; child = nodes[child].next_sibling) {
		struct pending_row row = make_pending_row(walk->tree, child, depth);

		if (percent_of(walk, row.total, &row.total_off) < walk->form->percent_min) {
			only = row;
			small.functions++;
			small.calls += row.calls;
			small.total += row.total;
			profile_add_off_cpu(&small.total_off, &row.total_off);
			continue;
		}
		if (!array_reserve(&walk->stack, &walk->capacity, walk->count + 2, sizeof *walk->stack))
			return false;
		walk->stack[walk->count++] = row;
	}
	if (walk->count > first)
		qsort_r(walk->stack + first, walk->count - first, sizeof *walk->stack, by_rising_total, walk);
	if (!small.functions)
		return true;
	if (small.functions == 1) /* one small callee takes one row in any case, so that row shows its name */
		small = only;
	if (!array_reserve(&walk->stack, &walk->capacity, walk->count + 1, sizeof *walk->stack))
		return false;
	memmove(walk->stack + first + 1, walk->stack + first, (walk->count - first) * sizeof *walk->stack);
	walk->stack[first] = small;
	walk->count++;
	return true;
}

static bool is_time(int column)
{
	return (column >= TOTAL && column < NAME_AT_END) || column >= SELF_CPU;
}

static bool is_of_faults(int column)
{
	return column == TOTAL_FAULTS || column == SELF_FAULTS || column >= OFF_CPU + OFF_CPU_TOTAL_FAULTS;
}

static bool is_of_self(int column)
{
	if (is_of_faults(column))
		return column == SELF_FAULTS || column == OFF_CPU + OFF_CPU_SELF_FAULTS;
	return (column >= SELF && column <= PREEMPTED) || column == SELF_CPU || column >= OFF_CPU + OFF_CPU_SELF_WAITING;
}

static void set_times(const struct walk *walk, const struct pending_row *row, struct cell cells[COLUMN_COUNT])
{
	struct off_cpu_parts total, self;

	cells[TOTAL].count = clock_duration_ns(walk->clock, row->total);
	cells[PERCENT].real = percent_of(walk, row->total, &row->total_off);
	cells[SELF].count = clock_duration_ns(walk->clock, row->self);
	total = off_cpu_divide_call(cells[TOTAL].count, &row->total_off, walk->off_cpu_unknown, walk->clock);
	self = off_cpu_divide_call(cells[SELF].count, &row->self_off, walk->off_cpu_unknown, walk->clock);
	cells[TOTAL_CPU] = (struct cell){.count = total.cpu, .absent = total.is_undivided};
	cells[SELF_CPU] = (struct cell){.count = self.cpu, .absent = self.is_undivided};
	off_cpu_set_cells(cells + OFF_CPU, &total, &self);
	cells[WAITING] = cells[OFF_CPU + OFF_CPU_SELF_WAITING];
	cells[PREEMPTED] = cells[OFF_CPU + OFF_CPU_SELF_PREEMPTED];
	memcpy(cells + TOTAL_FAULTS, cells + OFF_CPU + OFF_CPU_TOTAL_FAULTS, FAULT_COLUMNS * sizeof *cells);
}

/* Whether the row has no such time. Several functions have no self time together: their total includes their callees. */
static bool lacks(const struct walk *walk, const struct pending_row *row, int column)
{
	bool is_counted_only = row->depth && !row->total && !row->self;

	if (is_of_faults(column) && !model_has_faults(walk->form->model))
		return true;
	return is_counted_only || (row->functions && is_of_self(column)) || (!is_of_faults(column) &&
	       (column != TOTAL && column != SELF && column != PERCENT && !model_has_switches(walk->form->model)));
}

static void write_row(const struct walk *walk, const struct pending_row *row, uint32_t function, const char *name)
{
	const struct call *call = &walk->slow->call;
	/* The call's beginning or end is unknown, so its times are lower bounds. */
	bool unsure = call->flags & (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP | DWELL_CALL_OPEN);
	struct cell cells[COLUMN_COUNT] = {0};

	cells[RANK].count = walk->rank + 1;
	cells[THREAD].text = walk->label.text;
	cells[ENTER].signed_count = clock_moment_ns(walk->clock, call->enter_ticks);
	cells[DEPTH].count = row->depth;
	cells[NAME].text = cells[NAME_AT_END].text = name;
	cells[NAME].function = cells[NAME_AT_END].function = function + 1; /* FUNCTION_NONE + 1 is 0 */
	cells[CALLS].count = row->calls;
	set_times(walk, row, cells);
	for (int i = TOTAL; i < COLUMN_COUNT; i++) {
		if (!is_time(i))
			continue;
		cells[i].step_ns = i == WAITING || i == PREEMPTED ? 0 : clock_step_ns(walk->clock);
		/* Missing events may belong to any callee of the call, or to the call itself. */
		cells[i].unsure = (row->depth ? walk->is_partial : unsure) || (is_of_self(i) && walk->is_partial);
		cells[i].absent |= lacks(walk, row, i);
	}
	cells[PERCENT].unsure = false;
	cells[CALLS].unsure = row->depth && walk->is_partial;
	if (walk->form->args)
		call_values_set(!row->depth && walk->slow->has_values ? &walk->slow->values : NULL, cells + ARG);
	else
		memmove(cells + ARG, cells + SELF_CPU, (COLUMN_COUNT - SELF_CPU) * sizeof *cells);
	walk->sink->row(walk->sink->context, cells);
}

static bool write_call(struct walk *walk)
{
	const struct call *call = &walk->slow->call;
	/* Direct callees that found no node left their time in the root's self. Such time counts as self time of the call
	 * (slowest.h). */
	const struct tree_node *root = &walk->tree->nodes[walk->tree->root];
	struct pending_row whole = {.calls = 1, .total = call->total_ticks, .total_off = call->total_off,
		.self = call->self_ticks + root->self, .self_off = call->self_off};
	char name[64];

	profile_add_off_cpu(&whole.self_off, &tree_get_off(walk->tree, root)->self);
	write_row(walk, &whole, call->function, unique_names_get(walk->names, walk->functions, call->function));
	if (!push_callees(walk, walk->tree->root, 1))
		return false;
	while (walk->count) {
		struct pending_row row = walk->stack[--walk->count];
		uint32_t function;

		if (row.node == TREE_NONE) {
			snprintf(name, sizeof name, "(%u other functions)", row.functions);
			write_row(walk, &row, FUNCTION_NONE, name);
			continue;
		}
		function = walk->tree->nodes[row.node].function;
		if (function == FUNCTION_OTHER)
			write_row(walk, &row, FUNCTION_NONE, functions_get_name(walk->functions, function));
		else
			write_row(walk, &row, function, unique_names_get(walk->names, walk->functions, function));
		if (!push_callees(walk, row.node, row.depth + 1))
			return false;
	}
	return true;
}

bool slowest_write(const struct slowest *slowest, const struct slowest_form *form, size_t first, size_t count,
	const struct table_sink *sink)
{
	struct unique_names names = {0};
	struct walk walk = {.form = form,
		.names = &names,
		.sink = sink,
		.by_cpu = slowest_is_by_cpu(slowest),
		.functions = model_get_functions(form->model),
		.clock = model_get_clock(form->model)};
	struct column columns[COLUMN_COUNT];
	bool good = true, has_off_cpu = model_has_switches(form->model), has_faults = model_has_faults(form->model);
	uint32_t behind = form->args ? SELF_CPU : ARG; /* the columns behind those of arguments */

	memcpy(columns, all_columns, sizeof all_columns);
	columns[WAITING] = off_cpu_for_people(OFF_CPU_SELF_WAITING, 2);
	columns[PREEMPTED] = off_cpu_for_people(OFF_CPU_SELF_PREEMPTED, 3);
	columns[WAITING].data_only = columns[PREEMPTED].data_only = !has_off_cpu || walk.by_cpu;
	faults_for_people(columns + TOTAL_FAULTS, has_faults, 2);
	columns[TOTAL].title = by_title(has_off_cpu, "total", "total wall");
	columns[SELF].title = by_title(has_off_cpu, "self", "self wall");
	columns[PERCENT].title = by_percent_title(has_off_cpu, walk.by_cpu, "total %");
	columns[TOTAL_CPU].data_only = !has_off_cpu;
	if (form->args)
		memcpy(columns + ARG, call_values_columns, sizeof call_values_columns);
	columns[behind] = (struct column){.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS, .data_only = true};
	memcpy(columns + behind + 1, off_cpu_columns, sizeof off_cpu_columns);
	for (int i = 0; i <= OFF_CPU_COLUMNS; i++)
		if (i > OFF_CPU_TOTAL_FAULTS ? !has_faults : !has_off_cpu)
			column_set_empty(&columns[behind + i]);
	sink->begin(sink->context, "slowest", columns, behind + COLUMN_COUNT - SELF_CPU);
	for (size_t rank = first; good && rank < first + count && rank < slowest_count(slowest); rank++) {
		uint32_t thread;

		walk.rank = rank;
		walk.slow = slowest_get(slowest, rank);
		walk.tree = &slowest_get_tree(slowest, rank)->tree;
		walk.off_cpu_unknown = walk.slow->call.off_cpu_unknown || walk.slow->call.total_off.unknown_ticks ||
				   slowest_get_tree(slowest, rank)->off_cpu_unknown;
		walk.is_partial = slowest_get_tree(slowest, rank)->is_partial;
		thread = model_find_thread(form->model, walk.slow->call.stream);
		walk.label = thread == UINT32_MAX ? (struct thread_label){"?"} : make_thread_label(form->model, thread);
		good = write_call(&walk);
	}
	sink->end(sink->context);
	free(walk.stack);
	unique_names_clear(&names);
	return good;
}
