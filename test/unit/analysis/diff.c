/* A diff of profiles made by hand: what is summed up, what is compared, what stops a build. */
#include "analysis/diff/diff.h"

#include <string.h>

#include "check.h"
#include "model/function/function.h"

struct made_function {
	const char *name;
	uint64_t self, off, calls, total; /* total: 0: as self */
};

/* A run of a trace whose ticks are nanoseconds; knows_cpu: off is known. */
static void add(struct diff *diff, enum compare_side side, const struct made_function *list, size_t count, bool knows_cpu)
{
	struct diag *diag = make_diag();
	struct functions *functions = make_functions(diag);
	struct profile *profile = make_profile(NULL);
	struct clock_map clock;

	clock_init(&clock);
	profile->has_times = true;
	profile->has_off_cpu = knows_cpu;
	for (size_t i = 0; i < count; i++) {
		struct profile_function *row = profile_get_function(profile, functions_find_name(functions, list[i].name));

		row->self = list[i].self;
		row->total = list[i].total ? list[i].total : list[i].self;
		row->self_off.ticks = list[i].off;
		row->calls = list[i].calls;
		profile->total += list[i].self;
	}
	CHECK(diff_add(diff, side, &(struct diff_run){profile, functions, &clock}));
	free_profile(profile);
	free_functions(functions);
	free_diag(diag);
}

/* "name old new change low high verdict|…": of what the table is by. */
static char text[1024];
static const char *by;
static uint32_t columns[7];

static void find_columns(void *context, const char *name, const struct column *list, uint32_t count)
{
	static const char *const parts[] = {"function", "old_%s", "new_%s", "%s_change", "%s_low", "%s_high", "verdict"};
	char key[32];

	(void)context;
	(void)name;
	*text = 0;
	for (uint32_t i = 0; i < 7; i++)
		for (uint32_t k = count; k--;) {
			snprintf(key, sizeof key, parts[i], i > 2 && !strcmp(by, "total_ns") ? "ns_total" : by);
			if (!strcmp(list[k].key, key) && !list[k].text_only)
				columns[i] = k;
		}
}

static void put_row(void *context, const struct cell *cells)
{
	size_t used = strlen(text);

	(void)context;
	used += (size_t)snprintf(text + used, sizeof text - used, "%s", cells[columns[0]].text);
	for (uint32_t i = 1; i < 6; i++) {
		const struct cell *cell = &cells[columns[i]];

		if (cell->absent)
			used += (size_t)snprintf(text + used, sizeof text - used, " -");
		else if (strstr(by, "ns"))
			used += (size_t)snprintf(text + used, sizeof text - used, " %lld", (long long)cell->signed_count);
		else
			used += (size_t)snprintf(text + used, sizeof text - used, " %.2f", cell->real);
	}
	snprintf(text + used, sizeof text - used, " %s|", cells[columns[6]].text);
}

static void end(void *context)
{
	(void)context;
}

static const char *table(const struct diff *diff, enum diff_measure measure)
{
	const struct table_sink sink = {NULL, find_columns, put_row, end};

	by = measure == DIFF_TIME ? "ns" : measure == DIFF_SHARE ? "percent" : measure == DIFF_TOTAL ? "total_ns" : "calls";
	CHECK(diff_write(diff, &(struct diff_table){measure, UINT64_MAX}, &sink));
	return text;
}

#define ADD(side, ...)                                                                                                             \
	add(diff, side, (const struct made_function[]){__VA_ARGS__},                                                               \
		sizeof((const struct made_function[]){__VA_ARGS__}) / sizeof(struct made_function), false)

