/* cost_paths: divides each function's cost of recording among its paths. */
#include "model/profile/cost_paths.h"

#include <stdlib.h>

#include "model/profile/profile.h"

#define COST_TICKS_MAX 1e18

/* The cost of one path, by tree node. */
struct path {
	uint64_t expected;    /* from the number of calls, at most the path's time on the CPU */
	uint64_t made;        /* calls made by the path */
	uint64_t self, total; /* the cost to subtract, in ticks, from self and total of the node; total: with all paths below */
};

/* The sums over all paths of a function; and over the paths that share_out has passed. */
struct function_sums {
	uint64_t expected, room;
	uint64_t seen_expected, seen_room, given;
};

/* The state of one cost_take_from_tree. */
struct shares {
	struct tree *tree;
	const struct cost_function *costs;
	size_t function_count;
	struct function_sums *functions; /* parallel to costs */
	struct path *paths;            /* by node */
	uint32_t *nodes;               /* all nodes but the root, in preorder */
	uint32_t node_count;
};

uint64_t cost_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t cost_ticks(double ticks)
{
	return (uint64_t)(ticks < COST_TICKS_MAX ? ticks : COST_TICKS_MAX);
}

uint64_t cost_sum(uint64_t a, uint64_t b)
{
	return cost_min(a + b, (uint64_t)COST_TICKS_MAX);
}

uint64_t cost_share(uint64_t ticks, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)ticks * part / whole) : 0;
}

uint64_t cost_subtract(uint64_t ticks, uint64_t cost, uint64_t at_least)
{
	uint64_t rest = cost < ticks ? ticks - cost : 0;

	return rest > at_least ? rest : cost_min(at_least, ticks);
}

static uint64_t room_of(const struct tree *tree, const struct tree_node *node)
{
	return profile_rest(node->self, profile_off_cpu(&tree_get_off(tree, node)->self));
}

static size_t function_of(const struct shares *shares, const struct tree_node *node)
{
	return node->function < shares->function_count ? node->function : shares->function_count;
}

/* Computes the expected cost of each path, from its numbers of calls and of calls made, and the sums by function. */
static void expect_paths(struct shares *shares, const struct overhead *overhead)
{
	for (uint32_t i = 0; i < shares->node_count; i++) {
		const struct tree_node *node = &shares->tree->nodes[shares->nodes[i]];

		shares->paths[node->parent].made += node->calls;
	}
	for (uint32_t i = 0; i < shares->node_count; i++) {
		const struct tree_node *node = &shares->tree->nodes[shares->nodes[i]];
		struct path *path = &shares->paths[shares->nodes[i]];
		struct function_sums *function = &shares->functions[function_of(shares, node)];
		double events = (double)node->calls * overhead->inner.ticks + (double)path->made * overhead->outer.ticks;

		path->expected = cost_min(cost_ticks(events), room_of(shares->tree, node));
		function->expected += path->expected;
		function->room += room_of(shares->tree, node);
	}
	for (size_t id = 0; id < shares->function_count; id++) /* then calls are in (other): they count, too */
		if (shares->tree->folded_calls && shares->functions[id].expected < shares->costs[id].counted)
			shares->functions[id].expected = shares->costs[id].counted;
}

/* The path's share of the function's cost, in proportion to expected costs. If the cost exceeds all expected
 * costs, each path gets its expected cost, and the excess is divided in proportion to the remaining time.
 * Rounds running sums, so the shares add up exactly. */
static uint64_t path_share(uint64_t own_room, const struct path *path, struct function_sums *function, uint64_t ticks)
{
	uint64_t beyond = profile_rest(ticks, function->expected), room = profile_rest(function->room, function->expected);
	uint64_t before = function->given;

	function->seen_expected += path->expected;
	function->seen_room += own_room;
	function->given = cost_share(ticks - beyond, function->seen_expected, function->expected) +
			  cost_share(cost_min(beyond, room), function->seen_room - function->seen_expected, room);
	return function->given - before;
}

