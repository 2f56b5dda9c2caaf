/* How long calls took, worked out on paper. */
#include "check.h"

#include "analysis/distribution.h"
#include "made.h"

static size_t rows;

static struct analysis_distribution check_distribution(const char *function, const char *want)
{
	struct pattern *pattern = make_pattern(function, model_get_functions(made_model));
	struct analysis_distribution what = {
		.profile = model_get_profile(made_model), .clock = model_get_clock(made_model), .pattern = pattern};
	struct made_text text;
	struct table_sink sink = made_sink(&text);

	CHECK(analysis_distribution(&what, &sink));
	if (want)
		CHECK_STR(text.text, want);
	rows = 0;
	for (const char *c = text.text; *c; c++)
		rows += *c == '|';
	free_pattern(pattern);
	return what;
}

TEST(parts_of_octaves)
{
	struct analysis_distribution answer;

	made_begin();
	/* 64, 71 (one eighth is 8), 72, 100, 127 */
	made_calls("a1000 1064 a2000 2071 a3000 3072 a4000 4100 a5000 5127");
	model_finish(made_model);
	answer = check_distribution("0xa00",
		"64,72,2,40%,40%,|72,80,1,20%,60%,p50|80,88,0,0%,60%,|88,96,0,0%,60%,|96,104,1,20%,80%,|104,112,0,0%,80%,|"
		"112,120,0,0%,80%,|120,128,1,20%,100%,p90 p99 p99.9 max|");
	CHECK_EQ(answer.calls, 5);
	CHECK_EQ(answer.others, 0);
	CHECK_EQ(answer.min_ns, 64);
	CHECK_EQ(answer.avg_ns, 86); /* 434 ÷ 5 */
	CHECK_EQ(answer.max_ns, 127);
	CHECK(!answer.unsure);
	made_end();
}

/* Small ones have ranges of whole ticks, none of them empty by nature: 0, 1, 2, 3, 4, 6. */
TEST(few_ticks)
{
	made_begin();
	made_calls("a1000 1000 a2000 2001 a3000 3003 a4000 4005 a5000 5006");
	model_finish(made_model);
	check_distribution("0xa00",
		"0,1,1,20%,20%,|1,2,1,20%,40%,|2,3,0,0%,40%,|3,4,1,20%,60%,p50|4,5,0,0%,60%,|5,6,1,20%,80%,|6,7,1,20%,100%,p90 p99 p99.9 max|");
	made_end();
}

/* From a tick to an hour: a range is an octave, and none is left out. */
TEST(far_apart)
{
	struct analysis_distribution answer;

	made_begin();
	made_calls("a1 2 a10 3600000000010");
	model_finish(made_model);
	answer = check_distribution("0xa00", NULL);
	CHECK_EQ(answer.min_ns, 1);
	CHECK_EQ(answer.max_ns, 3600000000000);
	CHECK_EQ(rows, 42); /* 2^0 to 2^41 */
	made_end();
}

TEST(running_at_the_end)
{
	struct analysis_distribution answer;

	made_begin();
	made_calls("b50 a100 164 a200 264 a300");
	made_event(1000, EVENT_ENTER, 'c');
	model_finish(made_model);
	answer = check_distribution("0xa00", "64,72,2,100%,100%,p50 p90 p99 p99.9 max|");
	CHECK_EQ(answer.others, 1);
	answer = check_distribution("0xb00", "~896,960,1,100%,100%,p50 p90 p99 p99.9 max|");
	CHECK(answer.unsure);
	CHECK_EQ(answer.others, 0);
	answer = check_distribution("0xd00", "");
	CHECK_EQ(answer.calls, 0);
	made_end();
}

int main(void)
{
	RUN(parts_of_octaves);
	RUN(few_ticks);
	RUN(far_apart);
	RUN(running_at_the_end);
	return tap_done();
}