TEST(facts_of_one_run)
{
	const struct diff_limit any = {0, false};
	struct diff *diff = make_diff();

	ADD(COMPARE_OLD, {"f", 300, 0, 3}, {"g", 100, 0, 1}, {"gone", 100, 0, 1});
	ADD(COMPARE_NEW, {"f", 600, 0, 6}, {"g", 100, 0, 1}, {"came", 300, 0, 1});
	CHECK(diff_finish(diff, 0.95));
	CHECK_STR(table(diff, DIFF_TIME), "came 0 300 300 - - cannot tell|f 300 600 300 - - cannot tell|gone 100 0 -100 - - cannot tell|"
		"g 100 100 0 - - cannot tell|");
	CHECK_STR(table(diff, DIFF_SHARE), "came 0.00 30.00 30.00 - - cannot tell|gone 20.00 0.00 -20.00 - - cannot tell|"
		"g 20.00 10.00 -10.00 - - cannot tell|f 60.00 60.00 0.00 - - cannot tell|");
	CHECK(diff_get_whole(diff).change == 500 && !diff_get_whole(diff).is_known);
	CHECK(!diff_knows_runs(diff) && diff_count_over(diff, DIFF_TIME, &any) == 0);
	CHECK(diff_count(diff, DIFF_TIME).functions == 4 && diff_count(diff, DIFF_TIME).looked_at == 0);
	free_diff(diff);
}

/* Calls are counted: of one trace of each they stop a build, too, and times do not. */
TEST(calls_are_exact)
{
	const struct diff_limit limits[] = {{0.05, false}, {0.49, false}, {0.5, false}, {0.39, true}, {0.4, true}};
	const uint32_t over[] = {1, 1, 0, 1, 0}; /* 200 more of 400, and of 500 in all */
	struct diff *diff = make_diff();

	ADD(COMPARE_OLD, {"f", 300, 0, 400}, {"g", 100, 0, 100});
	ADD(COMPARE_NEW, {"f", 600, 0, 600}, {"g", 100, 0, 90});
	CHECK(diff_finish(diff, 0.95));
	CHECK(diff_is_exact(diff, DIFF_CALLS) && !diff_is_exact(diff, DIFF_TIME));
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		CHECK(diff_count_over(diff, DIFF_CALLS, &limits[i]) == over[i]);
		CHECK(diff_count_over(diff, DIFF_TIME, &limits[i]) == 0);
	}
	free_diff(diff);
}

/* The same in each run: nothing is left open. */
TEST(what_stops_a_build)
{
	const struct diff_limit limits[] = {{0.05, false}, {0.19, false}, {0.2, false}, {0.09, true}, {0.1, true}};
	const uint32_t over[] = {2, 1, 0, 2, 0}; /* f took 20 % more, all together 10 %, which is so of points, too */
	struct diff *diff = make_diff();

	for (int run = 0; run < 3; run++) {
		ADD(COMPARE_OLD, {"f", 500, 0, 3}, {"g", 500, 0, 1});
		ADD(COMPARE_NEW, {"f", 600, 0, 3}, {"g", 500, 0, 1});
	}
	CHECK(diff_finish(diff, 0.95));
	CHECK(diff_knows_runs(diff));
	CHECK_STR(table(diff, DIFF_TIME), "f 500 600 100 100 100 rose|g 500 500 0 0 0 cannot tell|");
	CHECK(diff_get_whole(diff).verdict == COMPARE_ROSE);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		CHECK(diff_count_over(diff, DIFF_TIME, &limits[i]) == over[i]);
	CHECK(diff_count(diff, DIFF_TIME).rose == 1 && diff_count(diff, DIFF_TIME).fell == 0);
	free_diff(diff);
}

/* Runs that differ: the middle is 20 % more, but it may be less than 5. */
TEST(not_proven)
{
	const uint64_t old[] = {450, 500, 550}, new[] = {540, 600, 660};
	const struct diff_limit limit = {0.05, false};
	struct diff *diff = make_diff();

	for (int run = 0; run < 3; run++) {
		ADD(COMPARE_OLD, {"f", old[run], 0, 3});
		ADD(COMPARE_NEW, {"f", new[run], 0, 3});
	}
	CHECK(diff_finish(diff, 0.95));
	CHECK(!strncmp(table(diff, DIFF_TIME), "f 500 600 100 -", 15));
	CHECK(strstr(text, "cannot tell"));
	CHECK(diff_count_over(diff, DIFF_TIME, &limit) == 0);
	free_diff(diff);
}

