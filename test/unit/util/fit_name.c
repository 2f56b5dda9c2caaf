/* Names cut to the columns of a terminal: what tells functions apart stays longest. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "util/fit_name.h"
#include "util/utf8.h"

static size_t columns_of(const char *text, size_t bytes)
{
	size_t columns = 0, at = 0;
	uint32_t code_point;

	for (; at < bytes; columns += (size_t)utf8_columns(code_point))
		at += utf8_decode(text + at, bytes - at, &code_point);
	return columns;
}

static void check_as(const char *name, size_t limit, bool ascii, const char *want)
{
	size_t bytes = strlen(name), columns, used;
	char *out = malloc(FIT_BYTES(bytes) + 1);

	used = fit_name(name, bytes, limit, ascii, out, &columns);
	CHECK(used <= FIT_BYTES(bytes));
	out[used] = 0;
	CHECK_STR(out, want);
	CHECK_EQ(columns, columns_of(out, used));
	CHECK(columns <= limit);
	free(out);
}

static void check(const char *name, size_t limit, const char *want)
{
	check_as(name, limit, false, want);
}

TEST(parts_go_in_order)
{
#define CASE(limit, name, want) check(name, limit, want);
#include "fit_name_cases.h"
#undef CASE
	check_as("app::Cache<std::string, app::Policy>::get(std::string const&) [clone .isra.0]", 38, true, "..::Cache<..>::get(..) [clone .isra.0]");
	check_as("app::Cache<std::string, app::Policy>::get(std::string const&) [clone .isra.0]", 24, true, "..::get(..)..");
}

TEST(columns_of_a_terminal)
{
	check("          deep", 12, "          …p");
	check("          deeper", 14, "          de…r");
	check("日本語の関数の名前", 9, "日本…名前");
}

TEST(each_limit_is_kept)
{
	static const char *const names[] = {"a::b<c<d>, e>::f(g, h<i>)::{lambda(j)#1}::operator()(k) const [clone .l]",
		"日本::語の<関数>(の名前, …)", "   x::y(zzzzzzzz)", "<<<>>>((()))[[[]]]{{{}}}", "operator()(a, b)(c, d)",
		"a/b/c/d.(*E).F(ggg)"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t bytes = strlen(names[i]), columns, used;
		char *out = malloc(FIT_BYTES(bytes));

		for (size_t limit = 3; limit < bytes + 2; limit++) {
			for (int ascii = 0; ascii < 2; ascii++) {
				used = fit_name(names[i], bytes, limit, ascii, out, &columns);
				CHECK(used <= FIT_BYTES(bytes) && columns <= limit && columns == columns_of(out, used));
				used = fit_start(names[i], bytes, limit, ascii, out, &columns);
				CHECK(used <= FIT_BYTES(bytes) && columns <= limit && columns == columns_of(out, used));
			}
		}
		free(out);
	}
}

int main(void)
{
	RUN(parts_go_in_order);
	RUN(columns_of_a_terminal);
	RUN(each_limit_is_kept);
	return tap_done();
}
