/* A function whose time may be off by more than half is marked in every table that shows it. */
#include "check.h"

#include "analysis/functions.h"
#include "analysis/relatives.h"
#include "analysis/tree.h"
#include "made.h"

static const char *const keys[] = {"total_ns", "total_cpu_ns", "self_ns", "self_cpu_ns"};

/* Which of the cells of a function's row are marked, one letter for each key. */
struct marks {
	const char *function;
	uint32_t name, times[4];
	char text[5];
};

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct marks *marks = context;

	(void)name;
	for (uint32_t i = 0; i < count; i++) {
		if (columns[i].text_only)
			continue;
		if (columns[i].unit == UNIT_NAME)
			marks->name = i;
		for (int key = 0; key < 4; key++)
			if (!strcmp(columns[i].key, keys[key]))
				marks->times[key] = i;
	}
}

static void row(void *context, const struct cell *cells)
{
	struct marks *marks = context;

	if (strcmp(cells[marks->name].text, marks->function))
		return;
	for (int key = 0; key < 4; key++)
		marks->text[key] = cells[marks->times[key]].unsure ? '~' : '.';
}

static void end(void *context)
{
	(void)context;
}

/* callers: the row of the only caller of the function, whose name is given. */
static void check_marks(const struct profile *profile, const char *function, const char *caller, const char *want)
{
	struct functions *functions = model_get_functions(made_model);
	const struct clock_map *clock = model_get_clock(made_model);
	struct marks report = {.function = function}, tree = report, callers = {.function = caller}, callees = report;
	const struct table_sink to_report = {&report, begin, row, end}, to_tree = {&tree, begin, row, end},
				to_callers = {&callers, begin, row, end}, to_callees = {&callees, begin, row, end};
	struct analysis_relatives relatives = {.profile = profile, .functions = functions, .clock = clock, .limit = UINT64_MAX};

	CHECK(analysis_functions(
		&(struct analysis_functions){.profile = profile, .functions = functions, .clock = clock, .limit = UINT64_MAX},
		&to_report));
	CHECK(analysis_tree(&(struct analysis_tree){.profile = profile,
				    .functions = functions,
				    .clock = clock,
				    .limit = UINT64_MAX,
				    .depth_limit = UINT64_MAX},
		&to_tree));
	CHECK_STR(report.text, want);
	CHECK_STR(tree.text, want);
	relatives.pattern = make_pattern(function, functions);
	CHECK(analysis_relatives(&relatives, &to_callers));
	CHECK_STR(callers.text, want);
	free_pattern(relatives.pattern);
	relatives.side = RELATIVES_CALLEES;
	relatives.pattern = make_pattern(caller, functions);
	if (*caller != '(') {
		CHECK(analysis_relatives(&relatives, &to_callees));
		CHECK_STR(callees.text, want);
	}
	free_pattern(relatives.pattern);
}

/* a calls b, each alone for 100 ticks, half of them on the CPU. */
static struct profile *make(void)
{
	struct profile *profile = make_profile(NULL);
	uint32_t node = profile->tree.root;

	made_begin();
	made_calls("a10 b11 12 13");
	model_finish(made_model);
	profile->has_times = profile->has_off_cpu = profile->is_net = true;
	for (uint32_t id = 0; id < 2; id++) {
		struct profile_function *function;
		struct tree_node *path;

		profile_get_function(profile, id);
		node = tree_child(&profile->tree, node, id);
		path = &profile->tree.nodes[node];
		function = &profile->functions[id];
		function->calls = path->calls = 1;
		function->self = path->self = 100;
		function->total = path->total = id ? 100 : 200;
		function->self_off.ticks = path->self / 2;
		function->total_off.ticks = path->total / 2;
		CHECK(tree_add_off(&profile->tree, node, &function->total_off, &function->self_off));
	}
	return profile;
}

static void finish(struct profile *profile)
{
	free_profile(profile);
	made_end();
}

TEST(nothing_is_marked)
{
	struct profile *profile = make();

	check_marks(profile, "0xb00", "0xa00", "....");
	check_marks(profile, "0xa00", "(outermost)", "....");
	finish(profile);
}

TEST(what_recording_cost)
{
	struct profile *profile = make();

	profile->functions[1].self_error = 26; /* of 50 on the CPU */
	profile->functions[1].total_error = 51;
	check_marks(profile, "0xb00", "0xa00", "~~.~");
	check_marks(profile, "0xa00", "(outermost)", "....");
	finish(profile);
}