TEST(pieces_are_summed_up)
{
	struct diff *diff = make_diff();

	ADD(COMPARE_OLD, {"f", 500, 0, 3}, {"g", 500, 0, 1});
	ADD(COMPARE_NEW, {"f", 200, 0, 3}, {"f.part.0", 300, 0, 2}, {"g", 500, 0, 1});
	CHECK(diff_finish(diff, 0.95));
	CHECK_STR(table(diff, DIFF_TIME), "f 500 500 0 - - cannot tell|g 500 500 0 - - cannot tell|");
	free_diff(diff);
}

/* A library's function takes longer: by total the change is that of the user's function; main is nearly all. */
TEST(totals_name_the_caller)
{
	struct diff *diff = make_diff();
	uint32_t risen[3] = {0};

	ADD(COMPARE_OLD, {"main", 50, 0, 1, 1000}, {"handle", 0, 0, 9, 400}, {"append", 400, 0, 9, 0}, {"other", 550, 0, 9, 0});
	ADD(COMPARE_NEW, {"main", 50, 0, 1, 1500}, {"handle", 0, 0, 9, 900}, {"append", 900, 0, 9, 0}, {"other", 550, 0, 9, 0});
	CHECK(diff_finish(diff, 0.95));
	CHECK_STR(table(diff, DIFF_TOTAL), "append 400 900 500 - - cannot tell|handle 400 900 500 - - cannot tell|"
		"main 1000 1500 500 - - cannot tell|other 550 550 0 - - cannot tell|");
	CHECK(diff_find_risen(diff, risen, 3) == 1);
	CHECK_STR(diff_get_name(diff, risen[0]), "handle");
	CHECK(diff_get_compared(diff, DIFF_TOTAL, risen[0])->change == 500);
	free_diff(diff);
}

/* A function without self time is a row by total only; a part is in the total of the function that it is of. */
TEST(totals_of_parts)
{
	struct diff *diff = make_diff();

	ADD(COMPARE_OLD, {"f", 500, 0, 3, 0}, {"caller", 0, 0, 0, 700});
	ADD(COMPARE_NEW, {"f", 200, 0, 3, 500}, {"f.part.0", 300, 0, 2, 0}, {"caller", 0, 0, 0, 700});
	CHECK(diff_finish(diff, 0.95));
	CHECK_STR(table(diff, DIFF_TOTAL), "caller 700 700 0 - - cannot tell|f 500 500 0 - - cannot tell|");
	CHECK_STR(table(diff, DIFF_TIME), "f 500 500 0 - - cannot tell|");
	CHECK(diff_count(diff, DIFF_TIME).functions == 1 && diff_count(diff, DIFF_TOTAL).functions == 2);
	free_diff(diff);
}

/* Time on the CPU where all runs know it. */
TEST(time_on_the_cpu)
{
	const struct made_function waits[] = {{"f", 500, 400, 1}}, works[] = {{"f", 700, 400, 1}};

	for (int knows = 0; knows < 2; knows++) {
		struct diff *diff = make_diff();

		add(diff, COMPARE_OLD, waits, 1, true);
		add(diff, COMPARE_NEW, works, 1, knows);
		CHECK(diff_finish(diff, 0.95));
		CHECK(diff_is_on_cpu(diff) == knows);
		CHECK_STR(table(diff, DIFF_TIME), knows ? "f 100 300 200 - - cannot tell|" : "f 500 700 200 - - cannot tell|");
		free_diff(diff);
	}
}

int main(void)
{
	RUN(facts_of_one_run);
	RUN(calls_are_exact);
	RUN(what_stops_a_build);
	RUN(not_proven);
	RUN(pieces_are_summed_up);
	RUN(totals_name_the_caller);
	RUN(totals_of_parts);
	RUN(time_on_the_cpu);
	return tap_done();
}
