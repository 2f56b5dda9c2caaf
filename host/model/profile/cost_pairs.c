/* cost_pairs: divides each function's cost of recording among its pairs. */
#include "model/profile/cost_pairs.h"

#include <stdlib.h>

#include "model/profile/cost_paths.h"

/* Sums over all pairs with the same callee. Costs and times in ticks. */
struct sum {
	uint64_t calls;
	uint64_t by_calls;  /* the pairs' shares of the cost, in proportion to their calls */
	uint64_t room;      /* the pairs' time on the CPU beyond these shares */
	uint64_t seen_room; /* the part of room in the pairs that take() has passed */
	uint64_t more;      /* the cost that take() has subtracted from room so far */
};

/* The limit of the cost of a node: the self time certainly on the CPU. */
static uint64_t room_of(const struct tree *tree, const struct tree_node *node)
{
	return profile_rest(node->self, profile_off_cpu(&tree_get_off(tree, node)->self));
}

static uint64_t share_by_calls(const struct profile *profile, const struct sum *sum, const struct tree_node *node)
{
	uint64_t share = cost_share(profile->functions[node->function].self_recording, node->calls, sum->calls);

	return cost_min(share, room_of(&profile->tree, node));
}

/* The cost to subtract from the node's self: the share by calls, and a share of the cost beyond all shares by calls, in proportion
 * to room. Rounds running sums, so the shares add up exactly. */
static uint64_t pair_share(const struct profile *profile, struct sum *sum, const struct tree_node *node)
{
	uint64_t by_calls = share_by_calls(profile, sum, node), before = sum->more;
	uint64_t beyond = profile->functions[node->function].self_recording - sum->by_calls;

	sum->seen_room += room_of(&profile->tree, node) - by_calls;
	sum->more = cost_share(cost_min(beyond, sum->room), sum->seen_room, sum->room);
	return by_calls + sum->more - before;
}

static void take_from_pair(const struct profile *profile, struct sum *sum, struct tree_node *node)
{
	const struct profile_function *function = &profile->functions[node->function];
	uint64_t recorded = function->total + function->total_recording;
	uint64_t cost = cost_share(function->total_recording, cost_min(node->total, recorded), recorded);

	node->self -= pair_share(profile, sum, node);
	node->total = cost_subtract(node->total, cost, node->self);
}

/* Calls without a pair are in the (other) nodes, or in the root: subtracts their cost there. */
static void take_rest(struct profile *profile, const struct sum *sums)
{
	struct tree *tree = &profile->tree;
	uint64_t left = 0, taken;

	for (size_t id = 0; id < profile->function_count; id++)
		left += profile->functions[id].self_recording - sums[id].by_calls - sums[id].more;
	for (uint32_t at = TREE_ROOT; left && at < tree->count; at++) {
		struct tree_node *node = &tree->nodes[at];

		if (at != tree->root && !tree_is_other(tree, at))
			continue;
		taken = cost_min(room_of(tree, node), left);
		node->self -= taken;
		node->total -= cost_min(node->total, taken);
		left -= taken;
	}
}

bool cost_take_from_pairs(struct profile *profile)
{
	struct sum *sums = calloc(profile->function_count + 1, sizeof *sums);
	struct tree *tree = &profile->tree;

	if (!sums || !tree_sort(tree, profile->function_count)) {
		free(sums);
		return false;
	}
	for (int step = 0; step < 3; step++)
		for (uint32_t at = tree_next(tree, tree->root, tree->root); at != TREE_NONE; at = tree_next(tree, at, tree->root)) {
			struct tree_node *node = &tree->nodes[at];
			struct sum *sum = node->function < profile->function_count ? &sums[node->function] : NULL;

			if (!sum)
				continue;
			if (step == 0) {
				sum->calls += node->calls;
			} else if (step == 1) {
				sum->by_calls += share_by_calls(profile, sum, node);
				sum->room += room_of(&profile->tree, node) - share_by_calls(profile, sum, node);
			} else {
				take_from_pair(profile, sum, node);
			}
		}
	take_rest(profile, sums);
	free(sums);
	return true;
}
