/* Samples for the functions of a trace, by stacks made by hand. */
#include "analysis/joined.h"

#include <string.h>

#include "check.h"
#include "made.h"

static uint32_t function(char name)
{
	const struct place place = {DWELL_PLACE_ADDRESS, (uint64_t)(name - 'a' + 10) * 0x100};

	return functions_find(model_get_functions(made_model), 0, place, 0);
}

/* path: "abc" is a, which called b, which called c. */
static void take(struct joined *joined, const char *path, uint64_t weight)
{
	uint32_t functions[16];
	struct model_sample sample = {.weight = weight, .functions = functions, .count = strlen(path)};

	for (size_t i = 0; i < sample.count; i++)
		functions[i] = function(path[i]);
	joined_take(joined, &sample);
}

/* A trace with the calls a(b(c)), b() and, never called, the others. */
static void begin(struct joined *joined)
{
	made_begin();
	made_calls("a0 b10 c20 30 40 50 b60 70");
	model_finish(made_model);
	joined->functions = joined->sampled = model_get_functions(made_model);
	CHECK(joined_begin(joined, model_get_profile(made_model)));
}

static void end(struct joined *joined)
{
	joined_clear(joined);
	made_end();
}

static void check_row(const struct joined *joined, uint32_t id, uint64_t calls, uint64_t self, uint64_t total)
{
	const struct profile_function *row = &joined->profile->functions[id];

	CHECK_EQ(row->calls, calls);
	CHECK_EQ(row->self, self);
	CHECK_EQ(row->total, total);
}

static void finish(struct joined *joined)
{
	const struct profile samples = {.unit = "ns"};

	CHECK(joined_finish(joined, &samples));
	CHECK_STR(joined->profile->unit, "ns");
}

/* d and e are not in the trace: their samples are those of the innermost function that is. */
TEST(untraced_callees_count_for_their_callers)
{
	struct joined joined = {0};

	begin(&joined);
	take(&joined, "a", 1);
	take(&joined, "ab", 2);
	take(&joined, "abd", 4);
	take(&joined, "adce", 8);
	take(&joined, "dade", 16);
	finish(&joined);
	check_row(&joined, function('a'), 1, 17, 31);
	check_row(&joined, function('b'), 2, 6, 6);
	check_row(&joined, function('c'), 1, 8, 8);
	CHECK_EQ(joined.profile->total, 31);
	CHECK_EQ(joined.traced_weight, 31);
	CHECK_EQ(joined.profile->estimates.functions[function('a')].samples, 2);
	end(&joined);
}

TEST(recursion_counts_once)
{
	struct joined joined = {0};

	begin(&joined);
	take(&joined, "abab", 5);
	take(&joined, "aaa", 2);
	finish(&joined);
	check_row(&joined, function('a'), 1, 2, 7);
	check_row(&joined, function('b'), 2, 5, 5);
	end(&joined);
}

TEST(untraced_stacks_have_rows)
{
	struct joined joined = {0};
	uint32_t unknown, d;

	begin(&joined);
	take(&joined, "d", 3);
	take(&joined, "ed", 4);
	take(&joined, "de", 1);
	take(&joined, "", 9);
	take(&joined, "ab", 1);
	finish(&joined);
	d = functions_find_name(joined.functions, functions_get_name(joined.sampled, function('d')));
	unknown = functions_find_name(joined.functions, "[unknown]");
	check_row(&joined, d, 0, 7, 7);
	check_row(&joined, unknown, 0, 9, 9);
	check_row(&joined, function('b'), 2, 1, 1);
	CHECK_EQ(joined.profile->total, 18);
	CHECK_EQ(joined.traced_weight, 1);
	end(&joined);
}

int main(void)
{
	RUN(untraced_callees_count_for_their_callers);
	RUN(recursion_counts_once);
	RUN(untraced_stacks_have_rows);
	return tap_done();
}
