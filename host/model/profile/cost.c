#include "model/profile/cost.h"

#include <stdlib.h>

#define COST_TICKS_MAX 1e18
/* Errors are added up in whole parts of a tick: what several threads read is added in another order, and has to be the same. */
#define ERROR_PARTS 1024u

/* What each path costs. */
struct path_cost {
	double expected;  /* by its calls */
	uint64_t self;    /* taken out of its self time */
	uint64_t total;   /* with all below it */
	uint64_t error;   /* how far all below it may be off, in ERROR_PARTS */
};

struct function_cost {
	uint64_t ticks;   /* to be taken out of its paths … */
	uint64_t left;    /* … and what of that is not shared out yet */
	double room;      /* of its paths, all together; whole ticks */
	uint64_t calls, made; /* likewise: their calls, and those that they made */
	double expected;  /* what these cost */
	uint64_t error;   /* how far they may be off, in ERROR_PARTS, … */
	double pieces;    /* … and of how many pieces of its self time that is */
	uint32_t active;  /* paths of it between the root and where a walk is */
};

struct work {
	const struct overhead *overhead;
	struct function_cost *functions;
	size_t function_count;
	struct path_cost *paths; /* by node */
	uint32_t *nodes;         /* all but the root, in preorder */
	uint64_t *made;          /* calls that a path made, by node */
	uint32_t node_count;
	double long_part; /* of times, which interruptions are at the most */
};

static double spread_of(const struct overhead_part *part)
{
	double spread = (part->high - part->low) / 2, unseen = part->ticks * COST_UNSEEN;

	return spread > unseen ? spread : unseen;
}

/* ---- what a piece of self time costs ----
 *
 * Cut at its events, the self time of a function has calls + made pieces, and between two events the clock is read once. A processor goes
 * on with the program while it reads the clock: a piece that is longer than recording an event alone takes hides most of that, and what
 * of the program a piece hides that is not longer nobody can tell. So a piece costs from a sixth of what was measured, which is what the
 * instructions take that are no reading of the clock, to a little more than that; most likely half of it when it is long, and seven
 * eighths when nothing else is seen in it. Between these it falls steeply.
 *
 * Few pieces that are many times as long as the others are mostly none of the function's: they are interrupts, and the recorder's own
 * turns at the ends of its blocks. These meet many functions, so of each function's time as large a part is taken for them as of
 * others', and no more: what is beyond that is what the function does seldom. It may all be the function's, which is in how far its time
 * may be off. */
#define PIECES_MIN 100      /* of fewer the mean says nothing */
#define PIECES_TYPICAL 1000 /* of so many, less than one in … */
#define LONG_PART 100       /* … that is long is none of the function's */
#define LONG_FUNCTIONS_MIN 4 /* fewer functions do not tell what meets all alike, and then … */
#define LONG_FEW 0.05        /* … it is no more than that part of the time */
#define LONG_SPREAD 2        /* times what meets the function behind which are so many of all pieces: */
#define LONG_MOST 0.9        /* turns come at each so many events, which in a loop may always be the same function's */
#define COST_HIGH 1.08
#define COST_FALL 2 /* by so much for each tick that a piece is longer than what was measured */

struct piece {
	double ticks, low, high; /* that recording cost in each, on average */
	double length;           /* of one, without those that are none of the function's; on the CPU */
	double count;
	double interrupted;      /* ticks of those, all together */
};

static double least(double a, double b)
{
	return a < b ? a : b;
}

static double most(double a, double b)
{
	return a > b ? a : b;
}

static uint64_t room_in(const struct by_thread_row *row)
{
	return row->self <= INT64_MAX ? profile_rest(row->self, row->self_off) : 0; /* else of a broken file */
}

/* Whether some of its pieces are long, and so few of them that they tell nothing of the others. */
static bool is_typical(const struct by_thread_row *row)
{
	return row->calls + row->made >= PIECES_TYPICAL && row->long_pieces < (row->calls + row->made) / LONG_PART;
}

/* What its long pieces took on the CPU, as far as it is known. */
static uint64_t long_in(const struct by_thread_row *row)
{
	uint64_t ticks = row->long_ticks <= INT64_MAX ? profile_rest(row->long_ticks, row->self_off) : 0;

	return ticks < room_in(row) ? ticks : room_in(row);
}

struct long_part {
	double part, weight;
};

static int by_part(const void *a, const void *b)
{
	double x = ((const struct long_part *)a)->part, y = ((const struct long_part *)b)->part;

	return x < y ? -1 : x > y;
}

