/* The slowest calls, with what they called, worked out on paper. */
#include "check.h"

#include "analysis/calls/slowest.h"
#include "made.h"

static struct slowest *slowest;
static const struct model *watched;

static void offer(void *context, const struct call *call)
{
	(void)context;
	slowest_offer(slowest, call);
}

static uint32_t enter(void *context, const struct call *call)
{
	(void)context;
	slowest_enter(slowest, call, watched);
	return 0;
}

static void leave(void *context, const struct call *call)
{
	(void)context;
	slowest_leave(slowest, call);
}

/* Both passes over the same calls. */
static void run(const char *calls, const char *function, size_t count, const struct slowest_form *form, const char *want)
{
	struct model_options first = {.on_call = offer}, second = {.on_enter = enter, .on_call = leave};
	struct model *model;
	struct pattern *pattern;
	struct made_text text;
	struct table_sink sink = made_sink(&text);
	struct slowest_form with = *form;

	made_diag = make_diag();
	made_model = model = make_model(&first, made_diag);
	pattern = make_pattern(function, model_get_functions(model));
	slowest = make_slowest(pattern, count);
	made_feed_head();
	made_calls(calls);
	model_finish(model);
	CHECK(slowest_settle(slowest));
	second.functions = model_get_functions(model);
	watched = made_model = make_model(&second, made_diag);
	made_feed_head();
	made_calls(calls);
	model_finish(made_model);
	free_model(made_model);
	with.model = model;
	CHECK(slowest_write(slowest, &with, 0, count, &sink));
	CHECK_STR(text.text, want);
	free_slowest(slowest);
	free_pattern(pattern);
	free_model(model);
	free_diag(made_diag);
}

static const struct slowest_form all = {.depth_limit = UINT64_MAX};

TEST(the_longest_in_order)
{
	/* a of 10, 30, 20 and 30 again: the earlier one first. Columns: rank, thread, enter, depth, function, calls, total, self */
	run("a100 110 a200 230 a300 320 a400 430", "0xa00", 3, &all, "1,main,100,0,0xa00,1,30,-,30|2,main,300,0,0xa00,1,30,-,30|3,main,200,0,0xa00,1,20,-,20|");
	run("a100 110", "0xa00", 5, &all, "1,main,0,0,0xa00,1,10,-,10|");
	run("a100 110", "0xb00", 5, &all, "");
}

/* Callees of one path are one row; those of other calls of the function are not in it. */
TEST(trees)
{
	run("a100 b110 115 b120 c121 131 140 c150 155 200 a300 b301 302 310", "0xa00", 2, &all,
		"1,main,0,0,0xa00,1,100,-,70|1,main,0,1,0xb00,2,25,-,15|1,main,0,2,0xc00,1,10,-,10|1,main,0,1,0xc00,1,5,-,5|"
		"2,main,200,0,0xa00,1,10,-,9|2,main,200,1,0xb00,1,1,-,1|");
}

/* A call inside of another one that is slow as well: each has its own tree. */
TEST(recursion)
{
	run("a100 a110 b120 130 190 200", "0xa00", 2, &all,
		"1,main,0,0,0xa00,1,100,-,20|1,main,0,1,0xa00,1,80,-,70|1,main,0,2,0xb00,1,10,-,10|2,main,10,0,0xa00,1,80,-,70|2,main,10,1,0xb00,1,10,-,10|");
}

TEST(small_ones_are_summed_up)
{
	const struct slowest_form big = {.depth_limit = UINT64_MAX, .percent_min = 10}, flat = {.depth_limit = 1};

	run("a100 b110 130 c140 141 d150 152 d160 162 200", "0xa00", 1, &big,
		"1,main,0,0,0xa00,1,100,-,75|1,main,0,1,0xb00,1,20,-,20|1,main,0,1,(2 other functions),3,5,-,-|");
	run("a100 b110 130 c140 141 200", "0xa00", 1, &big, /* one alone has its name */
		"1,main,0,0,0xa00,1,100,-,79|1,main,0,1,0xb00,1,20,-,20|1,main,0,1,0xc00,1,1,-,1|");
	run("a100 b110 c112 114 130 200", "0xa00", 1, &flat, "1,main,0,0,0xa00,1,100,-,80|1,main,0,1,0xb00,1,20,-,18|");
}

TEST(running_at_the_end)
{
	run("a100 b110 c120 130 c140", "0xa00", 1, &all, "1,main,0,0,0xa00,1,~40,-,~10|1,main,0,1,0xb00,1,30,-,20|1,main,0,2,0xc00,2,10,-,10|");
}

/* More paths than are kept: nothing is lost, it is counted where it was called from. */
TEST(many_paths)
{
	static char calls[1 << 20];
	char *end = calls;
	unsigned ticks = 1000;
	struct slowest_form form = all;

	form.percent_min = 100;
	end += sprintf(end, "a%u", ticks);
	for (int first = 'b'; first <= 'z'; first++)
		for (int second = 'b'; second <= 'z'; second++)
			for (int third = 'b'; third <= 'e'; third++) {
				end += sprintf(end, " %c%u %c%u %c%u", first, ticks + 1, second, ticks + 2, third, ticks + 3);
				end += sprintf(end, " %u %u %u", ticks + 4, ticks + 5, ticks + 6);
				ticks += 6;
			}
	sprintf(end, " %u", ticks + 1);
	run(calls, "0xa00", 1, &form, "1,main,0,0,0xa00,1,15001,-,2501|1,main,0,1,(25 other functions),2500,12500,-,-|");
}

int main(void)
{
	RUN(the_longest_in_order);
	RUN(trees);
	RUN(recursion);
	RUN(small_ones_are_summed_up);
	RUN(running_at_the_end);
	RUN(many_paths);
	return tap_done();
}
