/* Pairs of functions: who called whom, on whatever paths, in recursion, and when a caller is known at its end only. */
#include "check.h"
#include "feed.h"
#include "model/profile/tree_pairs.h"

#define OF_KIND 48u /* functions of which each calls each: OF_KIND³ paths, more than there is room for */
#define LIMIT (1u << 15)

static struct diag *diag;

/* Upper case enters, lower case leaves. */
static void feed_all(const char *text)
{
	for (; *text; text++)
		feed(*text >= 'a' ? EVENT_EXIT : EVENT_ENTER, (uint32_t)(*text & 31));
}

static void begin(bool pairs)
{
	struct model_options options = {.want_profile = true, .path_limit = LIMIT, .pairs = pairs};
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true, .clock_bits = 64}};
	struct message thread = {.kind = MESSAGE_THREAD, .thread = {.place_kind = DWELL_PLACE_ADDRESS, .name = "main"}};

	now = 0;
	diag = make_diag();
	model = make_model(&options, diag);
	model_feed(model, &header);
	model_feed(model, &thread);
}

static void end(void)
{
	free_model(model);
	free_diag(diag);
}

/* Of the function at an address. */
static uint32_t id_of(char name)
{
	struct place place = {DWELL_PLACE_ADDRESS, 0x10000 + (uint64_t)(name & 31) * 0x100};

	return functions_find(model_get_functions(model), 0, place, 0);
}

/* caller 0: outermost. Zeroed: there is no such pair. */
static struct tree_node pair_of(char caller, char name)
{
	const struct tree *tree = &model_get_profile(model)->tree;
	uint32_t above = tree->root;

	for (uint32_t at = tree->nodes[above].first_child; caller && at; at = tree->nodes[at].next_sibling)
		if (tree->nodes[at].function == id_of(caller))
			above = at;
	if (caller && above == tree->root)
		return (struct tree_node){0};
	for (uint32_t at = tree->nodes[above].first_child; at; at = tree->nodes[at].next_sibling)
		if (tree->nodes[at].function == id_of(name))
			return tree->nodes[at];
	return (struct tree_node){0};
}

static void check_pair(char caller, char name, uint64_t calls, uint64_t total, uint64_t self)
{
	struct tree_node pair = pair_of(caller, name);

	CHECK_EQ(pair.calls, calls);
	CHECK_EQ(pair.total, total);
	CHECK_EQ(pair.self, self);
}

TEST(a_pair_has_the_calls_of_all_its_paths)
{
	const struct tree *tree;

	begin(true);
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
	model_finish(model);
	tree = &model_get_profile(model)->tree;
	CHECK_EQ(tree->folded_calls, 0);
	CHECK_EQ(tree->count, TREE_ROOT + 1 + OF_KIND + OF_KIND * OF_KIND);
	for (uint32_t at = TREE_ROOT + 1; at < tree->count; at++)
		CHECK_EQ(tree->nodes[at].calls, tree->nodes[at].parent == tree->root ? OF_KIND * OF_KIND : 2 * OF_KIND);
	end();
}

/* In A: B, which calls itself through C, and itself. */
TEST(a_call_in_another_one_of_its_pair_counts_once_in_the_total)
{
	for (int pairs = 0; pairs < 2; pairs++) {
		begin(pairs);
		feed_all("ABCBBbbcba" "Bb");
		model_finish(model);
		CHECK(pairs || tree_make_pairs((struct tree *)&model_get_profile(model)->tree));
		check_pair(0, 'A', 1, 9, 2);
		check_pair(0, 'B', 1, 1, 1);
		check_pair('A', 'B', 1, 7, 2);
		check_pair('B', 'C', 1, 5, 2);
		check_pair('C', 'B', 1, 3, 2);
		check_pair('B', 'B', 1, 1, 1);
		end();
		begin(pairs);
		feed_all("ABABbaba");
		model_finish(model);
		CHECK(pairs || tree_make_pairs((struct tree *)&model_get_profile(model)->tree));
		check_pair(0, 'A', 1, 7, 2);
		check_pair('A', 'B', 2, 5, 3);
		check_pair('B', 'A', 1, 3, 2);
		end();
	}
}

/* Nobody saw A begin. */
TEST(what_was_outermost_was_called)
{
	begin(true);
	feed_all("BCcbBb" "a" "Dd");
	model_finish(model);
	check_pair('A', 'B', 2, 4, 3);
	check_pair('B', 'C', 1, 1, 1);
	check_pair(0, 'B', 0, 0, 0);
	CHECK_EQ(pair_of(0, 'A').total, 6);
	end();
}

int main(void)
{
	RUN(a_pair_has_the_calls_of_all_its_paths);
	RUN(a_call_in_another_one_of_its_pair_counts_once_in_the_total);
	RUN(what_was_outermost_was_called);
	return tap_done();
}