/* The part of their time that interruptions are at the most: by functions in order of it, each counted by its pieces. */
static double find_long_part(const struct by_thread *table)
{
	struct long_part *parts = malloc((table->count + 1) * sizeof *parts);
	double all = 0, so_far = 0, found = 0;
	size_t count = 0;

	for (size_t i = 0; parts && i < table->count; i++) {
		const struct by_thread_row *row = &table->rows[i];

		if (!is_typical(row) || !room_in(row))
			continue;
		parts[count] = (struct long_part){(double)long_in(row) / (double)room_in(row), (double)(row->calls + row->made)};
		all += parts[count++].weight;
	}
	if (count)
		qsort(parts, count, sizeof *parts, by_part);
	for (size_t i = 0; i < count && so_far < all * LONG_MOST; i++) {
		so_far += parts[i].weight;
		found = parts[i].part;
	}
	free(parts);
	return LONG_SPREAD * (count < LONG_FUNCTIONS_MIN && found > LONG_FEW ? LONG_FEW : found);
}

static struct piece piece_of(const struct work *work, const struct by_thread_row *row)
{
	const struct overhead *overhead = work->overhead;
	const double measured = (overhead->inner.ticks + overhead->outer.ticks) / 2;
	const double high = (overhead->inner.high + overhead->outer.high) / 2;
	uint64_t count = row->calls + row->made, length = room_in(row);
	struct piece piece = {.count = (double)count};

	if (!count)
		return piece;
	piece.length = (double)length / (double)count;
	if (is_typical(row)) {
		piece.interrupted = least((double)long_in(row), work->long_part * (double)length);
		piece.length = ((double)length - piece.interrupted) / (double)count;
	}
	piece.low = least(measured / 6, piece.length);
	if (count < PIECES_MIN) {
		piece.ticks = least(measured / 2, piece.length);
		piece.high = least(2 * measured, piece.length);
		return piece;
	}
	piece.ticks = measured * 7 / 8 - COST_FALL * most(0, piece.length - measured);
	piece.ticks = least(most(piece.ticks, measured / 2), piece.length);
	piece.high = least(most(measured * COST_HIGH, high), piece.length);
	return piece;
}

static uint64_t to_ticks(double ticks)
{
	return (uint64_t)(ticks < COST_TICKS_MAX ? ticks : COST_TICKS_MAX);
}

static uint64_t add_errors(uint64_t a, uint64_t b)
{
	return a + b < (uint64_t)COST_TICKS_MAX ? a + b : (uint64_t)COST_TICKS_MAX; /* neither is more than that */
}

double cost_left_out(const struct overhead *overhead)
{
	return (double)overhead->left_out * (overhead->inner.ticks + overhead->outer.ticks);
}

double cost_counted(const struct overhead *overhead, uint64_t counted)
{
	return (double)counted * COST_COUNTED * (overhead->inner.ticks + overhead->outer.ticks);
}

static double expect(const struct overhead *overhead, uint64_t calls, uint64_t made)
{
	return (double)calls * overhead->inner.ticks + (double)made * overhead->outer.ticks;
}

/* ---- threads and functions ---- */

static struct profile_thread *find_thread(struct profile *profile, uint32_t stream)
{
	for (size_t i = 0; i < profile->thread_count; i++)
		if (profile->threads[i].stream == stream)
			return &profile->threads[i];
	return NULL;
}

/* Of one function in one thread. */
static uint64_t cost_of(const struct work *work, const struct by_thread_row *row)
{
	struct piece piece = piece_of(work, row);

	return profile_rest(room_in(row), to_ticks(piece.count * (piece.length - piece.ticks)));
}

static double error_of(const struct work *work, const struct by_thread_row *row)
{
	struct piece piece = piece_of(work, row);

	return piece.count * most(piece.ticks - piece.low, piece.high - piece.ticks) + piece.interrupted;
}

static void take_from_functions(struct profile *profile, struct work *work)
{
	struct profile_thread *thread = NULL;

	for (size_t i = 0; i < profile->by_thread.count; i++) {
		const struct by_thread_row *row = &profile->by_thread.rows[i];
		struct profile_function *function;
		uint64_t ticks = cost_of(work, row);

		if (row->function >= profile->function_count)
			continue;
		function = &profile->functions[row->function];
		if (!thread || thread->stream != row->stream)
			thread = find_thread(profile, row->stream);
		function->self_error += to_ticks(error_of(work, row));
		work->functions[row->function].error =
			add_errors(work->functions[row->function].error, to_ticks(error_of(work, row) * ERROR_PARTS + 0.5));
		work->functions[row->function].pieces += (double)(row->calls + row->made);
		if (!thread || ticks > function->self || ticks > thread->self_ticks)
			continue;
		thread->self_ticks -= ticks;
		thread->recording_ticks += ticks;
		function->self -= ticks;
		function->self_recording += ticks;
		profile->total -= ticks;
		profile->recording += ticks;
		work->functions[row->function].ticks += ticks;
	}
}

