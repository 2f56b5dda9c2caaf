/* tree: walks the call tree in preorder, and writes a row for each path. For `dwell tree` and the page. */
#include "analysis/tree.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/known.h"
#include "analysis/off_cpu_columns.h"
#include "analysis/unsure.h"
#include "analysis/whole.h"

enum {
	DEPTH,
	NAME,
	CALLS,
	TOTAL,
	TOTAL_CPU,
	TOTAL_WEIGHT, /* sums of something other than time */
	PERCENT,
	SELF,
	SELF_CPU,
	WAITING, /* with PREEMPTED, for people: parts of self */
	PREEMPTED,
	TOTAL_FAULTS, /* with SELF_FAULTS, for people */
	SELF_FAULTS,
	SELF_WEIGHT,
	NAME_AT_END,
	OFF_CPU,
	COLUMN_COUNT = OFF_CPU + OFF_CPU_COLUMNS,
	PLACE_FILE = COLUMN_COUNT, /* only if what->places is set */
	PLACE_ADDRESS,
	CELL_COUNT
};

static const struct column all_columns[CELL_COUNT] = {
	[DEPTH] = {.key = "depth", .title = "depth", .unit = UNIT_INDENT},
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME, .data_only = true},
	[CALLS] = {.key = "calls", .title = "calls", .unit = UNIT_COUNT},
	[TOTAL] = {.key = "total_ns", .title = "total", .unit = UNIT_NS},
	[TOTAL_CPU] = {.key = "total_cpu_ns", .title = "total cpu", .unit = UNIT_NS},
	[TOTAL_WEIGHT] = {.key = "total", .title = "total", .unit = UNIT_NS},
	[PERCENT] = {.key = "total_percent", .title = "total %", .unit = UNIT_PERCENT, .text_only = true},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS},
	[SELF_CPU] = {.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS},
	[SELF_WEIGHT] = {.key = "self", .title = "self", .unit = UNIT_NS},
	[NAME_AT_END] = {.key = "function", .title = "function", .unit = UNIT_NAME, .text_only = true},
	[PLACE_FILE] = {.key = "file", .title = "file", .unit = UNIT_TEXT, .data_only = true},
	[PLACE_ADDRESS] = {.key = "address", .title = "address", .unit = UNIT_ADDRESS, .data_only = true},
};

/* The ticks of a function's paths that are written, for step_ns. */
struct written {
	uint64_t self;
	struct off_cpu_ticks self_off;
};

/* A node to be written, and its level. */
struct place_in_row {
	uint32_t node;
	uint32_t depth : 31;
	uint32_t is_part : 1; /* an (other) node may contain more of it */
};

struct walk {
	const struct analysis_tree *what;
	const struct tree *tree;
	const struct table_sink *sink;
	struct place_in_row *stack; /* nodes still to be written, the next one last; room for all nodes of the tree */
	size_t count;
	uint64_t whole; /* the total for percentages */
	struct column columns[CELL_COUNT];
	struct written *written; /* index: function id, and one more for no function; null: each path is rounded by itself */
	bool by_cpu;
};

static const enum known needs[CELL_COUNT] = {
	[CALLS] = KNOWN_TIMES,
	[TOTAL] = KNOWN_TIMES,
	[TOTAL_CPU] = KNOWN_CPU,
	[TOTAL_WEIGHT] = KNOWN_WEIGHTS,
	[SELF] = KNOWN_TIMES,
	[SELF_CPU] = KNOWN_CPU,
	[WAITING] = KNOWN_CPU,
	[PREEMPTED] = KNOWN_CPU,
	[TOTAL_FAULTS] = KNOWN_FAULTS,
	[SELF_FAULTS] = KNOWN_FAULTS,
	[SELF_WEIGHT] = KNOWN_WEIGHTS,
};

static bool is_known(const struct walk *walk, int column)
{
	return known_is(column >= OFF_CPU ? off_cpu_needs(column - OFF_CPU) : needs[column], walk->what->profile, false);
}

