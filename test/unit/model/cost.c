/* What recording cost, taken out of trees whose answer is worked out by hand, and of random ones, whose sums must agree; and facts
 * that tell it. */
#include "check.h"
#include "model/profile/cost.h"

#include <stdlib.h>

static struct profile *profile;

static void begin(uint32_t threads)
{
	profile = make_profile(NULL);
	profile->has_times = true;
	profile->threads = calloc(threads, sizeof *profile->threads);
	profile->thread_count = profile->thread_capacity = threads;
	for (uint32_t i = 0; i < threads; i++)
		profile->threads[i].stream = i;
}

/* Of its function. */
static bool is_outermost(uint32_t node)
{
	const struct tree_node *nodes = profile->tree.nodes;
	uint32_t at = nodes[node].parent;

	while (at != TREE_ROOT && nodes[at].function != nodes[node].function)
		at = nodes[at].parent;
	return at == TREE_ROOT;
}

/* Calls on a path, of a thread. */
static uint32_t path_of(uint32_t stream, uint32_t parent, uint32_t function, uint64_t calls, uint64_t total, uint64_t self)
{
	uint32_t node = tree_child(&profile->tree, parent, function);
	struct profile_function *row = profile_get_function(profile, function);
	struct profile_thread *thread = &profile->threads[stream];

	profile->tree.nodes[node].calls += calls;
	profile->tree.nodes[node].total += total;
	profile->tree.nodes[node].self += self;
	row->calls += calls;
	row->self += self;
	thread->self_ticks += self;
	profile->total += self;
	by_thread_add(&profile->by_thread,
		&(struct by_thread_row){stream, function, calls, 0, self, 0, is_outermost(node) ? calls : 0, 0});
	if (parent != TREE_ROOT)
		by_thread_add(&profile->by_thread,
			&(struct by_thread_row){stream, profile->tree.nodes[parent].function, 0, calls, 0, 0, 0, 0});
	for (uint32_t at = parent; at != TREE_ROOT; at = profile->tree.nodes[at].parent)
		if (is_outermost(at))
			by_thread_add(&profile->by_thread,
				&(struct by_thread_row){stream, profile->tree.nodes[at].function, 0, 0, 0, 0, 0, calls});
	return node;
}

static uint32_t path(uint32_t parent, uint32_t function, uint64_t calls, uint64_t total, uint64_t self)
{
	return path_of(0, parent, function, calls, total, self);
}

/* main calls a ten times, each a calls b three times, and b calls a once, which is recursion. Each event costs 8 to 24 ticks. */
TEST(worked_out_by_hand)
{
	const struct overhead overhead = {.is_known = true, .inner = {16, 8, 24}, .outer = {16, 8, 24}};
	const struct profile_function *main_, *a, *b;
	const struct tree_node *nodes;
	uint32_t outer, inner;

	begin(1);
	outer = path(TREE_ROOT, 0, 1, 100000, 40000);
	outer = path(outer, 1, 10, 60000, 9000);
	inner = path(outer, 2, 30, 51000, 1300);
	inner = path(inner, 1, 30, 49700, 49700);
	main_ = &profile->functions[0];
	a = &profile->functions[1];
	b = &profile->functions[2];
	profile->functions[0].total = 100000;
	profile->functions[1].total = 60000;
	profile->functions[2].total = 51000;
	CHECK(cost_make_net(profile, &overhead, 0));
	CHECK_EQ(main_->self, 40000 - 11 * 16);
	CHECK_EQ(a->self, 9000 + 49700 - 70 * 16);
	/* It was there for 1300 ticks: 60 events cost 480 to 1300. */
	CHECK_EQ(b->self, 1300 - 890);
	CHECK_EQ(main_->total, 100000 - 81 * 16 - 890);
	/* 60 calls in these, of which it is not known that half were b's: they cost as all but a did, 81 * 16 + 890 - 70 * 16 for
	 * 71 events. */
	CHECK_EQ(a->total, 60000 - 70 * 16 - 60 * 16 * (11 * 16 + 890) / (71 * 16));
	CHECK_EQ(b->total, 51000 - 30 * 16 - 890);
	CHECK_EQ(a->self_recording, 70 * 16);
	CHECK_EQ(b->total_recording, 30 * 16 + 890);
	CHECK_EQ(main_->self_error, 11 * 8);
	CHECK_EQ(b->self_error, 410);
	CHECK_EQ(main_->total_error, 81 * 8 + 410);
	/* Paths: what their own calls cost. */
	nodes = profile->tree.nodes;
	CHECK_EQ(nodes[outer].self, 9000 - 40 * 16);
	CHECK_EQ(nodes[inner].self, 49700 - 30 * 16);
	CHECK_EQ(nodes[outer].total, 60000 - 70 * 16 - 890);
	CHECK_EQ(profile->recording, 81 * 16 + 890);
	CHECK_EQ(profile->threads[0].recording_ticks, profile->recording);
	CHECK_EQ(profile->threads[0].self_ticks, 100000 - profile->recording);
	CHECK_EQ(profile->total, 100000 - profile->recording);
	free_profile(profile);
}

