/* The flat profile: what is known of a time decides where its row is and how it is marked, and never which columns there are. */
#include "check.h"

#include "analysis/functions.h"
#include "analysis/report_columns.h"
#include "made.h"

#define ROWS_MAX 4

/* A table, with its columns by number as in data. */
struct kept {
	uint32_t data_columns;
	uint32_t count;
	struct cell rows[ROWS_MAX][REPORT_COLUMN_COUNT];
	char names[ROWS_MAX][16];
	char keys[1024];
};

static struct kept kept;
static struct profile *profile;

static void begin_table(void *context, const char *name, const struct column *columns, uint32_t count)
{
	(void)context;
	(void)name;
	kept = (struct kept){0};
	for (uint32_t i = 0; i < count; i++) {
		size_t used = strlen(kept.keys);

		if (columns[i].text_only)
			continue;
		CHECK_EQ(i, kept.data_columns); /* data first */
		kept.data_columns++;
		snprintf(kept.keys + used, sizeof kept.keys - used, "%s,", columns[i].key);
	}
}

static void put_row(void *context, const struct cell *cells)
{
	(void)context;
	if (kept.count == ROWS_MAX)
		return;
	memcpy(kept.rows[kept.count], cells, sizeof kept.rows[0]);
	snprintf(kept.names[kept.count], sizeof kept.names[0], "%s", cells[REPORT_NAME].text);
	kept.count++;
}

static void end_table(void *context)
{
	(void)context;
}

/* a, b and c: called once each, without a time so far. */
static void begin(void)
{
	made_begin();
	made_calls("a10 11 b12 13 c14 15");
	model_finish(made_model);
	profile = make_profile(NULL);
	profile->has_times = true;
	for (uint32_t id = 0; id < 3; id++)
		profile_get_function(profile, id)->calls = 1;
}

static void set_time(uint32_t id, uint64_t ticks, uint64_t off, uint64_t unknown)
{
	struct profile_function *function = &profile->functions[id];

	function->self = function->total = ticks;
	function->self_off = function->total_off = (struct off_cpu_ticks){.ticks = off, .unknown_ticks = unknown};
}

static void set_error(uint32_t id, uint64_t ticks)
{
	profile->functions[id].self_error = profile->functions[id].total_error = ticks;
}

static void ask_sorted(enum by by, const char *sort)
{
	const struct analysis_functions what = {.profile = profile,
		.functions = model_get_functions(made_model),
		.clock = model_get_clock(made_model),
		.by = by,
		.sort = sort,
		.limit = UINT64_MAX};
	const struct table_sink sink = {NULL, begin_table, put_row, end_table};

	CHECK(analysis_functions(&what, &sink));
}

static void ask(enum by by)
{
	ask_sorted(by, NULL);
}

static void end(void)
{
	free_profile(profile);
	made_end();
}

static const struct cell *cell_of(const char *name, enum report_column column)
{
	static const struct cell none;

	for (uint32_t i = 0; i < kept.count; i++)
		if (!strcmp(kept.names[i], name))
			return &kept.rows[i][column];
	CHECK(!"the function has a row");
	return &none;
}

/* a waited where nobody looked: that is no time on the CPU, in no share, and it is marked. */
TEST(unknown_time_is_no_cpu_time)
{
	begin();
	profile->has_off_cpu = true;
	set_time(0, 1000, 0, 900);
	set_time(1, 300, 0, 0);
	ask(BY_CPU);
	CHECK_STR(kept.names[0], "0xb00");
	CHECK_EQ(cell_of("0xa00", REPORT_SELF)->count, 1000);
	CHECK_EQ(cell_of("0xa00", REPORT_SELF_CPU)->count, 100);
	CHECK_EQ(cell_of("0xa00", REPORT_TOTAL_CPU)->count, 100);
	CHECK_EQ(cell_of("0xa00", REPORT_SELF_UNKNOWN)->count, 900);
	CHECK_EQ((uint64_t)cell_of("0xa00", REPORT_PERCENT)->real, 25);
	CHECK(cell_of("0xa00", REPORT_SELF_CPU)->unsure && cell_of("0xa00", REPORT_TOTAL_CPU)->unsure);
	CHECK(!cell_of("0xa00", REPORT_SELF)->unsure && !cell_of("0xb00", REPORT_SELF_CPU)->unsure);
	end();
}

/* a was preempted for long, b waited for a lock: both are off the CPU, and only b waits. */
TEST(waiting_is_not_preemption)
{
	begin();
	profile->has_off_cpu = true;
	set_time(0, 1000, 900, 0);
	profile->functions[0].self_off.preempted_ticks = profile->functions[0].total_off.preempted_ticks = 880;
	set_time(1, 300, 200, 0);
	ask_sorted(BY_BEST, "self_off");
	CHECK_STR(kept.names[0], "0xa00");
	ask_sorted(BY_BEST, "waiting");
	CHECK_STR(kept.names[0], "0xb00");
	CHECK_EQ(cell_of("0xa00", REPORT_SELF_WAITING)->count, 20);
	CHECK_EQ(cell_of("0xa00", REPORT_TOTAL_WAITING)->count, 20);
	CHECK_EQ(cell_of("0xb00", REPORT_SELF_WAITING)->count, 200);
	ask_sorted(BY_BEST, "total_waiting");
	CHECK_STR(kept.names[0], "0xb00");
	ask_sorted(BY_WALL, "preempted");
	CHECK_STR(kept.names[0], "0xa00");
	CHECK_EQ(cell_of("0xa00", REPORT_SELF_PREEMPTED)->count, 880);
	CHECK_EQ(cell_of("0xb00", REPORT_TOTAL_PREEMPTED)->count, 0);
	end();
}

