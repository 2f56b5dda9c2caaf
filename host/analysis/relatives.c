/* relatives: walks the tree, adds up the calls of each caller or callee, and writes the rows. */
#include "analysis/relatives.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/unique_names.h"
#include "analysis/known.h"
#include "analysis/off_cpu_columns.h"

enum {
	NAME,
	CALLS,
	SAMPLES,
	TOTAL,
	TOTAL_CPU,
	TOTAL_WEIGHT, /* sums of something other than time */
	PERCENT,
	LOW,
	HIGH,
	SELF,
	SELF_CPU,
	WAITING, /* with PREEMPTED, for people: parts of self */
	PREEMPTED,
	TOTAL_FAULTS, /* with SELF_FAULTS, for people */
	SELF_FAULTS,
	SELF_WEIGHT,
	NAME_AT_END,
	OFF_CPU,
	COLUMN_COUNT = OFF_CPU + OFF_CPU_COLUMNS
};

static const struct column all_columns[OFF_CPU] = {
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME, .data_only = true},
	[CALLS] = {.key = "calls", .title = "calls", .unit = UNIT_COUNT},
	[SAMPLES] = {.key = "samples", .title = "samples", .unit = UNIT_COUNT},
	[TOTAL] = {.key = "total_ns", .title = "total", .unit = UNIT_NS},
	[TOTAL_CPU] = {.key = "total_cpu_ns", .title = "total cpu", .unit = UNIT_NS},
	[TOTAL_WEIGHT] = {.key = "total", .title = "total", .unit = UNIT_NS},
	[PERCENT] = {.key = "total_percent", .title = "total %", .unit = UNIT_PERCENT},
	[LOW] = {.key = "total_low", .title = "from", .unit = UNIT_PERCENT},
	[HIGH] = {.key = "total_high", .title = "to", .unit = UNIT_PERCENT},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS},
	[SELF_CPU] = {.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS},
	[SELF_WEIGHT] = {.key = "self", .title = "self", .unit = UNIT_NS},
	[NAME_AT_END] = {.key = "function", .title = "function", .unit = UNIT_NAME, .text_only = true},
};

/* A caller or a callee. */
struct relative {
	uint64_t calls, total, self;
	struct off_cpu_ticks total_off, self_off; /* the parts of total and self off the CPU */
	uint32_t open; /* number of its nodes on the path from the root to the present node: only the outermost adds to total */
	bool has_calls; /* at least one node counts for this row */
	bool is_timed; /* at least a part of the calls has recorded exits */
	struct unsure unsure;
};

struct walk {
	const struct analysis_relatives *what;
	const struct tree *tree;
	struct relative *relatives; /* index: function id + 1; [0] is the root */
	struct relative itself;     /* the function's own time; total only where it is outermost */
	bool by_cpu;
	bool is_part;  /* some paths may be hidden in (other) */
	bool is_twice; /* totals may count a time twice: only pairs are known, and one function may run inside another */
};

/* Whether the node has no calls of its own: it only stands for the caller of a function without recorded exits, or for the caller
 * in a pair. */
static bool is_stand_in(const struct profile *profile, const struct tree_node *node)
{
	return (profile->has_times || profile->has_pairs) && !node->calls && !node->total && !node->self;
}

/* The row that the node counts for; null: the node does not concern the function. */
static struct relative *relative_of(const struct walk *walk, uint32_t node)
{
	const struct tree_node *nodes = walk->tree->nodes;
	uint32_t function = nodes[node].function, caller = nodes[nodes[node].parent].function;

	if (is_stand_in(walk->what->profile, &nodes[node]))
		return NULL;
	if (walk->what->side == RELATIVES_CALLERS)
		return pattern_matches(walk->what->pattern, function) ? &walk->relatives[caller + 1u] : NULL;
	return pattern_matches(walk->what->pattern, caller) ? &walk->relatives[function + 1u] : NULL;
}

