/* Who calls whom, worked out on paper. */
#include "check.h"

#include "analysis/relatives.h"
#include "made.h"

static void check_relatives(const char *function, enum relatives_side side, const char *want)
{
	struct pattern *pattern = make_pattern(function, model_get_functions(made_model));
	struct analysis_relatives what = {.profile = model_get_profile(made_model),
		.functions = model_get_functions(made_model),
		.clock = model_get_clock(made_model),
		.pattern = pattern,
		.side = side,
		.limit = UINT64_MAX};
	struct made_text text;
	struct table_sink sink = made_sink(&text);

	CHECK(analysis_relatives(&what, &sink));
	CHECK_STR(text.text, want);
	free_pattern(pattern);
}

/* a is called twice, by nobody; it calls b (30 long) and c (20 long), c calls b (10 long). */
TEST(without_recursion)
{
	made_begin();
	made_calls("a100 b110 140 c150 b155 165 170 200 a300 310");
	model_finish(made_model);
	check_relatives("0xb00", RELATIVES_CALLERS, "0xa00,1,30,75%,30|0xc00,1,10,25%,10|");
	check_relatives("0xa00", RELATIVES_CALLERS, "(outermost),2,110,100%,60|");
	check_relatives("0xa00", RELATIVES_CALLEES, "(itself),-,60,55%,60|0xb00,1,30,27%,30|0xc00,1,20,18%,10|");
	check_relatives("0xb00", RELATIVES_CALLEES, "(itself),-,40,100%,40|");
	check_relatives("0xd00", RELATIVES_CALLERS, "");
	made_end();
}

/* a calls itself, twice nested: 100 … 200, in it 110 … 190, in it 120 … 150. */
TEST(direct_recursion)
{
	made_begin();
	made_calls("a100 a110 a120 150 190 200");
	model_finish(made_model);
	/* by itself: 80, of which 30 are in both; self 20 outermost, 50 + 30 inner */
	check_relatives("0xa00", RELATIVES_CALLERS, "(outermost),1,100,100%,20|0xa00,2,80,80%,80|");
	check_relatives("0xa00", RELATIVES_CALLEES, "(itself),-,100,100%,100|0xa00,2,80,80%,80|");
	made_end();
}

/* a and b call each other: a100 b110 a120 b130 … 140 … 160 … 180 … 200. */
TEST(mutual_recursion)
{
	made_begin();
	made_calls("a100 b110 a120 b130 140 160 180 200");
	model_finish(made_model);
	check_relatives("0xa00", RELATIVES_CALLERS, "(outermost),1,100,100%,30|0xb00,1,40,40%,30|");
	check_relatives("0xb00", RELATIVES_CALLERS, "0xa00,2,70,100%,40|");
	check_relatives("0xa00", RELATIVES_CALLEES, "0xb00,2,70,70%,40|(itself),-,60,60%,60|");
	made_end();
}

/* Calls without a path have a row, unless they are from counters, which know no paths. */
TEST(calls_without_a_path)
{
	struct profile *profile;

	made_begin();
	made_calls("a100 b110 140 200");
	model_finish(made_model);
	profile = (struct profile *)model_get_profile(made_model);
	profile->functions[1].calls += 5;
	check_relatives("0xb00", RELATIVES_CALLERS, "0xa00,1,30,100%,30|(paths that were too many to be kept),5,0,0%,0|");
	profile->counts_calls = true;
	check_relatives("0xb00", RELATIVES_CALLERS, "0xa00,1,30,100%,30|");
	made_end();
}

/* Two functions taken for one: b in a is inside already. */
TEST(several_functions)
{
	struct pattern *pattern;
	struct analysis_sum sum;

	made_begin();
	made_calls("c90 a100 b110 140 200 b300 350 400");
	model_finish(made_model);
	pattern = make_pattern("0x?00", model_get_functions(made_model));
	sum = analysis_sum(model_get_profile(made_model), pattern);
	CHECK_EQ(sum.functions, 3);
	CHECK_EQ(sum.calls, 4);
	CHECK_EQ(sum.total, 310);
	CHECK_EQ(sum.self, 310);
	free_pattern(pattern);
	made_end();
}

int main(void)
{
	RUN(without_recursion);
	RUN(direct_recursion);
	RUN(mutual_recursion);
	RUN(calls_without_a_path);
	RUN(several_functions);
	return tap_done();
}
