/* What a recording leaves out, as its file says it: two that leave out other functions never say the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "record/session/recording_inner.h"

static struct recording_options options;

static void leave_out(uint32_t depth, uint32_t count, char names[][40], const char *option)
{
	options = (struct recording_options){.command_line = "dwell record ./app", .depth_limit = depth, .filter.pattern_count = count};
	for (uint32_t i = 0; i < count; i++)
		options.filter.patterns[i] = (struct filter_pattern){names[i], option, true, false};
}

/* Null: it is not told. */
static const char *told(struct facts *facts)
{
	const char *value = NULL;

	facts_make(facts, &options);
	CHECK(facts->count <= sizeof facts->list / sizeof *facts->list);
	for (uint32_t i = 0; i < facts->count; i++)
		if (!strcmp(facts->list[i].key, "left-out"))
			value = facts->list[i].value;
	return value;
}

TEST(short_ones_are_told_in_full)
{
	static char names[2][40] = {"vec_*", "file:*/hash.c"};
	struct facts facts;

	leave_out(0, 0, NULL, "");
	CHECK(!told(&facts));
	leave_out(3, 0, NULL, "");
	CHECK(told(&facts) && !strcmp(told(&facts), "--depth 3"));
	leave_out(3, 2, names, "--not");
	CHECK(told(&facts) && !strcmp(told(&facts), "--depth 3, --not vec_*, --not file:*/hash.c"));
	leave_out(0, 1, names, "--only");
	CHECK(told(&facts) && !strcmp(told(&facts), "--only vec_*"));
}

/* Of each number of them: as many as find room, and the last of all counts as much as the first. */
TEST(long_ones_differ)
{
	static char names[FILTER_PATTERNS_MAX][40];
	struct facts facts;
	char all[sizeof facts.left_out], before[sizeof facts.left_out] = "";
	bool is_cut = false;

	for (uint32_t i = 0; i < FILTER_PATTERNS_MAX; i++)
		snprintf(names[i], sizeof names[i], "a_function_of_some_length_%u", (unsigned)i);
	for (uint32_t count = 1; count <= FILTER_PATTERNS_MAX; count++) {
		leave_out(1, count, names, "--exclude");
		CHECK(told(&facts) && strlen(told(&facts)) < sizeof facts.left_out);
		snprintf(all, sizeof all, "%s", told(&facts));
		is_cut |= strstr(all, ", more (") != NULL;
		CHECK(strcmp(all, before) != 0);
		CHECK(all[strlen(all) - 1] == (is_cut ? ')' : names[count - 1][strlen(names[count - 1]) - 1]));
		strcpy(before, all);
		names[count - 1][0] = 'b';
		CHECK(strcmp(all, told(&facts)) != 0);
		names[count - 1][0] = 'a';
		CHECK(!strcmp(all, told(&facts)));
	}
	CHECK(is_cut);
}

int main(void)
{
	RUN(short_ones_are_told_in_full);
	RUN(long_ones_differ);
	return tap_done();
}