/* ---- paths ---- */

static uint64_t room_of(const struct tree_node *node)
{
	return profile_rest(node->self, node->self_off);
}

/* Paths of calls whose exits gave them another name than they were entered with have none of their own in the profile: all in one. */
static struct function_cost *function_of(const struct work *work, const struct tree_node *node)
{
	return &work->functions[node->function < work->function_count ? node->function : work->function_count];
}

static void expect_paths(const struct tree *tree, struct work *work)
{
	for (uint32_t i = 0; i < work->node_count; i++) {
		const struct tree_node *node = &tree->nodes[work->nodes[i]];

		work->made[node->parent] += node->calls;
	}
	for (uint32_t i = 0; i < work->node_count; i++) {
		const struct tree_node *node = &tree->nodes[work->nodes[i]];
		struct path_cost *path = &work->paths[work->nodes[i]];
		struct function_cost *function = function_of(work, node);

		path->expected = expect(work->overhead, node->calls, work->made[work->nodes[i]]);
		if (function->pieces > 0)
			path->error = to_ticks(
				(double)(node->calls + work->made[work->nodes[i]]) * (double)function->error / function->pieces + 0.5);
		function->calls += node->calls;
		function->made += work->made[work->nodes[i]];
	}
	for (size_t id = 0; id <= work->function_count; id++)
		work->functions[id].expected = expect(work->overhead, work->functions[id].calls, work->functions[id].made);
}

/* So much more of the function's is this path's, as far as there is room. */
static void give(const struct tree_node *node, struct path_cost *path, struct function_cost *function, double ticks)
{
	uint64_t room = room_of(node) - path->self, given = to_ticks(ticks);

	given = given < room ? given : room;
	given = given < function->left ? given : function->left;
	path->self += given;
	function->left -= given;
}

/* First what its calls cost, then, where that was more than some path took, what is left where there is room. */
static void share_out(const struct tree *tree, struct work *work)
{
	for (uint32_t i = 0; i < work->node_count; i++) {
		const struct tree_node *node = &tree->nodes[work->nodes[i]];
		struct path_cost *path = &work->paths[work->nodes[i]];
		struct function_cost *function = function_of(work, node);

		if (function->expected > 0)
			give(node, path, function, path->expected * ((double)function->ticks / function->expected));
		function->room += (double)(room_of(node) - path->self);
	}
	for (size_t id = 0; id < work->function_count; id++)
		work->functions[id].expected = (double)work->functions[id].left;
	for (uint32_t i = 0; i < work->node_count; i++) {
		const struct tree_node *node = &tree->nodes[work->nodes[i]];
		struct path_cost *path = &work->paths[work->nodes[i]];
		struct function_cost *function = function_of(work, node);

		if (function->left && function->room > 0)
			give(node, path, function, function->expected * ((double)(room_of(node) - path->self) / function->room) + 1);
	}
}

/* What found no room on paths of its function, as these were too many to be kept: it is in the time of others that stand for them. */
static void share_out_rest(struct tree *tree, struct work *work)
{
	struct tree_node *root = &tree->nodes[tree->root];
	uint64_t left = 0, taken;

	for (size_t id = 0; id < work->function_count; id++)
		left += work->functions[id].left;
	taken = room_of(root) < left ? room_of(root) : left;
	root->self -= taken;
	left -= taken;
	for (uint32_t i = 0; left && i < work->node_count; i++) {
		struct path_cost *path = &work->paths[work->nodes[i]];
		uint64_t room = room_of(&tree->nodes[work->nodes[i]]) - path->self;

		taken = room < left ? room : left;
		path->self += taken;
		left -= taken;
	}
}

static uint64_t less(uint64_t ticks, uint64_t cost, uint64_t least)
{
	uint64_t rest = cost < ticks ? ticks - cost : 0;

	return rest > least ? rest : least < ticks ? least : ticks;
}

/* What is below a path, and out of its own times with it. */
static void take_from_paths(struct tree *tree, struct work *work)
{
	for (uint32_t i = work->node_count; i--;) {
		struct tree_node *node = &tree->nodes[work->nodes[i]];
		struct path_cost *path = &work->paths[work->nodes[i]];

		path->total += path->self;
		node->self -= path->self;
		node->total = less(node->total, path->total, node->self);
		work->paths[node->parent].total += path->total;
		work->paths[node->parent].error = add_errors(work->paths[node->parent].error, path->error);
	}
}

