/* Which function of another recording a function is, by name alone: by file and address is in test/cli/report-times-from*. */
#include "analysis/counterpart.h"

#include <string.h>

#include "check.h"

/* The functions of the recording, then one of the other recording; the name of what was found, "-": nothing. */
static const char *find(const char *const names[], size_t count, const char *wanted)
{
	static char found_name[64];
	struct diag *diag = make_diag();
	struct functions *functions = make_functions(diag), *others = make_functions(diag);
	struct counterparts counterparts = {0};
	uint32_t found = FUNCTION_NONE;

	for (size_t i = 0; i < count; i++)
		CHECK(counterparts_add(&counterparts, functions, functions_find_name(functions, names[i])));
	CHECK(counterparts_finish(&counterparts));
	functions_find_name(others, "so that ids differ");
	CHECK(counterparts_find(&counterparts, others, functions_find_name(others, wanted), &found));
	strcpy(found_name, found == FUNCTION_NONE ? "-" : functions_get_name(functions, found));
	counterparts_clear(&counterparts);
	free_functions(functions);
	free_functions(others);
	free_diag(diag);
	return found_name;
}
#define NAMES(...) (const char *const[]){__VA_ARGS__}
#define FIND(wanted, ...) find(NAMES(__VA_ARGS__), sizeof NAMES(__VA_ARGS__) / sizeof(char *), wanted)

TEST(by_name)
{
	CHECK_STR(FIND("parse", "main", "parse", "free"), "parse");
	CHECK_STR(FIND("parse", "main", "parser", "pars"), "-");
	CHECK_STR(FIND("parse(int)", "parse(char)", "parse(int)"), "parse(int)");
	CHECK_STR(find(NULL, 0, "parse"), "-");
}

TEST(pieces_of_a_function)
{
	CHECK_STR(FIND("parse.part.0", "main", "parse"), "parse");
	CHECK_STR(FIND("parse.part.0", "parse", "parse.part.0"), "parse.part.0");
	CHECK_STR(FIND("parse.part.0", "parse.part.0", "parse"), "parse.part.0");
	CHECK_STR(FIND("parse", "parse.isra.0", "parse.part.0"), "parse.isra.0");
	CHECK_STR(FIND("parse.cold", "parse.isra.0", "main"), "parse.isra.0");
}

int main(void)
{
	RUN(by_name);
	RUN(pieces_of_a_function);
	return tap_done();
}