static void share_out(struct shares *shares)
{
	for (uint32_t i = 0; i < shares->node_count; i++) {
		const struct tree_node *node = &shares->tree->nodes[shares->nodes[i]];
		struct path *path = &shares->paths[shares->nodes[i]];
		size_t function = function_of(shares, node);

		path->self = path_share(
			room_of(shares->tree, node), path, &shares->functions[function], shares->costs[function].ticks);
	}
}

/* Divides ticks among the (other) nodes. Returns the rest. */
static uint64_t share_out_others(struct shares *shares, uint64_t ticks)
{
	const struct tree *tree = shares->tree;
	uint64_t room = 0, seen = 0, given = 0;

	for (uint32_t i = 0; tree->others && i < shares->node_count; i++)
		room += tree_is_other(tree, shares->nodes[i]) ? room_of(tree, &tree->nodes[shares->nodes[i]]) : 0;
	for (uint32_t i = 0; tree->others && i < shares->node_count; i++) {
		struct path *path = &shares->paths[shares->nodes[i]];

		if (!tree_is_other(tree, shares->nodes[i]))
			continue;
		seen += room_of(tree, &tree->nodes[shares->nodes[i]]);
		path->self = cost_share(cost_min(ticks, room), seen, room) - given;
		given += path->self;
	}
	return ticks - given;
}

/* Calls without a path are in (other), which gets their cost. If the time of (other) is too short, the rest is
 * subtracted from the root, and then from any other path. */
static void share_out_rest(struct shares *shares)
{
	struct tree_node *root = &shares->tree->nodes[shares->tree->root];
	uint64_t left = 0, taken;

	for (size_t id = 0; id < shares->function_count; id++)
		left += shares->costs[id].ticks - shares->functions[id].given;
	left = share_out_others(shares, left);
	taken = cost_min(room_of(shares->tree, root), left);
	root->self -= taken;
	left -= taken;
	for (uint32_t i = 0; left && i < shares->node_count; i++) {
		struct path *path = &shares->paths[shares->nodes[i]];

		taken = cost_min(room_of(shares->tree, &shares->tree->nodes[shares->nodes[i]]) - path->self, left);
		path->self += taken;
		left -= taken;
	}
}

/* Adds up each path's cost and the costs below, and subtracts them from self and total. */
static void take_from_paths(struct shares *shares)
{
	for (uint32_t i = shares->node_count; i--;) {
		struct tree_node *node = &shares->tree->nodes[shares->nodes[i]];
		struct path *path = &shares->paths[shares->nodes[i]];

		path->total = cost_sum(path->total, path->self);
		node->self -= path->self;
		node->total = cost_subtract(node->total, path->total, node->self);
		shares->paths[node->parent].total = cost_sum(shares->paths[node->parent].total, path->total);
	}
}

/* Lists all nodes but the root in preorder. False: the tree is damaged (a circle). */
static bool walk(struct shares *shares)
{
	const struct tree *tree = shares->tree;

	for (uint32_t node = tree_next(tree, tree->root, tree->root); node != TREE_NONE; node = tree_next(tree, node, tree->root)) {
		if (shares->node_count == tree->count)
			return false;
		shares->nodes[shares->node_count++] = node;
	}
	return true;
}

bool cost_take_from_tree(
	struct tree *tree, const struct overhead *overhead, const struct cost_function *functions, size_t function_count)
{
	struct shares shares = {.tree = tree, .costs = functions, .function_count = function_count};
	bool good;

	shares.functions = calloc(function_count + 1, sizeof *shares.functions);
	shares.paths = calloc(tree->count + 1, sizeof *shares.paths);
	shares.nodes = calloc(tree->count + 1, sizeof *shares.nodes);
	good = shares.functions && shares.paths && shares.nodes && tree_sort(tree, function_count) && walk(&shares);
	if (good) {
		expect_paths(&shares, overhead);
		share_out(&shares);
		share_out_rest(&shares);
		take_from_paths(&shares);
	}
	free(shares.functions);
	free(shares.paths);
	free(shares.nodes);
	return good;
}
