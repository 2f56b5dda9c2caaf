/* Paths, each rounded to nanoseconds, add up to what the report says of their function; and what they are parts of is the time
 * without recording. */
#include "check.h"

#include "analysis/functions.h"
#include "analysis/tree.h"
#include "made.h"

/* Sums by function of the column that is called key, of whatever table. */
struct sums {
	const char *key;
	uint32_t name, value;
	uint64_t of[26];
};

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct sums *sums = context;

	(void)name;
	for (uint32_t i = 0; i < count; i++) {
		if (columns[i].unit == UNIT_NAME)
			sums->name = i;
		if (columns[i].unit == UNIT_NS && !strcmp(columns[i].key, sums->key))
			sums->value = i;
	}
}

static void row(void *context, const struct cell *cells)
{
	struct sums *sums = context;

	sums->of[strtoul(cells[sums->name].text, NULL, 16) / 0x100 - 10] += cells[sums->value].count;
}

static void end(void *context)
{
	(void)context;
}

/* 3 ticks a nanosecond: a function's many short times are 0 each, and together are not. */
TEST(thirds)
{
	struct sums tree_sums = {.key = "self_ns"}, report_sums = {.key = "self_ns"}, rough_sums = {.key = "self_ns"};
	struct table_sink to_tree = {&tree_sums, begin, row, end}, to_report = {&report_sums, begin, row, end},
			  to_rough = {&rough_sums, begin, row, end};
	struct message header = {.kind = MESSAGE_HEADER,
		.header = {.format = "test", .has_events = true, .clock_bits = 64, .clock_hz = UINT64_C(3000000000)}};

	made_begin();
	model_feed(made_model, &header);
	made_calls("a100 b101 102 c103 b104 105 d106 b107 108 109 110 e111 b112 113 c114 b115 116 117 118 119");
	model_finish(made_model);
	struct analysis_tree tree = {.profile = model_get_profile(made_model),
		.functions = model_get_functions(made_model),
		.clock = model_get_clock(made_model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX,
		.sums = true};
	const struct analysis_functions report = {
		.profile = tree.profile, .functions = tree.functions, .clock = tree.clock, .limit = UINT64_MAX};

	CHECK(analysis_tree(&tree, &to_tree));
	tree.sums = false;
	CHECK(analysis_tree(&tree, &to_rough));
	CHECK(analysis_functions(&report, &to_report));
	for (int i = 0; i < 5; i++)
		CHECK_EQ(tree_sums.of[i], report_sums.of[i]);
	CHECK_EQ(report_sums.of[1], 2); /* 5 times a third */
	CHECK_EQ(rough_sums.of[1], 0);
	made_end();
}

static double percent_of_first;

static void find_percent(void *context, const char *name, const struct column *columns, uint32_t count)
{
	uint32_t *at = context;

	(void)name;
	for (uint32_t i = 0; i < count; i++)
		if (columns[i].unit == UNIT_PERCENT)
			*at = i;
}

static void take_percent(void *context, const struct cell *cells)
{
	if (percent_of_first < 0)
		percent_of_first = cells[*(uint32_t *)context].real;
}

/* a100 … 300, held up for 100 of these: all that is left is a's. */
TEST(a_part_of_what_is_not_recording)
{
	uint32_t column = 0;
	const struct table_sink sink = {&column, find_percent, take_percent, end};

	percent_of_first = -1;
	made_begin();
	made_event(100, EVENT_ENTER, 'a');
	made_event(150, EVENT_HELD, 'a');
	made_event(250, EVENT_HELD_END, 'a');
	made_event(300, EVENT_EXIT, 'a');
	model_finish(made_model);
	const struct analysis_tree tree = {.profile = model_get_profile(made_model),
		.functions = model_get_functions(made_model),
		.clock = model_get_clock(made_model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX};

	CHECK(analysis_tree(&tree, &sink));
	CHECK_EQ((uint64_t)percent_of_first, 100);
	made_end();
}

int main(void)
{
	RUN(thirds);
	RUN(a_part_of_what_is_not_recording);
	return tap_done();
}
