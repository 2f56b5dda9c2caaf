/* Samples in functions that were put into others become functions of their own: against what the source says of each address, by
 * labels in it, and with random stacks against a count by hand. */
#include "check.h"

#include "../symbol/programs.h"
#include "model/model.h"

#define BIAS UINT64_C(0x7f0000000000)

/* main calls outer, and two ways lead to it; outer has middle in it, that has leaf, which is in outer alone, too. */
static const char source[] = "#define HERE(name) __asm__ volatile(\"at_\" name \": nop\" ::: \"memory\")\n"
			     "#define INLINE static inline __attribute__((always_inline))\n"
			     "INLINE void leaf(int in_middle) { if (in_middle) HERE(\"leaf_in_middle\"); else HERE(\"leaf\"); }\n"
			     "INLINE void middle(void) { HERE(\"middle\"); leaf(1); }\n"
			     "__attribute__((noinline)) void outer(void) { HERE(\"outer\"); middle(); leaf(0); }\n"
			     "__attribute__((noinline)) void leaf_of_all(void) { HERE(\"all\"); }\n"
			     "int main(void) { outer(); leaf_of_all(); return 0; }\n";

enum { OUTER, MIDDLE, LEAF_IN_MIDDLE, LEAF, ALL, LABELS };
static const char *const labels[LABELS] = {"at_outer", "at_middle", "at_leaf_in_middle", "at_leaf", "at_all"};
static uint64_t addresses[LABELS];

static bool make_program(const char *options)
{
	unsigned long long address;
	char line[512], name[256];
	FILE *nm;

	if (!write_file("a.c", source, strlen(source)) ||
		!run_shell("gcc -O2 %s -w a.c -o program && nm program > labels", options) ||
		!(nm = fopen(get_path("labels"), "r")))
		return false;
	while (fgets(line, sizeof line, nm))
		for (int i = 0; i < LABELS; i++)
			if (sscanf(line, "%llx %*c %255s", &address, name) == 2 && !strcmp(name, labels[i]))
				addresses[i] = BIAS + address;
	fclose(nm);
	return addresses[OUTER] && addresses[MIDDLE] && addresses[LEAF_IN_MIDDLE] && addresses[LEAF] && addresses[ALL];
}

static struct model *make(bool inlines, struct diag *diag)
{
	const struct model_options options = {.want_profile = true, .inlines = inlines};
	struct model *model = make_model(&options, diag);
	struct message module = {.kind = MESSAGE_MODULE,
		.module = {.low = BIAS, .high = BIAS + 0x10000000, .bias = BIAS, .path = get_path("program")}};

	model_feed(model, &module);
	return model;
}

static void feed(struct model *model, const struct message_node *nodes, uint32_t node_count, const struct message_sample *samples,
	uint32_t count)
{
	struct message message = {
		.kind = MESSAGE_SAMPLES, .samples = {.nodes = nodes, .node_count = node_count, .samples = samples, .count = count}};

	model_feed(model, &message);
}

static uint32_t find(const struct model *model, const char *name)
{
	struct functions *functions = model_get_functions(model);

	for (uint32_t id = 0; id < functions_count(functions); id++)
		if (!strcmp(functions_get_name(functions, id), name))
			return id;
	return FUNCTION_NONE;
}

static void check(const struct model *model, const char *name, uint64_t self, uint64_t total, uint64_t samples)
{
	const struct profile *profile = model_get_profile(model);
	uint32_t id = find(model, name);

	if (id == FUNCTION_NONE)
		printf("# no %s\n", name);
	CHECK(id != FUNCTION_NONE);
	if (id == FUNCTION_NONE)
		return;
	CHECK_EQ(profile->functions[id].self, self);
	CHECK_EQ(profile->functions[id].total, total);
	CHECK_EQ(id < profile->estimates.count ? profile->estimates.functions[id].samples : 0, samples);
}

static void check_sums(const struct profile *profile)
{
	uint64_t self = 0, nodes = 0;

	for (size_t i = 0; i < profile->function_count; i++)
		self += profile->functions[i].self;
	for (uint32_t i = TREE_ROOT; i < profile->tree.count; i++)
		nodes += profile->tree.nodes[i].self;
	CHECK_EQ(self, profile->total);
	CHECK_EQ(nodes, profile->total);
}

