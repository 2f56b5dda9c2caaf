/* core/paths: random calls against sums that the test keeps by itself, with memory that grows in the middle, with memory that is
 * too small, and emptied now and then. */
#include "core/paths.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { FUNCTIONS = 6, DEEP = 5, PATHS = 20000 };

/* A path by the numbers of its functions, innermost in the lowest digit: as many as there can be. */
struct truth {
	uint64_t calls, total, self;
};
static struct truth truth[PATHS];
static struct truth functions[FUNCTIONS];
static uint64_t shortest[FUNCTIONS], longest[FUNCTIONS], seed;
static struct dwell_frame frames[DEEP];
static uint32_t depth;
static uint64_t now;

static uint32_t pick(uint32_t count)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % count;
}

static uint32_t path_of(uint32_t count)
{
	uint32_t path = 0;

	for (uint32_t i = 0; i < count; i++)
		path = path * (FUNCTIONS + 1) + (uint32_t)frames[i].id;
	return path;
}

static void begin(void)
{
	memset(truth, 0, sizeof truth);
	memset(functions, 0, sizeof functions);
	memset(shortest, 0xff, sizeof shortest);
	memset(longest, 0, sizeof longest);
	seed = 1;
	depth = 0;
	now = 1000;
}

static void step(struct dwell_paths *paths)
{
	now += 1 + pick(200);
	if (!depth || (depth < DEEP && pick(2))) {
		frames[depth++] = (struct dwell_frame){.id = 1 + pick(FUNCTIONS), .enter_ticks = now};
		return;
	}
	const uint32_t path = path_of(depth);
	const struct dwell_frame *top = &frames[--depth];
	const uint64_t total = now - top->enter_ticks, self = total - top->child_ticks, function = top->id - 1;
	const struct dwell_call call = {top->id, top->enter_ticks, now, total, self, top->user, depth, 0};

	if (depth)
		frames[depth - 1].child_ticks += total;
	truth[path].calls++;
	truth[path].total += total;
	truth[path].self += self;
	functions[function].calls++;
	functions[function].self += self;
	shortest[function] = total < shortest[function] ? total : shortest[function];
	longest[function] = total > longest[function] ? total : longest[function];
	dwell_paths_add(paths, frames, depth, &call);
}

static uint32_t path_of_node(const struct dwell_paths *paths, uint32_t node)
{
	uint32_t above = paths->nodes[node].parent;

	return (above ? path_of_node(paths, above) * (FUNCTIONS + 1) : 0) +
	       (uint32_t)paths->functions[paths->nodes[node].function].place;
}

static uint64_t bucketed(const struct dwell_paths *paths, const struct dwell_path_function *function)
{
	uint64_t count = 0;

	for (uint32_t octave = 0; octave < DWELL_DURATION_OCTAVES; octave++)
		for (uint32_t at = 0; function->octaves[octave] && at < DWELL_DURATION_STEPS; at++)
			count += paths->octaves[function->octaves[octave] - 1][at];
	return count;
}

static void check_functions(const struct dwell_paths *paths)
{
	CHECK_EQ(paths->function_count, FUNCTIONS);
	for (uint32_t i = 0; i < paths->function_count; i++) {
		const struct dwell_path_function *function = &paths->functions[i];
		uint64_t which = function->place - 1, calls = function->folded_calls, self = function->folded_self_ticks;

		for (uint32_t node = 1; node < paths->node_count; node++) {
			calls += paths->nodes[node].function == i ? paths->nodes[node].calls : 0;
			self += paths->nodes[node].function == i ? paths->nodes[node].self_ticks : 0;
		}
		CHECK_EQ(calls, functions[which].calls);
		CHECK_EQ(self, functions[which].self);
		CHECK_EQ(function->durations, functions[which].calls);
		CHECK_EQ(function->min_ticks, shortest[which]);
		CHECK_EQ(function->max_ticks, longest[which]);
	}
}