static bool walk(const struct tree *tree, struct work *work)
{
	work->node_count = 0;
	for (uint32_t node = tree_next(tree, tree->root, tree->root); node != TREE_NONE; node = tree_next(tree, node, tree->root)) {
		if (work->node_count == tree->count)
			return false;
		work->nodes[work->node_count++] = node;
	}
	return true;
}

static bool make_paths(const struct tree *tree, struct work *work)
{
	free(work->paths);
	free(work->nodes);
	free(work->made);
	work->paths = calloc(tree->count + 1, sizeof *work->paths);
	work->nodes = calloc(tree->count + 1, sizeof *work->nodes);
	work->made = calloc(tree->count + 1, sizeof *work->made);
	return work->paths && work->nodes && work->made && walk(tree, work);
}

/* pre: make_paths; functions[].ticks are what is to be taken. */
static void take_from_tree(struct tree *tree, struct work *work)
{
	for (size_t id = 0; id < work->function_count; id++) {
		struct function_cost *function = &work->functions[id];

		*function = (struct function_cost){
			.ticks = function->ticks, .left = function->ticks, .error = function->error, .pieces = function->pieces};
	}
	expect_paths(tree, work);
	share_out(tree, work);
	share_out_rest(tree, work);
	take_from_paths(tree, work);
}

/* ---- totals of functions ---- */

/* Of outermost calls, as a total is. */
static void take_from_totals(struct profile *profile, struct work *work)
{
	const struct tree *tree = &profile->tree;
	uint32_t last = tree->root;

	for (uint32_t i = 0; i < work->node_count; i++) {
		const struct tree_node *node = &tree->nodes[work->nodes[i]];
		const struct path_cost *path = &work->paths[work->nodes[i]];
		struct profile_function *function;

		for (; last != node->parent; last = tree->nodes[last].parent)
			function_of(work, &tree->nodes[last])->active--;
		last = work->nodes[i];
		if (function_of(work, node)->active++ || node->function >= profile->function_count)
			continue;
		function = &profile->functions[node->function];
		function->total_recording += path->total;
		function->total_error += path->error / ERROR_PARTS;
	}
	for (size_t id = 0; id < profile->function_count; id++) {
		struct profile_function *function = &profile->functions[id];
		uint64_t before = function->total;

		if (function->total_recording < function->self_recording && profile->tree.folded_calls)
			function->total_recording = function->self_recording;
		function->total = less(function->total, function->total_recording, function->self);
		function->total_recording = before - function->total;
	}
}

/* Calls that were left out may be anybody's; but a time is off by no more than all of it. */
static void widen_errors(struct profile *profile, const struct overhead *overhead, uint64_t counted)
{
	double left_out = cost_left_out(overhead) + cost_counted(overhead, counted) +
			  (double)overhead->left_out * (spread_of(&overhead->inner) + spread_of(&overhead->outer));
	uint64_t more = to_ticks(left_out);

	for (size_t id = 0; id < profile->function_count; id++) {
		struct profile_function *function = &profile->functions[id];

		function->self_error += more < function->self ? more : function->self;
		function->total_error += more < function->total ? more : function->total;
	}
}

/* ---- all of it ---- */

/* Each thread's own tree, by what was taken from its functions. */
static bool take_from_thread_trees(struct profile *profile, struct work *work)
{
	for (size_t i = 0; i < profile->thread_trees.count; i++) {
		struct thread_tree *own = &profile->thread_trees.list[i];

		for (size_t id = 0; id < work->function_count; id++)
			work->functions[id].ticks = 0;
		for (size_t row = 0; row < profile->by_thread.count; row++) {
			const struct by_thread_row *at = &profile->by_thread.rows[row];

			if (at->stream == own->stream && at->function < work->function_count)
				work->functions[at->function].ticks += cost_of(work, at);
		}
		if (!make_paths(&own->tree, work))
			return false;
		take_from_tree(&own->tree, work);
	}
	return true;
}

bool cost_take(struct profile *profile, const struct overhead *overhead, uint64_t counted)
{
	struct work work = {.overhead = overhead, .function_count = profile->function_count,
		.long_part = find_long_part(&profile->by_thread)};
	bool good;

	work.functions = calloc(profile->function_count + 1, sizeof *work.functions);
	good = work.functions && make_paths(&profile->tree, &work);
	if (good) {
		take_from_functions(profile, &work);
		take_from_tree(&profile->tree, &work);
		take_from_totals(profile, &work);
		widen_errors(profile, overhead, counted);
		profile->is_net = true;
		profile->net_is_rough = profile->tree.folded_calls != 0;
		good = take_from_thread_trees(profile, &work);
	}
	free(work.functions);
	free(work.paths);
	free(work.nodes);
	free(work.made);
	return good;
}