/* The path in the tree; its self. */
static uint64_t self_of(const struct model *model, const char *const *path)
{
	const struct tree *tree = &model_get_profile(model)->tree;
	uint32_t node = tree->root;

	for (; *path && node; path++) {
		uint32_t id = find(model, *path), found = 0;

		for (uint32_t i = 0; i < tree->count; i++)
			if (i != node && tree->nodes[i].function == id && tree->nodes[i].parent == node)
				found = i;
		node = found;
	}
	return node ? tree->nodes[node].self : UINT64_MAX;
}

TEST(by_hand)
{
	/* outer at each of its places; at the place of leaf in middle something is called; and code of nobody below it. */
	const struct message_node nodes[] = {{addresses[OUTER], 0, false, false}, {addresses[MIDDLE], 0, false, false},
		{addresses[LEAF_IN_MIDDLE], 0, false, false}, {addresses[LEAF], 0, false, false},
		{addresses[LEAF_IN_MIDDLE] + 1, 0, true, false}, {addresses[ALL], 5, false, false}, {0x1234, 5, false, true}};
	static const struct message_sample samples[] = {{1, 1, 1, DWELL_STACK_COMPLETE}, {2, 10, 2, DWELL_STACK_COMPLETE},
		{3, 100, 3, DWELL_STACK_COMPLETE}, {4, 1000, 4, DWELL_STACK_COMPLETE}, {5, 10000, 6, DWELL_STACK_COMPLETE},
		{6, 100000, 7, DWELL_STACK_COMPLETE}, {7, 1000000, 3, DWELL_STACK_COMPLETE}};
	struct diag *diag = make_diag();
	struct model *model = make(true, diag), *plain = make(false, diag);

	feed(model, nodes, 7, samples, 7);
	model_finish(model);
	check_sums(model_get_profile(model));
	check(model, "outer", 1, 1111111, 1);
	check(model, "middle (inlined)", 10, 1110110, 1);
	check(model, "leaf (inlined)", 1001100, 1111100, 3);
	check(model, "leaf_of_all", 10000, 10000, 1);
	check(model, "[kernel]", 100000, 100000, 1);
	CHECK_EQ(self_of(model, (const char *const[]){"outer", "middle (inlined)", "leaf (inlined)", NULL}), 1000100);
	CHECK_EQ(self_of(model, (const char *const[]){"outer", "leaf (inlined)", NULL}), 1000);
	CHECK_EQ(self_of(model, (const char *const[]){"outer", "middle (inlined)", "leaf (inlined)", "leaf_of_all", NULL}), 10000);
	feed(plain, nodes, 7, samples, 7);
	model_finish(plain);
	check(plain, "outer", 1001111, 1111111, 5);
	CHECK_EQ(model_get_profile(plain)->total, model_get_profile(model)->total);
	CHECK_EQ(diag_status(diag), 0);
	free_model(plain);
	free_model(model);
	free_diag(diag);
}