/* Adds a node to a row. */
static void count(const struct walk *walk, struct relative *relative, const struct tree_node *node)
{
	const struct unsure unsure = unsure_of(walk->what->profile, node->function);

	relative->has_calls = true;
	unsure_add(&relative->unsure, &unsure);
	relative->is_timed |= !profile_is_untimed(walk->what->profile, node->function) && !is_stand_in(walk->what->profile, node);
	relative->calls += node->calls;
	relative->self += node->self;
	profile_add_off_cpu(&relative->self_off, &tree_get_off(walk->tree, node)->self);
	if (relative->open++)
		return;
	relative->total += node->total;
	profile_add_off_cpu(&relative->total_off, &tree_get_off(walk->tree, node)->total);
}

static void enter(struct walk *walk, uint32_t node)
{
	struct relative *relative = relative_of(walk, node);

	if (relative)
		count(walk, relative, &walk->tree->nodes[node]);
	if (pattern_matches(walk->what->pattern, walk->tree->nodes[node].function))
		count(walk, &walk->itself, &walk->tree->nodes[node]);
}

static void leave(struct walk *walk, uint32_t node)
{
	struct relative *relative = relative_of(walk, node);

	if (relative)
		relative->open--;
	if (pattern_matches(walk->what->pattern, walk->tree->nodes[node].function))
		walk->itself.open--;
}

/* Enters and leaves all nodes in the order of a tree: a caller before its callees, and again after them. */
static void visit_all(struct walk *walk)
{
	const struct tree *tree = walk->tree;
	uint32_t node = tree->nodes[tree->root].first_child;

	while (node != TREE_NONE) {
		enter(walk, node);
		if (tree->nodes[node].first_child) {
			node = tree->nodes[node].first_child;
			continue;
		}
		for (;;) {
			leave(walk, node);
			if (tree->nodes[node].next_sibling) {
				node = tree->nodes[node].next_sibling;
				break;
			}
			node = tree->nodes[node].parent;
			if (node == tree->root)
				return;
		}
	}
}

/* Pairs of functions do not show which calls of the function are outermost, so total comes from the function's own sums. */
static void set_total(struct walk *walk)
{
	const struct analysis_sum sum = analysis_sum(walk->what->profile, walk->what->pattern);

	walk->is_part = !walk->what->profile->has_pairs && walk->tree->folded_calls;
	walk->is_twice = walk->what->profile->has_pairs && sum.functions > 1;
	if (!walk->what->profile->has_pairs)
		return;
	walk->itself.total = sum.total;
	walk->itself.total_off = sum.total_off;
}

/* The time for the order of rows. */
static uint64_t total_of(const struct walk *walk, const struct relative *relative)
{
	return walk->by_cpu ? profile_rest(relative->total, profile_off_cpu(&relative->total_off)) : relative->total;
}

static int by_falling_total(const void *a, const void *b, void *context)
{
	const struct relative *left = ((const struct named_row *)a)->row, *right = ((const struct named_row *)b)->row;
	const struct walk *walk = context;

	if (total_of(walk, left) != total_of(walk, right))
		return total_of(walk, left) < total_of(walk, right) ? 1 : -1;
	if (left->total != right->total)
		return left->total < right->total ? 1 : -1;
	if (left->calls != right->calls)
		return left->calls < right->calls ? 1 : -1;
	return strcmp(((const struct named_row *)a)->name, ((const struct named_row *)b)->name);
}

static const enum known needs[COLUMN_COUNT] = {
	[CALLS] = KNOWN_TIMES,
	[SAMPLES] = KNOWN_SHARES,
	[TOTAL] = KNOWN_TIMES,
	[TOTAL_CPU] = KNOWN_CPU,
	[TOTAL_WEIGHT] = KNOWN_WEIGHTS,
	[LOW] = KNOWN_SHARES,
	[HIGH] = KNOWN_SHARES,
	[SELF] = KNOWN_TIMES,
	[SELF_CPU] = KNOWN_CPU,
	[WAITING] = KNOWN_CPU,
	[PREEMPTED] = KNOWN_CPU,
	[TOTAL_FAULTS] = KNOWN_FAULTS,
	[SELF_FAULTS] = KNOWN_FAULTS,
	[SELF_WEIGHT] = KNOWN_WEIGHTS,
};

