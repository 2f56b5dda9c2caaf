/* The flat profile of samples: in which order functions stand that have the same share, and what a limited table lacks. */
#include "analysis/shares.h"

#include "check.h"
#include "made.h"

static struct profile *profile;
static struct table_rest left_out;
static char names[64]; /* of the rows: "d b a" */
static char timed[64]; /* of the rows whose calls have a time */
static int per_call; /* the column with that time; -1: none */

static void begin_table(void *context, const char *name, const struct column *columns, uint32_t count)
{
	(void)context, (void)name;
	*names = *timed = 0;
	per_call = -1;
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(columns[i].key, "self_per_call_ns"))
			per_call = (int)i;
}

/* A function at 0xa00 is a. */
static void put_row(void *context, const struct cell *cells)
{
	size_t used = strlen(names);

	(void)context;
	snprintf(names + used, sizeof names - used, "%s%c", used ? " " : "", cells[0].text[2]);
	if (per_call >= 0 && !cells[per_call].absent) {
		used = strlen(timed);
		snprintf(timed + used, sizeof timed - used, "%s%c", used ? " " : "", cells[0].text[2]);
	}
}

static void end_table(void *context)
{
	(void)context;
}

static void set(uint32_t id, uint64_t self, uint64_t total, uint64_t calls)
{
	struct profile_function *function = profile_get_function(profile, id);

	function->self = self;
	function->total = total;
	function->calls = calls;
}

/* d calls a and b, which take the same time with what they call; a is in no sample itself. c only counted its calls. */
static void begin(void)
{
	made_begin();
	made_calls("a10 11 b12 13 c14 15 d16 17 e18 19");
	model_finish(made_model);
	profile = make_profile(NULL);
	profile->counts_calls = true;
	profile->total = 100;
	set(0, 0, 40, 9);
	set(1, 10, 40, 1);
	set(2, 0, 0, 7);
	set(3, 0, 100, 1);
	set(4, 90, 90, 2);
}

static void ask(const char *sort, uint64_t limit)
{
	const struct analysis_shares what = {.profile = profile,
		.functions = model_get_functions(made_model),
		.sort = sort,
		.limit = limit,
		.rest = &left_out};
	const struct table_sink sink = {NULL, begin_table, put_row, end_table};

	left_out = (struct table_rest){0};
	CHECK(analysis_shares(&what, &sink));
}

static void end(void)
{
	free_profile(profile);
	made_end();
}

TEST(functions_in_no_sample_are_the_last_of_equal_ones)
{
	begin();
	ask(NULL, UINT64_MAX);
	CHECK_STR(names, "e b d a c");
	ask("total", UINT64_MAX);
	CHECK_STR(names, "d e b a c");
	ask("samples", UINT64_MAX); /* none is known here: by what they took */
	CHECK_STR(names, "e b d a c");
	ask("calls", UINT64_MAX);
	CHECK_STR(names, "a c e b d");
	ask("function", UINT64_MAX);
	CHECK_STR(names, "a b c d e");
	end();
}

/* A function in no sample may take any time that samples missed, not none. */
TEST(calls_of_a_function_in_no_sample_have_no_time)
{
	begin();
	snprintf(profile->unit, sizeof profile->unit, "ns");
	ask(NULL, UINT64_MAX);
	CHECK(per_call >= 0);
	CHECK_STR(timed, "e b");
	end();
}

TEST(a_limited_table_knows_what_it_lacks)
{
	begin();
	ask("total", 2);
	CHECK_STR(names, "d e");
	CHECK_EQ(left_out.rows, 3);
	ask("total", 5);
	CHECK_EQ(left_out.rows, 0);
	ask("total", UINT64_MAX);
	CHECK_EQ(left_out.rows, 0);
	end();
}

int main(void)
{
	RUN(functions_in_no_sample_are_the_last_of_equal_ones);
	RUN(calls_of_a_function_in_no_sample_have_no_time);
	RUN(a_limited_table_knows_what_it_lacks);
	return tap_done();
}