/* Random stacks of outer and leaf_of_all, recursive, against the functions that each place stands for. */
TEST(random_stacks)
{
	enum { FUNCTIONS = 4, NODES = 200, SAMPLES = 3000, F_OUTER = 0, F_MIDDLE, F_LEAF, F_ALL };
	static const char *const names[FUNCTIONS] = {"outer", "middle (inlined)", "leaf (inlined)", "leaf_of_all"};
	static const int stands_for[LABELS][4] = {
		{F_OUTER, -1}, {F_OUTER, F_MIDDLE, -1}, {F_OUTER, F_MIDDLE, F_LEAF, -1}, {F_OUTER, F_LEAF, -1}, {F_ALL, -1}};
	static struct message_node nodes[NODES];
	static struct message_sample samples[SAMPLES];
	uint64_t self[FUNCTIONS] = {0}, total[FUNCTIONS] = {0}, counts[FUNCTIONS] = {0}, random = 4711;
	int place[NODES];
	struct diag *diag = make_diag();
	struct model *model = make(true, diag);

	for (uint32_t i = 0; i < NODES; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		place[i] = (int)((random >> 33) % LABELS);
		nodes[i] = (struct message_node){.address = addresses[place[i]], .caller = (uint32_t)(random >> 50) % (i + 1)};
	}
	for (uint32_t i = 0; i < SAMPLES; i++) {
		bool seen[FUNCTIONS] = {false};
		int innermost = -1;

		random = random * 6364136223846793005u + 1442695040888963407u;
		samples[i] =
			(struct message_sample){i, 1 + (random >> 60), 1 + (uint32_t)(random >> 40) % NODES, DWELL_STACK_COMPLETE};
		for (uint32_t at = samples[i].node; at; at = nodes[at - 1].caller)
			for (const int *f = stands_for[place[at - 1]]; *f >= 0; f++) {
				seen[*f] = true;
				innermost = at == samples[i].node ? *f : innermost;
			}
		self[innermost] += samples[i].weight;
		counts[innermost]++;
		for (int f = 0; f < FUNCTIONS; f++)
			total[f] += seen[f] ? samples[i].weight : 0;
	}
	for (uint32_t i = 0; i < 3; i++)
		feed(model, nodes, NODES, samples + i * (SAMPLES / 3), SAMPLES / 3);
	model_finish(model);
	check_sums(model_get_profile(model));
	for (int f = 0; f < FUNCTIONS; f++)
		check(model, names[f], self[f], total[f], counts[f]);
	free_model(model);
	free_diag(diag);
}

/* How they are called, asked for and told apart. */
TEST(names)
{
	const struct message_node node = {addresses[LEAF], 0, false, false};
	static const struct message_sample sample = {1, 1, 1, DWELL_STACK_COMPLETE};
	struct diag *diag = make_diag();
	struct model *model = make(true, diag);
	struct functions *functions = model_get_functions(model);
	struct function_place place;
	uint32_t id, other;
	char *text;

	feed(model, &node, 1, &sample, 1);
	model_finish(model);
	id = find(model, "leaf (inlined)");
	CHECK(id != FUNCTION_NONE && functions_get_declared(functions, id) &&
		strstr(functions_get_declared(functions, id), "/a.c:3"));
	text = make_functions_plain_name(functions, id);
	CHECK_STR(text, "leaf");
	free(text);
	text = make_functions_name_and_place(functions, id);
	CHECK_STR(text, "leaf (inlined) (program, a.c:3)");
	free(text);
	CHECK(functions_get_place(functions, id, &place) && place.is_inlined && strstr(place.path, "program"));
	other = functions_find_inlined(functions, place.file, "leaf", "elsewhere.h:3");
	CHECK(other != id);
	CHECK_EQ(functions_find_inlined(functions, place.file, "leaf", "elsewhere.h:3"), other);
	CHECK(functions_find_inlined(functions, place.file, "leaf", NULL) != other);
	CHECK(functions_find_inlined(functions, place.file + 1, "leaf", "elsewhere.h:3") != other);
	free_model(model);
	free_diag(diag);
}

/* No debug information: as without, and it is said. */
TEST(unknown)
{
	static const struct message_sample sample = {1, 1, 1, DWELL_STACK_COMPLETE};
	struct diag *diag = make_diag();
	struct message_node node;
	struct model *model;

	CHECK(make_program("-g0"));
	node = (struct message_node){addresses[LEAF], 0, false, false};
	model = make(true, diag);
	feed(model, &node, 1, &sample, 1);
	model_finish(model);
	check(model, "outer", 1, 1, 1);
	CHECK_EQ(find(model, "leaf (inlined)"), FUNCTION_NONE);
	CHECK_EQ(diag_status(diag), 1);
	free_model(model);
	free_diag(diag);
}

int main(void)
{
	if (!make_program("-g")) {
		printf("Bail out! no compiler\n");
		return 1;
	}
	RUN(by_hand);
	RUN(random_stacks);
	RUN(names);
	RUN(unknown);
	return tap_done();
}
