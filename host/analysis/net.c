/* net: see net.h. */
#include "analysis/net.h"

#include <stdlib.h>

#define NET_TICKS_MAX 1e18

/* Walks up from where the walk was to the caller of the next node. */
static void leave(const struct tree *tree, uint32_t *active, uint32_t node, uint32_t parent)
{
	for (; node != parent; node = tree->nodes[node].parent)
		active[tree->nodes[node].function]--;
}

/* Calls at and below each node; nodes: all but the root, in preorder. */
static void sum_up(const struct tree *tree, const uint32_t *nodes, uint32_t count, uint64_t *below)
{
	for (uint32_t i = count; i--;) {
		below[nodes[i]] += tree->nodes[nodes[i]].calls;
		below[tree->nodes[nodes[i]].parent] += below[nodes[i]];
	}
}

static bool count(struct net *net, const struct profile *profile, uint32_t *nodes, uint64_t *below, uint32_t *active)
{
	const struct tree *tree = &profile->tree;
	uint32_t number = 0, last = tree->root;

	for (uint32_t node = tree_next(tree, tree->root, tree->root); node != TREE_NONE; node = tree_next(tree, node, tree->root))
		if (number < tree->count && tree->nodes[node].function < profile->function_count)
			nodes[number++] = node;
		else
			return false;
	sum_up(tree, nodes, number, below);
	for (uint32_t i = 0; i < number; i++) {
		const struct tree_node *node = &tree->nodes[nodes[i]];
		struct net_calls *calls = &net->calls[node->function];

		leave(tree, active, last, node->parent);
		if (node->parent != tree->root)
			net->calls[tree->nodes[node->parent].function].made += node->calls;
		if (!active[node->function]++) {
			calls->outermost += node->calls;
			calls->inside += below[nodes[i]] - node->calls;
		}
		last = nodes[i];
	}
	net->folded = tree->folded_calls != 0;
	return true;
}

bool net_begin(struct net *net, const struct profile *profile, const struct overhead *overhead, uint64_t counted)
{
	const struct tree *tree = &profile->tree;
	size_t functions = profile->function_count + 1, places = (size_t)tree->count + 2;
	uint32_t *nodes = calloc(places, sizeof *nodes), *active = calloc(functions, sizeof *active);
	uint64_t *below = calloc(tree->capacity + 2, sizeof *below);
	bool good;

	*net = (struct net){.overhead = *overhead, .counted = counted, .calls = calloc(functions, sizeof *net->calls)};
	good = nodes && active && below && net->calls && count(net, profile, nodes, below, active);
	free(nodes);
	free(active);
	free(below);
	if (!good)
		net_end(net);
	return good;
}

void net_end(struct net *net)
{
	free(net->calls);
	net->calls = NULL;
}

static double error_of(const struct overhead_part *part)
{
	double spread = (part->high - part->low) / 2, unseen = part->ticks * NET_UNSEEN;

	return spread > unseen ? spread : unseen;
}

static uint64_t less(uint64_t ticks, double cost)
{
	return cost < (double)ticks ? ticks - (uint64_t)cost : 0;
}

/* A time is off by no more than all of it. */
static uint64_t bounded(double ticks, uint64_t time)
{
	return ticks < (double)time ? (uint64_t)ticks : time;
}

static uint64_t errors(double measured, double left_out, uint64_t net)
{
	return (uint64_t)(measured < NET_TICKS_MAX ? measured : NET_TICKS_MAX) + bounded(left_out, net);
}

double net_left_out(const struct overhead *overhead)
{
	return (double)overhead->left_out * (overhead->inner.ticks + overhead->outer.ticks);
}

double net_counted(const struct net *net)
{
	return (double)net->counted * NET_COUNTED * (net->overhead.inner.ticks + net->overhead.outer.ticks);
}

struct net_function net_of(const struct net *net, const struct profile_function *function, uint32_t id)
{
	const struct net_calls *calls = &net->calls[id];
	const struct overhead_part *inner = &net->overhead.inner, *outer = &net->overhead.outer;
	double own = (double)(function->calls - function->untimed_calls), made = (double)calls->made, inside = (double)calls->inside;
	double self = own * inner->ticks + made * outer->ticks;
	double total = ((double)calls->outermost + inside) * inner->ticks + inside * outer->ticks;
	double left_out = net_left_out(&net->overhead) + (double)net->overhead.left_out * (error_of(inner) + error_of(outer)) +
			  net_counted(net);
	struct net_function result = {.self = less(function->self, self), .total = less(function->total, total)};

	result.self_error = errors(own * error_of(inner) + made * error_of(outer), left_out, result.self);
	result.total_error = errors(
		((double)calls->outermost + inside) * error_of(inner) + inside * error_of(outer), left_out, result.total);
	result.mostly_probe = (self + left_out) * 2 > (double)profile_rest(function->self, function->self_off.ticks);
	return result;
}