static void begin(struct walk *walk)
{
	const struct profile *profile = walk->what->profile;
	struct column *columns = walk->columns;

	memcpy(columns, all_columns, sizeof all_columns);
	memcpy(columns + OFF_CPU, off_cpu_columns, sizeof off_cpu_columns);
	columns[WAITING] = off_cpu_for_people(OFF_CPU_SELF_WAITING, 5);
	columns[PREEMPTED] = off_cpu_for_people(OFF_CPU_SELF_PREEMPTED, 6);
	columns[WAITING].data_only = columns[PREEMPTED].data_only = walk->by_cpu;
	faults_for_people(columns + TOTAL_FAULTS, profile->has_faults, 5);
	columns[TOTAL].title = by_title(profile->has_off_cpu, "total", "total wall");
	columns[SELF].title = by_title(profile->has_off_cpu, "self", "self wall");
	columns[PERCENT].title = by_percent_title(profile->has_off_cpu, walk->by_cpu, "total %");
	if (!profile->has_times && strcmp(profile->unit, "ns"))
		columns[TOTAL_WEIGHT].unit = columns[SELF_WEIGHT].unit = UNIT_COUNT;
	columns[walk->by_cpu ? TOTAL : TOTAL_CPU].spare = 3;
	columns[walk->by_cpu ? SELF : SELF_CPU].spare = 4;
	columns[walk->by_cpu ? SELF_CPU : SELF].spare = 1;
	columns[CALLS].spare = 2;
	columns[walk->by_cpu ? TOTAL_CPU : TOTAL].is_order = true;
	for (int i = TOTAL; profile->is_untimed && i <= SELF_WEIGHT; i++)
		columns[i].data_only = true;
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (!is_known(walk, i))
			column_set_empty(&columns[i]);
	walk->sink->begin(walk->sink->context, "tree", columns, walk->what->places ? CELL_COUNT : COLUMN_COUNT);
}

/* A function without recorded exits, or a node that only stands for the caller of such a function. */
static bool is_untimed(const struct walk *walk, const struct tree_node *node)
{
	return profile_is_untimed(walk->what->profile, node->function) ||
	       (walk->what->profile->has_times && !node->calls && !node->total && !node->self);
}

/* The time for the order of siblings. */
static uint64_t total_of(const struct walk *walk, const struct tree_node *node)
{
	return walk->by_cpu ? profile_rest(node->total, profile_off_cpu(&tree_get_off(walk->tree, node)->total)) : node->total;
}

static int by_rising_total(const void *a, const void *b, void *context)
{
	const struct walk *walk = context;
	const struct tree_node *nodes = walk->tree->nodes;
	const struct tree_node *left = &nodes[((const struct place_in_row *)a)->node];
	const struct tree_node *right = &nodes[((const struct place_in_row *)b)->node];
	int names;

	if (total_of(walk, left) != total_of(walk, right))
		return total_of(walk, left) < total_of(walk, right) ? -1 : 1;
	if (left->total != right->total)
		return left->total < right->total ? -1 : 1;
	if (left->calls != right->calls)
		return left->calls < right->calls ? -1 : 1;
	names = strcmp(functions_get_name(walk->what->functions, right->function),
		functions_get_name(walk->what->functions, left->function));
	return names ? names : right->function < left->function ? -1 : right->function > left->function;
}

static double percent_of(const struct walk *walk, uint64_t ticks)
{
	return walk->whole ? 100.0 * (double)ticks / (double)walk->whole : 0;
}

/* Pushes the children of a node, the child with the largest total on top. If a child is (other), the calls of any child and its
 * subtree may be counted there in part. */