static bool is_empty(const struct walk *walk, int column)
{
	enum known need = column >= OFF_CPU ? off_cpu_needs(column - OFF_CPU) : needs[column];

	return !known_is(need, walk->what->profile, walk->what->shares);
}

static void write_share(
	const struct estimates *shares, uint32_t row, const struct relative *relative, struct cell cells[COLUMN_COUNT])
{
	struct estimate_share share = estimates_get_share(shares, row, (double)relative->total);

	cells[SAMPLES].count = row < shares->count ? shares->functions[row].samples : 0;
	cells[LOW].real = 100 * share.low;
	cells[HIGH].real = 100 * share.high;
}

static bool is_time(int column)
{
	return column != CALLS && column != SAMPLES && column != LOW && column != HIGH;
}

static void set_times(const struct relative *relative, const struct clock_map *clock, struct cell cells[COLUMN_COUNT])
{
	struct off_cpu_parts total, self;

	cells[TOTAL].count = clock_duration_ns(clock, relative->total);
	cells[SELF].count = clock_duration_ns(clock, relative->self);
	total = off_cpu_divide(cells[TOTAL].count, off_cpu_round(clock, &relative->total_off));
	self = off_cpu_divide(cells[SELF].count, off_cpu_round(clock, &relative->self_off));
	cells[TOTAL_CPU].count = total.cpu;
	cells[SELF_CPU].count = self.cpu;
	cells[WAITING].count = self.waiting;
	cells[PREEMPTED].count = self.preempted;
	off_cpu_set_cells(cells + OFF_CPU, &total, &self);
	memcpy(cells + TOTAL_FAULTS, cells + OFF_CPU + OFF_CPU_TOTAL_FAULTS, FAULT_COLUMNS * sizeof *cells);
}

static void write_row(
	const struct walk *walk, uint32_t id, const char *name, const struct relative *relative, const struct table_sink *sink)
{
	const struct analysis_relatives *what = walk->what;
	uint64_t whole = total_of(walk, &walk->itself);
	struct cell cells[COLUMN_COUNT] = {0};

	cells[NAME].text = cells[NAME_AT_END].text = name;
	cells[NAME].function = cells[NAME_AT_END].function = id + 1; /* FUNCTION_NONE + 1 is 0 */
	cells[CALLS].count = relative->calls;
	set_times(relative, what->clock, cells);
	cells[TOTAL_WEIGHT].count = relative->total;
	cells[PERCENT].real = whole ? 100.0 * (double)total_of(walk, relative) / (double)whole : 0;
	cells[SELF_WEIGHT].count = relative->self;
	cells[CALLS].unsure = cells[TOTAL_WEIGHT].unsure = cells[SELF_WEIGHT].unsure = walk->is_part;
	cells[TOTAL].unsure = relative->unsure.total || walk->is_part || walk->is_twice;
	cells[TOTAL_CPU].unsure = relative->unsure.total_cpu || walk->is_part || walk->is_twice;
	cells[SELF].unsure = relative->unsure.self || walk->is_part;
	cells[SELF_CPU].unsure = relative->unsure.self_cpu || walk->is_part;
	cells[WAITING].unsure = cells[PREEMPTED].unsure = relative->unsure.self_off || walk->is_part;
	for (int i = OFF_CPU; i < COLUMN_COUNT; i++)
		cells[i].unsure = i < OFF_CPU + OFF_CPU_SELF_WAITING ? relative->unsure.total_off || walk->is_part || walk->is_twice
								     : cells[WAITING].unsure;
	cells[TOTAL_FAULTS].unsure = cells[OFF_CPU + OFF_CPU_TOTAL_FAULTS].unsure = walk->is_part || walk->is_twice;
	cells[SELF_FAULTS].unsure = cells[OFF_CPU + OFF_CPU_SELF_FAULTS].unsure = walk->is_part;
	if (what->shares)
		write_share(what->shares, id + 1, relative, cells);
	for (int i = CALLS; i < COLUMN_COUNT; i++)
		if (i != NAME_AT_END)
			cells[i].absent = is_empty(walk, i) || (is_time(i) && !relative->is_timed);
	cells[CALLS].absent |= !relative->calls;
	sink->row(sink->context, cells);
}