/* In whose share such time would be is not known either: 100 to 1000 of a beside 300 of b. */
TEST(unknown_time_leaves_shares_open)
{
	begin();
	profile->has_off_cpu = profile->is_net = true;
	set_time(0, 1000, 0, 900);
	set_time(1, 300, 0, 0);
	ask(BY_CPU);
	CHECK_EQ((uint64_t)cell_of("0xa00", REPORT_LOW)->real, 25);
	CHECK_EQ((uint64_t)cell_of("0xa00", REPORT_HIGH)->real, 76);
	CHECK_EQ((uint64_t)cell_of("0xb00", REPORT_LOW)->real, 23);
	CHECK_EQ((uint64_t)cell_of("0xb00", REPORT_HIGH)->real, 75);
	ask(BY_WALL);
	CHECK_EQ((uint64_t)cell_of("0xa00", REPORT_LOW)->real, 76);
	CHECK_EQ((uint64_t)cell_of("0xa00", REPORT_HIGH)->real, 76);
	end();
}

/* What may be hot and is too short to tell is a block of its own on top; the rest by the middle of what it may be. */
TEST(what_is_open_comes_first)
{
	begin();
	profile->is_net = true;
	set_time(0, 1000, 0, 0);
	set_time(1, 6000, 0, 0);
	set_time(2, 100, 0, 0);
	set_error(0, 900);
	set_error(1, 10);
	set_error(2, 90); /* as wide as its share, but it cannot be hot */
	ask(BY_WALL);
	CHECK_STR(kept.names[0], "0xa00");
	CHECK_STR(kept.names[1], "0xb00");
	CHECK_STR(kept.names[2], "0xc00");
	CHECK(cell_of("0xa00", REPORT_SELF)->unsure && cell_of("0xa00", REPORT_TOTAL)->unsure);
	CHECK(!cell_of("0xb00", REPORT_SELF)->unsure);
	/* All others took as much as they may have, or as little. */
	CHECK_EQ((uint64_t)(cell_of("0xa00", REPORT_LOW)->real * 100), 100 * 10000 / (100 + 6010 + 190));
	CHECK_EQ((uint64_t)(cell_of("0xa00", REPORT_HIGH)->real * 100), 1900 * 10000 / (1900 + 5990 + 10));
	set_error(0, 400);
	ask(BY_WALL);
	CHECK_STR(kept.names[0], "0xb00");
	end();
}

/* a waited for nearly all of its time: how far that may be off leaves what it did on the CPU open, and its time by the clock
 * not. */
TEST(each_time_is_marked_by_its_own_error)
{
	begin();
	profile->has_off_cpu = profile->is_net = true;
	set_time(0, 1000, 900, 0);
	set_time(1, 1000, 0, 0);
	set_error(0, 60);
	set_error(1, 60);
	ask(BY_CPU);
	CHECK_EQ(cell_of("0xa00", REPORT_SELF_CPU)->count, 100);
	CHECK(cell_of("0xa00", REPORT_SELF_CPU)->unsure && cell_of("0xa00", REPORT_TOTAL_CPU)->unsure);
	CHECK(!cell_of("0xa00", REPORT_SELF)->unsure && !cell_of("0xa00", REPORT_TOTAL)->unsure);
	CHECK(!cell_of("0xb00", REPORT_SELF_CPU)->unsure && !cell_of("0xb00", REPORT_TOTAL_CPU)->unsure);
	end();
}

TEST(all_columns_always)
{
	char keys[sizeof kept.keys];

	begin();
	set_time(0, 10, 0, 0);
	ask(BY_BEST);
	CHECK_EQ(kept.data_columns, REPORT_COLUMN_COUNT);
	strcpy(keys, kept.keys);
	CHECK(cell_of("0xa00", REPORT_SELF_CPU)->absent && cell_of("0xa00", REPORT_SELF_ERROR)->absent);
	CHECK(cell_of("0xa00", REPORT_LOW)->absent && cell_of("0xa00", REPORT_SELF_WEIGHT)->absent);
	profile->has_off_cpu = profile->is_net = true;
	ask(BY_BEST);
	CHECK_STR(kept.keys, keys);
	CHECK(!cell_of("0xa00", REPORT_SELF_CPU)->absent && !cell_of("0xa00", REPORT_SELF_ERROR)->absent);
	profile->has_off_cpu = profile->is_net = profile->has_times = false;
	ask(BY_BEST);
	CHECK_STR(kept.keys, keys);
	CHECK_EQ(cell_of("0xa00", REPORT_SELF_WEIGHT)->count, 10);
	CHECK(cell_of("0xa00", REPORT_SELF)->absent && cell_of("0xa00", REPORT_CALLS)->absent);
	end();
}

int main(void)
{
	RUN(unknown_time_is_no_cpu_time);
	RUN(waiting_is_not_preemption);
	RUN(unknown_time_leaves_shares_open);
	RUN(what_is_open_comes_first);
	RUN(each_time_is_marked_by_its_own_error);
	RUN(all_columns_always);
	return tap_done();
}