/* What a function does seldom is its own, however long it takes, and however many of its calls do nothing. */
TEST(seldom_and_long)
{
	const struct overhead overhead = {.is_known = true, .inner = {16, 8, 24}, .outer = {16, 8, 24}};
	const uint64_t self = 100000 * 20 + 500 * 1000000;

	begin(1);
	for (uint32_t id = 0; id < 6; id++) {
		path(TREE_ROOT, id, 100000, self, self);
		profile->functions[id].total = self;
	}
	CHECK(cost_make_net(profile, &overhead, 0));
	for (uint32_t id = 0; id < 6; id++) {
		CHECK_EQ(profile->functions[id].self, self - 16 * 100000);
		CHECK_EQ(profile->functions[id].self_error, 8 * 100000);
	}
	free_profile(profile);
}

/* Many threads with a function each, in an order that is not theirs. */
TEST(each_thread_has_its_own)
{
	const struct overhead overhead = {.is_known = true, .inner = {16, 8, 24}, .outer = {16, 8, 24}};

	begin(50);
	for (uint32_t i = 50; i--;)
		path_of(i * 7 % 50, TREE_ROOT, 0, 10 * (i * 7 % 50), 100, 100);
	profile->functions[0].total = 5000;
	CHECK(cost_make_net(profile, &overhead, 0));
	CHECK_EQ(profile->threads[0].recording_ticks, 0);
	CHECK_EQ(profile->threads[1].recording_ticks, (80 + 100) / 2);
	for (uint32_t i = 2; i < 50; i++)
		CHECK_EQ(profile->threads[i].recording_ticks, 100);
	free_profile(profile);
}

/* One call of which others were left out, and one that is too short to have made all of them. */
TEST(left_out)
{
	struct overhead overhead = {.is_known = true, .inner = {10, 5, 15}, .outer = {20, 10, 21}, .left_out = 100};
	const struct profile_function *caller, *brief;

	begin(1);
	path(TREE_ROOT, 0, 1, 100000, 100000);
	path(TREE_ROOT, 1, 1, 1010, 1010);
	profile->functions[0].total = 100000;
	profile->functions[1].total = 1010;
	CHECK(cost_make_net(profile, &overhead, 0));
	caller = &profile->functions[0];
	brief = &profile->functions[1];
	/* Nothing more is taken out; what 100 calls cost at the most may be in either, but not more than there is. */
	CHECK_EQ(caller->self, 100000 - 10);
	CHECK_EQ(caller->self_error, 5 + 100 * (15 + 21));
	CHECK_EQ(caller->total_error, 5 + 100 * (15 + 21));
	CHECK_EQ(brief->self, 1000);
	CHECK_EQ(brief->self_error, 5 + 1000);
	free_profile(profile);
}