/* A row for the calls whose paths found no room in the tree. Counters of calls (counts_calls) know no paths at all. */
static struct relative pathless(const struct walk *walk, const struct analysis_sum *sum)
{
	uint64_t known = walk->what->profile->counts_calls ? sum->calls : walk->itself.calls;

	return (struct relative){.calls = sum->calls > known ? sum->calls - known : 0, .is_timed = walk->itself.is_timed};
}

/* Sums up the rows beyond the limit. With recursion a time belongs to several rows, and they do not add up: then gives no
 * percentage. */
static void set_rest(const struct walk *walk, const struct named_row *rows, size_t row_count)
{
	struct table_rest *rest = walk->what->rest;
	uint64_t whole = total_of(walk, &walk->itself), all = 0, left = 0;

	for (size_t i = 0; i < row_count; i++) {
		all += total_of(walk, rows[i].row);
		left += i < walk->what->limit ? 0 : total_of(walk, rows[i].row);
	}
	rest->rows = row_count - walk->what->limit;
	if (!whole || all > whole)
		return;
	rest->percent = 100.0 * (double)left / (double)whole;
	rest->of = "the total";
}

static void write_rows(const struct walk *walk, struct named_row *rows, size_t row_count, const struct table_sink *sink)
{
	const struct profile *profile = walk->what->profile;
	const struct analysis_sum sum = analysis_sum(profile, walk->what->pattern);
	const struct relative rest = pathless(walk, &sum);
	struct column columns[COLUMN_COUNT];

	memcpy(columns, all_columns, sizeof all_columns);
	memcpy(columns + OFF_CPU, off_cpu_columns, sizeof off_cpu_columns);
	columns[WAITING] = off_cpu_for_people(OFF_CPU_SELF_WAITING, 5);
	columns[PREEMPTED] = off_cpu_for_people(OFF_CPU_SELF_PREEMPTED, 6);
	columns[WAITING].data_only = columns[PREEMPTED].data_only = walk->by_cpu;
	faults_for_people(columns + TOTAL_FAULTS, profile->has_faults, 5);
	columns[TOTAL].title = by_title(profile->has_off_cpu, "total", "total wall");
	columns[SELF].title = by_title(profile->has_off_cpu, "self", "self wall");
	columns[PERCENT].title = by_percent_title(profile->has_off_cpu, walk->by_cpu, "total %");
	columns[walk->by_cpu ? TOTAL : TOTAL_CPU].spare = 3;
	columns[walk->by_cpu ? SELF : SELF_CPU].spare = 4;
	columns[walk->by_cpu ? SELF_CPU : SELF].spare = 2;
	columns[SAMPLES].spare = 1;
	columns[walk->by_cpu ? TOTAL_CPU : TOTAL].is_order = true;
	if (!profile->has_times && strcmp(profile->unit, "ns"))
		columns[TOTAL_WEIGHT].unit = columns[SELF_WEIGHT].unit = UNIT_COUNT;
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (is_empty(walk, i))
			column_set_empty(&columns[i]);
	sink->begin(sink->context, walk->what->side == RELATIVES_CALLERS ? "callers" : "callees", columns, COLUMN_COUNT);
	for (size_t i = 0; i < row_count && i < walk->what->limit; i++)
		write_row(walk, rows[i].id, rows[i].name, rows[i].row, sink);
	if (walk->what->side == RELATIVES_CALLERS && rest.calls && walk->what->limit == UINT64_MAX)
		write_row(walk, FUNCTION_NONE, "(paths that were too many to be kept)", &rest, sink);
	sink->end(sink->context);
	if (walk->what->rest && walk->what->limit < row_count)
		set_rest(walk, rows, row_count);
}

