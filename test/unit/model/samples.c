/* Samples become a profile: against a count by hand, and against one sample at a time, with recursion, deep stacks and unknown
 * places. */
#include "check.h"
#include "model/model.h"

#define DEEP 200000u

static struct model *make(struct diag *diag)
{
	const struct model_options options = {.want_profile = true};
	struct model *model = make_model(&options, diag);
	struct message message = {.kind = MESSAGE_SAMPLING,
		.sampling = {.engine = DWELL_ENGINE_TASK_CLOCK, .unit = DWELL_UNIT_NS, .period = 1000, .has_stacks = true}};

	model_feed(model, &message);
	return model;
}

static void feed(struct model *model, uint32_t stream, const struct message_node *nodes, uint32_t node_count,
	const struct message_sample *samples, uint32_t count)
{
	struct message message = {.kind = MESSAGE_SAMPLES,
		.samples = {.stream = stream, .nodes = nodes, .node_count = node_count, .samples = samples, .count = count}};

	model_feed(model, &message);
}

static const struct profile_function *find(const struct model *model, uint64_t address)
{
	uint32_t id = functions_find(model_get_functions(model), 0, (struct place){DWELL_PLACE_ADDRESS, address}, 0);

	return &model_get_profile(model)->functions[id];
}

/* main → f → f → g, main → g. Without modules each place is a function. */
TEST(paths_and_recursion)
{
	static const struct message_node nodes[] = {{0x101, 0, true, false}, {0x201, 1, true, false}, {0x201, 2, true, false},
		{0x300, 3, false, false}, {0x300, 1, false, false}};
	static const struct message_sample samples[] = {{10, 5, 4, DWELL_STACK_COMPLETE}, {20, 7, 4, DWELL_STACK_COMPLETE},
		{30, 11, 5, DWELL_STACK_COMPLETE}, {40, 13, 2, DWELL_STACK_TRUNCATED}, {50, 17, 0, DWELL_STACK_BROKEN}};
	struct diag *diag = make_diag();
	struct model *model = make(diag);
	const struct profile *profile = model_get_profile(model);
	uint64_t self = 0, nodes_self = 0;

	feed(model, 1, nodes, 5, samples, 5);
	model_finish(model);
	CHECK(profile->has_samples && !profile->has_times);
	CHECK_EQ(profile->total, 53);
	CHECK_EQ(find(model, 0x300)->self, 23);
	CHECK_EQ(find(model, 0x300)->total, 23);
	CHECK_EQ(find(model, 0x200)->self, 13);
	CHECK_EQ(find(model, 0x200)->total, 25);
	CHECK_EQ(find(model, 0x100)->self, 0);
	CHECK_EQ(find(model, 0x100)->total, 36);
	for (size_t i = 0; i < profile->function_count; i++)
		self += profile->functions[i].self;
	for (uint32_t i = TREE_ROOT; i < profile->tree.count; i++)
		nodes_self += profile->tree.nodes[i].self;
	CHECK_EQ(self, profile->total);
	CHECK_EQ(nodes_self, profile->total);
	CHECK_EQ(profile->thread_count, 1);
	CHECK_EQ(profile->threads[0].samples, 5);
	CHECK_EQ(profile->threads[0].sampled, 53);
	CHECK_EQ(profile->threads[0].first_ticks, 10);
	CHECK_EQ(profile->threads[0].last_ticks, 50);
	CHECK_EQ(profile->estimates.stacks[DWELL_STACK_COMPLETE], 3);
	CHECK_EQ(profile->estimates.stacks[DWELL_STACK_TRUNCATED], 1);
	CHECK_EQ(profile->estimates.stacks[DWELL_STACK_BROKEN], 1);
	free_model(model);
	free_diag(diag);
}

/* A hostile stack costs no more than its length. */
TEST(a_deep_stack)
{
	static struct message_node nodes[DEEP];
	static const struct message_sample sample = {10, 5, DEEP, DWELL_STACK_COMPLETE};
	struct diag *diag = make_diag();
	struct model *model = make(diag);

	for (uint32_t i = 0; i < DEEP; i++)
		nodes[i] = (struct message_node){i % 2 ? 0x200 : 0x100, i, false, false};
	feed(model, 1, nodes, DEEP, &sample, 1);
	model_finish(model);
	CHECK_EQ(find(model, 0x200)->self, 5);
	CHECK_EQ(find(model, 0x200)->total, 5);
	CHECK_EQ(find(model, 0x100)->total, 5);
	free_model(model);
	free_diag(diag);
}

/* Random chunks of many samples, against the same samples in chunks of their own with their own path each. */
TEST(many_at_once_and_one_by_one)
{
	enum { NODES = 300, SAMPLES = 2000, FUNCTIONS = 20 };
	static struct message_node nodes[NODES];
	static struct message_sample samples[SAMPLES];
	struct diag *diag = make_diag();
	struct model *together = make(diag), *apart = make(diag);
	uint64_t random = 12345;

	for (uint32_t i = 0; i < NODES; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		nodes[i] = (struct message_node){
			.address = 0x1000 + 0x10 * ((random >> 33) % FUNCTIONS), .caller = (uint32_t)(random >> 50) % (i + 1)};
	}
	for (uint32_t i = 0; i < SAMPLES; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		samples[i] = (struct message_sample){
			i, 1 + (random >> 60), (uint32_t)(random >> 40) % (NODES + 1), DWELL_STACK_COMPLETE};
	}
	feed(together, 1, nodes, NODES, samples, SAMPLES);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		struct message_node path[NODES];
		uint32_t chain[NODES], depth = 0;
		struct message_sample one = samples[i];

		for (uint32_t at = one.node; at; at = nodes[at - 1].caller)
			chain[depth++] = at - 1;
		for (uint32_t k = 0; k < depth; k++)
			path[k] = (struct message_node){nodes[chain[depth - 1 - k]].address, k, false, false};
		one.node = depth;
		feed(apart, 1, path, depth, &one, 1);
	}
	model_finish(together);
	model_finish(apart);
	CHECK_EQ(model_get_profile(together)->total, model_get_profile(apart)->total);
	for (uint64_t address = 0x1000; address < 0x1000 + 0x10 * FUNCTIONS; address += 0x10) {
		CHECK_EQ(find(together, address)->self, find(apart, address)->self);
		CHECK_EQ(find(together, address)->total, find(apart, address)->total);
	}
	free_model(together);
	free_model(apart);
	free_diag(diag);
}

int main(void)
{
	RUN(paths_and_recursion);
	RUN(a_deep_stack);
	RUN(many_at_once_and_one_by_one);
	return tap_done();
}
