/* Paths with a sum: those that say how much of them is the path before add up to what those do that are told from their
 * beginning; and a path may have more functions than there is room for. */
#include "check.h"
#include "model/model.h"

#define NAMES 7u
#define DEPTH 24u

static struct model *make(struct diag *diag)
{
	const struct model_options options = {.want_profile = true};

	return make_model(&options, diag);
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void feed(struct model *model, const char *const *names, uint32_t depth, uint32_t kept, uint64_t weight)
{
	const struct message message = {
		.kind = MESSAGE_WEIGHT, .weight = {.names = names, .depth = depth, .kept = kept, .weight = weight}};

	model_feed(model, &message);
}

/* The same walk of a tree in which functions call themselves, told in both ways. */
TEST(kept_or_not)
{
	static const char *const all[NAMES] = {"a", "b", "c", "d", "e", "f", "g"};
	struct diag *diag = make_diag();
	struct model *whole = make(diag), *short_ones = make(diag);
	const struct profile *one, *other;
	const char *names[DEPTH];
	uint32_t seed = 5, depth = 1, kept = 0;

	names[0] = all[0];
	for (int i = 0; i < 20000; i++) {
		uint32_t back = next(&seed) % (depth + 1), ahead = next(&seed) % 4;

		depth -= back;
		kept = depth < kept ? depth : kept;
		for (; ahead-- && depth < DEPTH; depth++)
			names[depth] = all[next(&seed) % NAMES];
		feed(whole, names, depth, 0, i % 3);
		feed(short_ones, names, depth, kept, i % 3);
		kept = depth;
	}
	model_finish(whole);
	model_finish(short_ones);
	one = model_get_profile(whole);
	other = model_get_profile(short_ones);
	CHECK_EQ(other->total, one->total);
	CHECK_EQ(other->function_count, NAMES);
	for (uint32_t id = 0; id < NAMES; id++) {
		CHECK_EQ(other->functions[id].self, one->functions[id].self);
		CHECK_EQ(other->functions[id].total, one->functions[id].total);
		CHECK(one->functions[id].total > one->functions[id].self && one->functions[id].total <= one->total);
	}
	CHECK_EQ(other->tree.count, one->tree.count);
	for (uint32_t node = TREE_ROOT; node < one->tree.count; node++) {
		CHECK_EQ(other->tree.nodes[node].function, one->tree.nodes[node].function);
		CHECK_EQ(other->tree.nodes[node].parent, one->tree.nodes[node].parent);
		CHECK_EQ(other->tree.nodes[node].self, one->tree.nodes[node].self);
		CHECK_EQ(other->tree.nodes[node].total, one->tree.nodes[node].total);
	}
	free_model(whole);
	free_model(short_ones);
	free_diag(diag);
}

/* More frames than the tree has nodes: it is pruned now and then, not at each; what is behind the last of them is its. */
TEST(deeper_than_the_tree)
{
	enum { LIMIT = 1 << 17, FRAMES = 3 * LIMIT };
	static const char *const all[] = {"a", "b"};
	const char **names = calloc(FRAMES, sizeof *names);
	struct diag *diag = make_diag();
	struct model *model = make_model(&(struct model_options){.want_profile = true, .path_limit = LIMIT}, diag);
	const struct profile *profile;
	uint64_t self = 0;

	for (uint32_t i = 0; i < FRAMES; i++)
		names[i] = all[i % 2];
	feed(model, names, FRAMES, 0, 5);
	feed(model, names, FRAMES, FRAMES - 1, 1);
	model_finish(model);
	profile = model_get_profile(model);
	CHECK_EQ(profile->total, 6);
	CHECK_EQ(profile->functions[0].total, 6);
	CHECK_EQ(profile->functions[1].total, 6);
	CHECK_EQ(profile->functions[1].self, 6);
	CHECK_EQ(profile->tree.count - profile->tree.others, LIMIT);
	for (uint32_t at = TREE_ROOT; at < profile->tree.count; at++) {
		CHECK(!profile->tree.nodes[at].self || tree_is_other(&profile->tree, at));
		self += profile->tree.nodes[at].self;
	}
	CHECK_EQ(self, 6);
	CHECK(profile->tree.folded_calls >= FRAMES - LIMIT);
	free_model(model);
	free_diag(diag);
	free(names);
}

int main(void)
{
	RUN(kept_or_not);
	RUN(deeper_than_the_tree);
	return tap_done();
}