/* Of a it is not known whether it was on the CPU: that says nothing of b. */
TEST(what_was_on_the_cpu)
{
	struct profile *profile = make();

	profile->functions[0].self_off.unknown_ticks = profile->functions[0].total_off.unknown_ticks = 1;
	check_marks(profile, "0xa00", "(outermost)", ".~.~");
	check_marks(profile, "0xb00", "0xa00", "....");
	finish(profile);
}

TEST(calls_without_an_exit)
{
	struct profile *profile = make();

	profile->functions[1].calls = 2;
	profile->functions[1].untimed_calls = 1;
	check_marks(profile, "0xb00", "0xa00", "~~~~");
	finish(profile);
}

static void feed(uint64_t ticks, enum event_kind kind, uint64_t value)
{
	struct event event = {ticks, value, kind};
	struct message message = {
		.kind = MESSAGE_EVENTS, .events = {.place_kind = DWELL_PLACE_ADDRESS, .events = &event, .count = 1}};

	model_feed(made_model, &message);
}

/* From here on nobody knows what is open. */
static void lose(uint64_t ticks)
{
	feed(ticks, EVENT_LOST, 10);
	feed(ticks, EVENT_LOST_POPS, UINT32_MAX);
	feed(ticks, EVENT_LOST_PUSHES, 0);
}

/* a runs for 400 ticks, of which 210 are known of; two of b's three calls are known from begin to end. */
TEST(calls_that_a_gap_hides)
{
	const struct profile_function *functions;

	made_begin();
	made_calls("a100 b110 120");
	made_event(130, EVENT_ENTER, 'b');
	lose(140);
	made_event(330, EVENT_ENTER, 'b');
	made_event(400, EVENT_EXIT, 'b');
	made_event(500, EVENT_EXIT, 'a');
	model_finish(made_model);
	functions = model_get_profile(made_model)->functions;
	CHECK_EQ(functions[0].calls, 1);
	CHECK_EQ(functions[0].cut_calls, 1);
	CHECK_EQ(functions[0].cut_ticks, functions[0].total);
	CHECK_EQ(functions[1].calls, 3);
	CHECK_EQ(functions[1].cut_calls, 1);
	CHECK_EQ(functions[1].cut_ticks, 0); /* nothing of it but its entry was recorded */
	check_marks(model_get_profile(made_model), "0xa00", "(outermost)", "~~~~");
	check_marks(model_get_profile(made_model), "0xb00", "0xa00", "....");
	made_end();
}

/* One of two calls, or one that has most of the time. */
TEST(half_of_the_calls_or_of_the_time)
{
	made_begin();
	made_calls("a100 200");
	made_event(300, EVENT_ENTER, 'a');
	lose(310);
	made_event(400, EVENT_ENTER, 'b');
	made_event(410, EVENT_EXIT, 'b');
	model_finish(made_model);
	check_marks(model_get_profile(made_model), "0xa00", "(outermost)", "~~~~");
	made_end();
	made_begin();
	made_calls("a100 110 a110 120 a120 130");
	made_event(300, EVENT_ENTER, 'a');
	made_event(360, EVENT_ENTER, 'b');
	lose(400);
	made_event(500, EVENT_ENTER, 'b');
	made_event(510, EVENT_EXIT, 'b');
	model_finish(made_model);
	check_marks(model_get_profile(made_model), "0xa00", "(outermost)", "~~~~");
	made_end();
}

/* The child of fork is in the parent's calls: what it does in them is known. */
TEST(calls_of_a_copy_are_whole)
{
	struct message thread = {.kind = MESSAGE_THREAD,
		.thread = {.place_kind = DWELL_PLACE_ADDRESS, .name = "main", .is_copy = true}};

	made_begin();
	model_feed(made_model, &thread);
	made_calls("b110 120");
	made_event(200, EVENT_EXIT, 'a');
	model_finish(made_model);
	check_marks(model_get_profile(made_model), "0xa00", "(outermost)", "....");
	made_end();
}

int main(void)
{
	RUN(calls_that_a_gap_hides);
	RUN(half_of_the_calls_or_of_the_time);
	RUN(calls_of_a_copy_are_whole);
	RUN(nothing_is_marked);
	RUN(what_recording_cost);
	RUN(what_was_on_the_cpu);
	RUN(calls_without_an_exit);
	return tap_done();
}
