/* A program that first walks more paths than the tree keeps, and then works on one that is new: that must get a place of its
 * own. */
#include "check.h"
#include "feed.h"

#define OF_KIND 64u /* functions of the first phase: 64³ paths, eight times what there is room for */
#define LIMIT (1u << 15)
#define HOT_CALLS 100000u
#define HOT_OUTER (OF_KIND + 1)
#define HOT_INNER (OF_KIND + 2)

static void walk_all_paths(void)
{
	for (uint32_t a = 0; a < OF_KIND; a++)
		for (uint32_t b = 0; b < OF_KIND; b++)
			for (uint32_t c = 0; c < OF_KIND; c++) {
				feed(EVENT_ENTER, a);
				feed(EVENT_ENTER, b);
				feed(EVENT_ENTER, c);
				feed(EVENT_EXIT, c);
				feed(EVENT_EXIT, b);
				feed(EVENT_EXIT, a);
			}
}

/* One outermost call around everything, so that the tree is pruned while it is in use. */
static void make_profile_of_phases(struct diag *diag)
{
	struct model_options options = {.want_profile = true, .path_limit = LIMIT};
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true, .clock_bits = 64}};
	struct message thread = {.kind = MESSAGE_THREAD, .thread = {.place_kind = DWELL_PLACE_ADDRESS, .name = "main"}};

	now = 0;
	model = make_model(&options, diag);
	model_feed(model, &header);
	model_feed(model, &thread);
	feed(EVENT_ENTER, OF_KIND);
	walk_all_paths();
	for (uint32_t i = 0; i < HOT_CALLS; i++) {
		feed(EVENT_ENTER, HOT_OUTER);
		feed(EVENT_ENTER, HOT_INNER);
		feed(EVENT_EXIT, HOT_INNER);
		feed(EVENT_EXIT, HOT_OUTER);
	}
	feed(EVENT_EXIT, OF_KIND);
	model_finish(model);
}

/* What it took is its own, and what its callees and (other) have. */
static void check_sums(const struct tree *tree, uint32_t at)
{
	uint64_t sum = tree->nodes[at].self;

	for (uint32_t child = tree->nodes[at].first_child; child; child = tree->nodes[child].next_sibling)
		sum += tree->nodes[child].total;
	CHECK(at == tree->root || sum == tree->nodes[at].total);
	CHECK(!tree_is_other(tree, at) || !tree->nodes[at].first_child);
}

TEST(a_later_phase_gets_its_path)
{
	struct diag *diag = make_diag();
	const struct profile *profile;
	uint64_t self = 0, calls = 0, hot = 0, others = 0, own[OF_KIND + 3] = {0};

	make_profile_of_phases(diag);
	profile = model_get_profile(model);
	for (uint32_t at = TREE_ROOT; at < profile->tree.count; at++) {
		const struct tree_node *node = &profile->tree.nodes[at];

		self += node->self;
		calls += node->calls;
		others += tree_is_other(&profile->tree, at) ? node->calls : 0;
		check_sums(&profile->tree, at);
		/* None but the second phase's functions is called as often. */
		if (node->calls > hot)
			hot = node->calls;
	}
	CHECK(hot > HOT_CALLS * 3 / 4);
	CHECK_EQ(calls, 1 + 3ull * OF_KIND * OF_KIND * OF_KIND + 2ull * HOT_CALLS);
	CHECK_EQ(profile->tree.folded_calls, others);
	CHECK(others > 0);
	CHECK_EQ(self, profile->total);
	CHECK_EQ(self, now - 1);
	/* And of no function but what it did. */
	for (uint32_t at = TREE_ROOT; at < profile->tree.count; at++)
		if (!tree_is_other(&profile->tree, at) && at != profile->tree.root)
			own[profile->tree.nodes[at].function] += profile->tree.nodes[at].self;
	for (uint32_t id = 0; id < OF_KIND + 3; id++)
		CHECK(own[id] <= profile->functions[id].self);
	CHECK_EQ(own[HOT_INNER], profile->functions[HOT_INNER].self);
	free_model(model);
	free_diag(diag);
}

/* Calls of two functions in each other, each path another one: whoever is entered when there is no room has the larger part of the
 * rest ahead of it. */
static void walk_twice(uint32_t depth)
{
	for (uint32_t function = 1; function <= 2; function++) {
		feed(EVENT_ENTER, function);
		if (depth)
			walk_twice(depth - 1);
		feed(EVENT_EXIT, function);
	}
}

TEST(an_outer_call_has_its_path)
{
	struct model_options options = {.want_profile = true, .path_limit = LIMIT};
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true, .clock_bits = 64}};
	struct message thread = {.kind = MESSAGE_THREAD, .thread = {.place_kind = DWELL_PLACE_ADDRESS, .name = "main"}};
	struct diag *diag = make_diag();
	const struct tree *tree;
	uint32_t seen = 0;

	now = 0;
	model = make_model(&options, diag);
	model_feed(model, &header);
	model_feed(model, &thread);
	walk_twice(17); /* 2¹⁹ - 2 paths */
	model_finish(model);
	tree = &model_get_profile(model)->tree;
	for (uint32_t one = tree->nodes[tree->root].first_child; one; one = tree->nodes[one].next_sibling) {
		CHECK_EQ(tree->nodes[one].total, (UINT64_C(1) << 19) - 3);
		CHECK_EQ(tree->nodes[one].self, 3);
		for (uint32_t two = tree->nodes[one].first_child; two; two = tree->nodes[two].next_sibling, seen++)
			CHECK_EQ(tree->nodes[two].total, (UINT64_C(1) << 18) - 3);
	}
	CHECK_EQ(seen, 4);
	free_model(model);
	free_diag(diag);
}

int main(void)
{
	RUN(a_later_phase_gets_its_path);
	RUN(an_outer_call_has_its_path);
	return tap_done();
}