/* Calls that were counted cost something, too: a quarter at the most. */
TEST(counted)
{
	const struct overhead overhead = {.is_known = true, .inner = {10, 5, 15}, .outer = {30, 29, 31}};

	begin(1);
	path(TREE_ROOT, 0, 1, 100000, 100000);
	profile->functions[0].total = 100000;
	CHECK(cost_make_net(profile, &overhead, 1000));
	CHECK_EQ(profile->functions[0].self, 100000 - 10);
	CHECK_EQ(profile->functions[0].self_error, 5 + 1000 * 10);
	CHECK_EQ(profile->functions[0].total_error, 5 + 1000 * 10);
	free_profile(profile);
}

/* Where a path took less than its calls cost, the rest is taken from the function's other paths; never more than there is on the
 * CPU. */
TEST(is_no_more_than_there_is)
{
	const struct overhead overhead = {.is_known = true, .inner = {10, 5, 12}, .outer = {20, 10, 24}};
	uint32_t main_, short_, long_;

	begin(1);
	main_ = path(TREE_ROOT, 0, 1, 10000, 100);
	short_ = path(main_, 1, 100, 50, 50);
	long_ = path(path(main_, 2, 1, 9850, 50), 1, 1, 9800, 9800);
	path(main_, 3, 1000, 0, 0);
	by_thread_add(&profile->by_thread, &(struct by_thread_row){0, 1, 0, 0, 0, 9000});
	profile->functions[0].total = 10000;
	profile->functions[1].total = 9850;
	profile->functions[2].total = 9850;
	profile->functions[1].self_off.ticks = 9000;
	CHECK(tree_add_off(&profile->tree, long_, NULL, &(struct off_cpu_ticks){.ticks = 9000}));
	CHECK(cost_make_net(profile, &overhead, 0));
	CHECK_EQ(profile->functions[0].self, 0);
	/* The function was on the CPU for 850, and 101 calls cost 505 to 1212. */
	CHECK_EQ(profile->functions[1].self, 9000 + 850 - (850 + 505) / 2);
	CHECK_EQ(profile->functions[1].self_error, 850 - 677);
	CHECK_EQ(profile->tree.nodes[short_].self, 0);
	CHECK_EQ(profile->tree.nodes[long_].self, 9850 - 677);
	CHECK_EQ(profile->functions[3].self, 0);
	CHECK_EQ(profile->threads[0].self_ticks, 9173 + 50 - (15 + 36) / 2); /* and 2 has made one */
	free_profile(profile);
}

static uint32_t random_below(uint32_t limit)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % limit;
}

/* Returns how much it took altogether. */
static uint64_t grow(uint32_t stream, uint32_t parent, uint32_t depth)
{
	uint32_t function = random_below(8), calls = 1 + random_below(1000), children = depth ? random_below(4) : 0;
	uint64_t self = random_below(40) * (uint64_t)calls, total = self;
	uint32_t node = path_of(stream, parent, function, calls, 0, self);

	for (uint32_t i = 0; i < children; i++)
		total += grow(stream, node, depth - 1);
	profile->tree.nodes[node].total += total;
	for (; parent != TREE_ROOT && profile->tree.nodes[parent].function != function; parent = profile->tree.nodes[parent].parent)
		;
	if (parent == TREE_ROOT)
		profile->functions[function].total += total;
	return total;
}