static void push_children(struct walk *walk, uint32_t node, uint32_t depth, bool is_part)
{
	const struct tree_node *nodes = walk->tree->nodes;
	size_t first = walk->count;

	if (depth >= walk->what->depth_limit)
		return;
	for (uint32_t child = nodes[node].first_child; child != TREE_NONE && walk->tree->others; child = nodes[child].next_sibling)
		is_part |= tree_is_other(walk->tree, child);
	for (uint32_t child = nodes[node].first_child; child != TREE_NONE; child = nodes[child].next_sibling)
		if (percent_of(walk, total_of(walk, &nodes[child])) >= walk->what->percent_min || is_untimed(walk, &nodes[child]))
			walk->stack[walk->count++] =
				(struct place_in_row){child, depth, is_part && !tree_is_other(walk->tree, child)};
	if (walk->count > first)
		qsort_r(walk->stack + first, walk->count - first, sizeof *walk->stack, by_rising_total, walk);
}

/* Rounds one step of a sum so that the rounded steps add up to the rounded sum. */
static uint64_t step_ns(const struct clock_map *clock, uint64_t *sum, uint64_t ticks)
{
	uint64_t before = clock_duration_ns(clock, *sum);

	*sum += ticks;
	return clock_duration_ns(clock, *sum) - before;
}

/* is_root: what is in no path, whose total is its self. */
static void set_times(const struct walk *walk, const struct tree_node *node, bool is_root, struct cell cells[CELL_COUNT])
{
	const struct clock_map *clock = walk->what->clock;
	size_t count = walk->what->profile->function_count;
	struct written *written = walk->written ? &walk->written[node->function < count ? node->function : count] : NULL;
	const struct tree_off *off = tree_get_off(walk->tree, node);
	struct off_cpu_ns self_off =
		written ? off_cpu_round_step(clock, &written->self_off, &off->self) : off_cpu_round(clock, &off->self);
	struct off_cpu_parts total, self;

	cells[TOTAL].count = clock_duration_ns(clock, node->total);
	cells[SELF].count = written ? step_ns(clock, &written->self, node->self) : clock_duration_ns(clock, node->self);
	total = off_cpu_divide(cells[TOTAL].count, off_cpu_round(clock, is_root ? &off->self : &off->total));
	self = off_cpu_divide(cells[SELF].count, self_off);
	cells[TOTAL_CPU].count = total.cpu;
	cells[SELF_CPU].count = self.cpu;
	cells[WAITING].count = self.waiting;
	cells[PREEMPTED].count = self.preempted;
	off_cpu_set_cells(cells + OFF_CPU, &total, &self);
	memcpy(cells + TOTAL_FAULTS, cells + OFF_CPU + OFF_CPU_TOTAL_FAULTS, FAULT_COLUMNS * sizeof *cells);
}

static void set_place(const struct walk *walk, uint32_t function, struct cell cells[CELL_COUNT])
{
	struct function_place place;
	bool known = function != FUNCTION_NONE && functions_get_place(walk->what->functions, function, &place);

	cells[PLACE_FILE].text = known ? place.path : "";
	cells[PLACE_FILE].absent = !known;
	cells[PLACE_ADDRESS].count = known ? place.address : 0;
	cells[PLACE_ADDRESS].absent = !known;
}

