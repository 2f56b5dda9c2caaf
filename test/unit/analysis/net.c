/* What recording cost, taken out of a tree whose answer is worked out by hand; and facts that tell it. */
#include "analysis/net.h"
#include "check.h"

static struct profile *profile;

static uint32_t path(uint32_t parent, uint32_t function, uint64_t calls, uint64_t total, uint64_t self)
{
	uint32_t node = tree_child(&profile->tree, parent, function);
	struct profile_function *row = profile_get_function(profile, function);

	profile->tree.nodes[node].calls = calls;
	profile->tree.nodes[node].total = total;
	profile->tree.nodes[node].self = self;
	row->calls += calls;
	row->self += self;
	return node;
}

/* main calls a ten times, each a calls b three times, and b calls a once, which is recursion. Inner 10, outer 20 ticks. */
TEST(worked_out_by_hand)
{
	const struct overhead overhead = {.is_known = true, .inner = {10, 8, 40}, .outer = {20, 19, 22}};
	struct net_function main_, a, b;
	struct net net;
	uint32_t node;

	profile = make_profile();
	node = path(TREE_ROOT, 0, 1, 100000, 40000);
	node = path(node, 1, 10, 60000, 9000);
	node = path(node, 2, 30, 51000, 1300);
	path(node, 1, 30, 49700, 49700);
	profile->functions[0].total = 100000;
	profile->functions[1].total = 60000;
	profile->functions[2].total = 51000;
	CHECK(net_begin(&net, profile, &overhead, 0));
	main_ = net_of(&net, &profile->functions[0], 0);
	a = net_of(&net, &profile->functions[1], 1);
	b = net_of(&net, &profile->functions[2], 2);
	CHECK_EQ(main_.self, 40000 - 1 * 10 - 10 * 20);
	CHECK_EQ(main_.total, 100000 - 1 * 10 - 70 * 30);
	CHECK_EQ(a.self, 9000 + 49700 - 40 * 10 - 30 * 20);
	CHECK_EQ(a.total, 60000 - 10 * 10 - 60 * 30);
	CHECK_EQ(b.self, 1300 - 30 * 10 - 30 * 20);
	CHECK_EQ(b.total, 51000 - 30 * 10 - 30 * 30);
	/* Half of the spread where that is more, else three quarters of the cost. */
	CHECK_EQ(main_.self_error, 1 * 16 + 10 * 15);
	CHECK_EQ(main_.total_error, 71 * 16 + 70 * 15);
	CHECK(!main_.mostly_probe && !a.mostly_probe && b.mostly_probe);
	/* All that there is off adds up: each call costs both, but the outermost one. */
	CHECK_EQ(100000 - main_.self - a.self - b.self, 71 * 10 + 70 * 20);
	net_end(&net);
	free_profile(profile);
}

/* One call of which others were left out, and one that is too short to have made all of them. */
TEST(left_out)
{
	struct overhead overhead = {.is_known = true, .inner = {10, 8, 12}, .outer = {20, 19, 21}, .left_out = 100};
	struct net_function caller, brief;
	struct net net;

	profile = make_profile();
	path(TREE_ROOT, 0, 1, 100000, 100000);
	path(TREE_ROOT, 1, 1, 1010, 1010);
	profile->functions[0].total = 100000;
	profile->functions[1].total = 1010;
	CHECK(net_begin(&net, profile, &overhead, 0));
	caller = net_of(&net, &profile->functions[0], 0);
	brief = net_of(&net, &profile->functions[1], 1);
	/* Nothing more is taken out; what 100 calls cost at the most may be in either, but not more than there is. */
	CHECK_EQ(caller.self, 100000 - 10);
	CHECK_EQ(caller.self_error, 7 + 100 * (10 + 20) * 7 / 4);
	CHECK_EQ(caller.total_error, 7 + 100 * (10 + 20) * 7 / 4);
	CHECK_EQ(brief.self, 1000);
	CHECK_EQ(brief.self_error, 7 + 1000);
	CHECK(!caller.mostly_probe && brief.mostly_probe);
	net_end(&net);
	free_profile(profile);
}

/* Calls that were counted cost something, too: a quarter at the most. */
TEST(counted)
{
	const struct overhead overhead = {.is_known = true, .inner = {10, 8, 12}, .outer = {30, 29, 31}};
	struct net_function caller;
	struct net net;

	profile = make_profile();
	path(TREE_ROOT, 0, 1, 100000, 100000);
	profile->functions[0].total = 100000;
	CHECK(net_begin(&net, profile, &overhead, 1000));
	caller = net_of(&net, &profile->functions[0], 0);
	CHECK_EQ(caller.self, 100000 - 10);
	CHECK_EQ(caller.self_error, 7 + 1000 * 10);
	CHECK_EQ(caller.total_error, 7 + 1000 * 10);
	CHECK(!caller.mostly_probe);
	net_end(&net);
	free_profile(profile);
}

TEST(facts)
{
	static const char *const nonsense[] = {"", "inner", "inner 1.0 (2.0 to 3.0), outer 1.0 (1.0 to 1.0), ticks, measured 1 times",
		"inner nan (0 to 1), outer 1.0 (1.0 to 1.0), ticks, measured 1 times",
		"inner 1.0 (1.0 to 1e30), outer 1.0 (1.0 to 1.0), ticks, measured 1 times"};
	struct overhead overhead = {0};

	for (unsigned i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
		overhead_add(&overhead, "overhead-hooks", nonsense[i]);
	overhead_add(&overhead, "in-step", "inner 20.5 (20.0 to 22.0), outer 30.0 (29.0 to 31.0), ticks, measured 5 times");
	CHECK(!overhead.is_known);
	overhead_add(&overhead, "overhead-hooks", "inner 20.5 (20.0 to 22.0), outer 30.0 (29.0 to 31.0), ticks, measured 5 times");
	CHECK(overhead.is_known && overhead.inner.ticks == 20.5 && overhead.outer.high == 31 && overhead.measurements == 5);
	overhead_add(&overhead, "overhead-sites", "inner 10.5 (10.0 to 12.0), outer 40.0 (39.0 to 41.0), ticks, measured 2 times");
	CHECK(overhead.inner.ticks == 15.5 && overhead.inner.low == 10 && overhead.inner.high == 22 && overhead.measurements == 7);
	CHECK_EQ(overhead.left_out, 0);
	overhead_add(&overhead, "overhead-left-out", "-1 calls, recorded and then left out");
	overhead_add(&overhead, "overhead-left-out", "many calls");
	CHECK_EQ(overhead.left_out, 0);
	overhead_add(&overhead, "overhead-left-out", "400 calls, recorded and then left out");
	overhead_add(&overhead, "overhead-left-out", "11 calls, recorded and then left out");
	CHECK_EQ(overhead.left_out, 411);
	CHECK(!*overhead.problem);
	overhead_add(&overhead, "overhead", "unknown");
	CHECK(!*overhead.problem);
	overhead_add(&overhead, "overhead", "not known: because");
	CHECK(!strcmp(overhead.problem, "because"));
}

int main(void)
{
	RUN(worked_out_by_hand);
	RUN(left_out);
	RUN(counted);
	RUN(facts);
	return tap_done();
}