bool analysis_relatives(const struct analysis_relatives *what, const struct table_sink *sink)
{
	size_t ids = functions_count(what->functions) + (size_t)1, row_count = 0;
	struct walk walk = {.what = what, .tree = &what->profile->tree, .relatives = calloc(ids, sizeof *walk.relatives),
		.by_cpu = by_is_cpu(what->by, what->profile)};
	struct named_row *rows = calloc(ids + 1, sizeof *rows);
	struct relative own;
	bool good = walk.relatives && rows;

	if (good) {
		visit_all(&walk);
		set_total(&walk);
		for (size_t i = 0; i < ids; i++)
			if (walk.relatives[i].has_calls)
				rows[row_count++] = (struct named_row){.id = i ? (uint32_t)(i - 1) : FUNCTION_NONE,
					.name = "(outermost)",
					.row = &walk.relatives[i]};
		if (what->side == RELATIVES_CALLEES && walk.itself.has_calls) {
			own = (struct relative){.total = walk.itself.self,
				.self = walk.itself.self,
				.total_off = walk.itself.self_off,
				.self_off = walk.itself.self_off,
				.is_timed = walk.itself.is_timed,
				.unsure = {.total = walk.itself.unsure.self,
					.total_off = walk.itself.unsure.self_off,
					.self_off = walk.itself.unsure.self_off,
					.total_cpu = walk.itself.unsure.self_cpu,
					.self = walk.itself.unsure.self,
					.self_cpu = walk.itself.unsure.self_cpu}};
			rows[row_count++] = (struct named_row){.id = FUNCTION_NONE, .name = "(itself)", .row = &own};
		}
		unique_names(what->functions, rows, row_count);
		if (row_count)
			qsort_r(rows, row_count, sizeof *rows, by_falling_total, &walk);
		write_rows(&walk, rows, row_count, sink);
		free_named_rows(rows, row_count);
	}
	free(rows);
	free(walk.relatives);
	return good;
}

struct analysis_sum analysis_sum(const struct profile *profile, struct pattern *pattern)
{
	struct analysis_sum sum = {0};
	struct unsure unsure;
	const struct tree *tree = &profile->tree;

	for (uint32_t id = 0; id < profile->function_count; id++) {
		const struct profile_function *function = &profile->functions[id];

		if ((!function->calls && !function->total && !function->self) || !pattern_matches(pattern, id))
			continue;
		unsure = unsure_of(profile, id);
		unsure_add(&sum.unsure, &unsure);
		sum.functions++;
		sum.calls += function->calls;
		sum.untimed_calls += function->untimed_calls;
		sum.self += function->self;
		sum.total += function->total;
		profile_add_off_cpu(&sum.self_off, &function->self_off);
		profile_add_off_cpu(&sum.total_off, &function->total_off);
	}
	if (sum.functions < 2)
		return sum;
	/* One of several functions may run inside another, and only paths show that. */
	if (profile->has_pairs) {
		sum.unsure.total = sum.unsure.total_cpu = true;
		return sum;
	}
	sum.total = 0;
	sum.total_off = (struct off_cpu_ticks){0};
	for (uint32_t node = tree_next(tree, tree->root, tree->root); node != TREE_NONE;) {
		if (!pattern_matches(pattern, tree->nodes[node].function)) {
			node = tree_next(tree, node, tree->root);
			continue;
		}
		sum.total += tree->nodes[node].total;
		profile_add_off_cpu(&sum.total_off, &tree_get_off(tree, &tree->nodes[node])->total);
		node = tree_next_beside(tree, node, tree->root);
	}
	return sum;
}