static void write_row(const struct walk *walk, struct place_in_row at, const char *name, const struct tree_node *node)
{
	const struct analysis_tree *what = walk->what;
	bool untimed = is_untimed(walk, node);
	const struct unsure unsure = unsure_of(what->profile, node->function);
	struct cell cells[CELL_COUNT] = {0};

	cells[DEPTH].count = at.depth;
	cells[NAME].text = cells[NAME_AT_END].text = name;
	/* FUNCTION_OTHER is no function: 0 */
	cells[NAME].function = cells[NAME_AT_END].function = node->function == FUNCTION_OTHER ? 0 : node->function + 1;
	cells[CALLS].count = node->calls;
	cells[PERCENT].real = percent_of(walk, total_of(walk, node));
	if (what->profile->has_times)
		set_times(walk, node, at.node == walk->tree->root, cells);
	cells[TOTAL_WEIGHT].count = node->total;
	cells[SELF_WEIGHT].count = node->self;
	if (what->places)
		set_place(walk, node->function, cells);
	cells[CALLS].unsure = cells[TOTAL_WEIGHT].unsure = cells[SELF_WEIGHT].unsure = at.is_part;
	cells[TOTAL].unsure = unsure.total || at.is_part;
	cells[TOTAL_CPU].unsure = unsure.total_cpu || at.is_part;
	cells[SELF].unsure = unsure.self || at.is_part;
	cells[SELF_CPU].unsure = unsure.self_cpu || at.is_part;
	cells[WAITING].unsure = cells[PREEMPTED].unsure = unsure.self_off || at.is_part;
	for (int i = OFF_CPU; i < COLUMN_COUNT; i++)
		cells[i].unsure = at.is_part || (i < OFF_CPU + OFF_CPU_SELF_WAITING ? unsure.total_off
						       : i < OFF_CPU + OFF_CPU_TOTAL_FAULTS && unsure.self_off);
	cells[TOTAL_FAULTS].unsure = cells[SELF_FAULTS].unsure = at.is_part;
	for (int i = CALLS; i < COLUMN_COUNT; i++)
		if (i != NAME_AT_END)
			cells[i].absent = !is_known(walk, i) || (untimed && (i != CALLS || !node->calls));
	walk->sink->row(walk->sink->context, cells);
}

static uint64_t self_of(const struct walk *walk, const struct tree_node *node)
{
	return walk->by_cpu ? profile_rest(node->self, profile_off_cpu(&tree_get_off(walk->tree, node)->self)) : node->self;
}

/* Continues the walk without writing, and sums up the rows left out. */
static void add_rest(struct walk *walk, struct table_rest *rest)
{
	const struct tree *tree = walk->tree;
	double part = 0, whole = (double)self_of(walk, &tree->nodes[tree->root]);

	for (; walk->count; rest->rows++) {
		struct place_in_row at = walk->stack[--walk->count];

		part += (double)self_of(walk, &tree->nodes[at.node]);
		push_children(walk, at.node, at.depth + 1, false);
	}
	for (uint32_t node = tree_next(tree, tree->root, tree->root); node != TREE_NONE; node = tree_next(tree, node, tree->root))
		whole += (double)self_of(walk, &tree->nodes[node]);
	if (whole <= 0 || walk->what->profile->is_untimed)
		return;
	rest->percent = 100 * part / whole;
	rest->of = by_self_title(walk->what->profile, walk->by_cpu);
}

bool analysis_tree(const struct analysis_tree *what, const struct table_sink *sink)
{
	const struct tree *tree = what->tree ? what->tree : &what->profile->tree;
	struct walk walk = {.what = what,
		.tree = tree,
		.sink = sink,
		.stack = malloc(tree->count * sizeof *walk.stack),
		.by_cpu = by_is_cpu(what->by, what->profile)};
	uint64_t rows = 0;

	if (what->sums)
		walk.written = calloc(what->profile->function_count + 1, sizeof *walk.written);
	if (!walk.stack || (what->sums && !walk.written)) {
		free(walk.stack);
		free(walk.written);
		return false;
	}
	walk.whole = what->whole ? what->whole : whole_of(what->profile, walk.by_cpu);
	begin(&walk);
	if (tree->nodes[tree->root].self && rows < what->limit) {
		const struct tree_node *root = &tree->nodes[tree->root];
		struct tree_node rest = {.function = FUNCTION_NONE,
			.total = root->self,
			.self = root->self,
			.off = root->off};

		write_row(&walk, (struct place_in_row){tree->root, 0, false}, "(other)", &rest);
		rows++;
	}
	push_children(&walk, tree->root, 0, false);
	for (; walk.count && rows < what->limit; rows++) {
		struct place_in_row at = walk.stack[--walk.count];
		const struct tree_node *node = &tree->nodes[at.node];

		write_row(&walk, at, functions_get_name(what->functions, node->function), node);
		push_children(&walk, at.node, at.depth + 1, at.is_part);
	}
	sink->end(sink->context);
	if (what->rest && walk.count)
		add_rest(&walk, what->rest);
	free(walk.stack);
	free(walk.written);
	return true;
}