TEST(is_what_was_called_while_it_grows)
{
	struct dwell_paths_size size = {4, 8, 2};
	struct dwell_paths paths;
	void *memory = malloc(dwell_paths_bytes(&size)), *larger;
	uint64_t calls = 0;

	begin();
	dwell_paths_init(&paths, memory, &size);
	for (uint32_t i = 0; i < 300000; i++) {
		/* A call may need a node for each that is open around it. */
		while (size.nodes - paths.node_count <= DEEP || paths.octave_count == size.octaves) {
			size.nodes *= 2;
			size.octaves *= 2;
			larger = malloc(dwell_paths_bytes(&size));
			dwell_paths_move(&paths, larger, &size);
			free(memory);
			memory = larger;
		}
		step(&paths);
	}
	CHECK(!paths.full && !paths.other_calls && !paths.unbinned);
	for (uint32_t node = 1; node < paths.node_count; node++) {
		const struct truth *of = &truth[path_of_node(&paths, node)];

		CHECK_EQ(paths.nodes[node].calls, of->calls);
		CHECK_EQ(paths.nodes[node].total_ticks, of->total);
		CHECK_EQ(paths.nodes[node].self_ticks, of->self);
		calls += of->calls;
	}
	for (uint32_t path = 0; path < PATHS; path++)
		calls -= truth[path].calls;
	CHECK_EQ(calls, 0);
	check_functions(&paths);
	for (uint32_t i = 0; i < paths.function_count; i++)
		CHECK_EQ(bucketed(&paths, &paths.functions[i]), paths.functions[i].durations);
	free(memory);
}

/* Paths that found no node are told with their function. */
TEST(too_few_nodes)
{
	static uint64_t memory[4096];
	const struct dwell_paths_size size = {16, 8, 8};
	struct dwell_paths paths;
	uint64_t folded = 0;

	CHECK(dwell_paths_bytes(&size) <= sizeof memory);
	begin();
	dwell_paths_init(&paths, memory, &size);
	for (uint32_t i = 0; i < 100000; i++)
		step(&paths);
	CHECK(paths.full);
	CHECK_EQ(paths.node_count, 16);
	check_functions(&paths);
	for (uint32_t i = 0; i < paths.function_count; i++)
		folded += paths.functions[i].folded_calls;
	CHECK(folded > 0);
}

TEST(too_few_functions)
{
	static uint64_t memory[4096];
	const struct dwell_paths_size size = {64, 2, 32};
	struct dwell_paths paths;
	uint64_t calls, self, want_calls = 0, want_self = 0;

	CHECK(dwell_paths_bytes(&size) <= sizeof memory);
	begin();
	dwell_paths_init(&paths, memory, &size);
	for (uint32_t i = 0; i < 100000; i++)
		step(&paths);
	calls = paths.other_calls;
	self = paths.other_ticks;
	for (uint32_t i = 0; i < paths.function_count; i++) {
		calls += paths.functions[i].folded_calls;
		self += paths.functions[i].folded_self_ticks;
	}
	for (uint32_t node = 1; node < paths.node_count; node++) {
		calls += paths.nodes[node].calls;
		self += paths.nodes[node].self_ticks;
	}
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		want_calls += functions[i].calls;
		want_self += functions[i].self;
	}
	CHECK_EQ(calls, want_calls);
	CHECK_EQ(self, want_self);
	CHECK(paths.other_calls > 0);
}

/* What frames remember is of the tree before. */
TEST(emptied_while_calls_are_open)
{
	const struct dwell_paths_size size = {32768, 8, 512};
	void *memory = malloc(dwell_paths_bytes(&size));
	struct dwell_paths paths;
	uint64_t calls = 0, self = 0, want_calls = 0, want_self = 0;

	begin();
	dwell_paths_init(&paths, memory, &size);
	for (uint32_t i = 0; i < 100000; i++) {
		step(&paths);
		if (i % 997 && i + 1 < 100000)
			continue;
		for (uint32_t node = 1; node < paths.node_count; node++) {
			calls += paths.nodes[node].calls;
			self += paths.nodes[node].self_ticks;
			CHECK(paths.nodes[node].parent < node);
		}
		dwell_paths_clear(&paths);
		CHECK_EQ(paths.node_count, 1);
	}
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		want_calls += functions[i].calls;
		want_self += functions[i].self;
	}
	CHECK_EQ(calls, want_calls);
	CHECK_EQ(self, want_self);
	free(memory);
}

TEST(buckets)
{
	uint32_t before = 0;

	for (uint64_t ticks = 0; ticks < 64; ticks++)
		CHECK_EQ(dwell_duration_bucket(ticks), ticks);
	for (uint64_t ticks = 1; ticks; ticks <<= 1) {
		CHECK(dwell_duration_bucket(ticks) >= before);
		CHECK(dwell_duration_bucket(ticks) > dwell_duration_bucket(ticks - 1) || !ticks);
		before = dwell_duration_bucket(ticks);
	}
	CHECK_EQ(dwell_duration_bucket(UINT64_MAX), DWELL_DURATION_BUCKETS - 1);
}

int main(void)
{
	RUN(is_what_was_called_while_it_grows);
	RUN(too_few_nodes);
	RUN(too_few_functions);
	RUN(emptied_while_calls_are_open);
	RUN(buckets);
	return tap_done();
}