/* Whatever the tree: sums by function, path and thread are the same, and no caller has less than those it calls. */
TEST(sums_agree)
{
	const struct overhead overhead = {.is_known = true, .inner = {10, 8, 12}, .outer = {12, 11, 14}};

	for (int round = 0; round < 300; round++) {
		uint64_t elapsed[3] = {0}, functions = 0, nodes = 0, threads = 0, all = 0;
		struct tree *tree;

		begin(3);
		for (uint32_t stream = 0; stream < 3; stream++)
			elapsed[stream] = grow(stream, TREE_ROOT, 6);
		CHECK(cost_make_net(profile, &overhead, 0));
		tree = &profile->tree;
		for (uint32_t stream = 0; stream < 3; stream++) {
			CHECK_EQ(profile->threads[stream].self_ticks + profile->threads[stream].recording_ticks, elapsed[stream]);
			threads += profile->threads[stream].self_ticks;
			all += elapsed[stream];
		}
		for (size_t id = 0; id < profile->function_count; id++) {
			functions += profile->functions[id].self;
			CHECK(profile->functions[id].total >= profile->functions[id].self);
		}
		for (uint32_t at = TREE_ROOT; (at = tree_next(tree, at, TREE_ROOT)) != TREE_NONE;) {
			uint64_t below = tree->nodes[at].self;

			nodes += tree->nodes[at].self;
			for (uint32_t child = tree->nodes[at].first_child; child; child = tree->nodes[child].next_sibling)
				below += tree->nodes[child].total;
			CHECK_EQ(below, tree->nodes[at].total);
		}
		CHECK_EQ(functions, threads);
		CHECK_EQ(nodes, threads);
		CHECK_EQ(threads, profile->total);
		CHECK_EQ(threads + profile->recording, all);
		free_profile(profile);
	}
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
	overhead_add(&overhead, "overhead-hooks-", "inner 20.5 (20.0 to 22.0), outer 30.0 (29.0 to 31.0), ticks, measured 5 times");
	CHECK(!overhead.is_known);
	/* An old recording: of empty calls alone. */
	overhead_add(&overhead, "overhead-hooks", "inner 20.0 (18.0 to 22.0), outer 30.0 (30.0 to 30.0), ticks, measured 4 times");
	CHECK(overhead.is_known && overhead.measurements == 4);
	CHECK(overhead.inner.low == 10 && overhead.inner.ticks == 20 && overhead.inner.high == 30 && overhead.outer.high == 45);
	/* A mean of four is off by half of how far these are apart. */
	overhead_add(&overhead, "overhead-hooks-beside-work", "inner 12.0 (10.0 to 14.0), outer 20.0 (20.0 to 20.0), ticks, measured 4 times");
	CHECK(overhead.inner.low == 11 && overhead.inner.high == 21 && overhead.inner.ticks == 16 && overhead.outer.low == 20);
	overhead_add(&overhead, "overhead-hooks-evicted", "inner 25.0 (25.0 to 25.0), outer 28.0 (28.0 to 28.0), ticks, measured 4 times");
	CHECK(overhead.inner.low == 11 && overhead.inner.high == 25 && overhead.outer.low == 20 && overhead.outer.high == 30);
	/* Another way: nobody knows which calls arrived by which. */
	overhead_add(&overhead, "overhead-sites-beside-work", "inner 8.0 (8.0 to 8.0), outer 40.0 (40.0 to 40.0), ticks, measured 2 times");
	overhead_add(&overhead, "overhead-sites", "inner 10.0 (10.0 to 10.0), outer 40.0 (40.0 to 40.0), ticks, measured 2 times");
	CHECK(overhead.inner.low == 8 && overhead.inner.high == 25 && overhead.outer.high == 40 && overhead.measurements == 6);
	overhead_add(&overhead, "overhead-hooks", "inner 40.0 (40.0 to 40.0), outer 30.0 (30.0 to 30.0), ticks, measured 9 times"); /* later: instead */
	CHECK(overhead.inner.high == 40 && overhead.measurements == 11);
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
	RUN(seldom_and_long);
	RUN(each_thread_has_its_own);
	RUN(left_out);
	RUN(counted);
	RUN(is_no_more_than_there_is);
	RUN(sums_agree);
	RUN(facts);
	return tap_done();
}
