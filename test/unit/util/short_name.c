/* Names of the standard library, as compilers spell them out. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/short_name.h"

#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

static void check(const char *name, const char *want)
{
	char *text = make_short_name(name);

	CHECK_STR(text ? text : name, want);
	CHECK(!text || strlen(text) < strlen(name));
	free(text);
}

TEST(strings)
{
	check(STRING, "std::string");
	check("std::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> >", "std::wstring");
	check("std::__1::basic_string<char32_t, std::__1::char_traits<char32_t>, std::__1::allocator<char32_t>>", "std::u32string");
	check("std::basic_ostream<char, std::char_traits<char> >", "std::ostream");
	check("parse(" STRING " const&, int)", "parse(std::string const&, int)");
	check(STRING "::append(char const*)", "std::string::append(char const*)");
	check("name[abi:cxx11](int)", "name(int)");
	/* another allocator is no default */
	check("std::basic_string<char, std::char_traits<char>, my::allocator<char> >", "std::basic_string<char, std::char_traits<char>, my::allocator<char>>");
}

TEST(containers)
{
	check("std::vector<int, std::allocator<int> >", "std::vector<int>");
	check("std::less<" STRING " >::f()", "std::less<std::string>::f()");
	check("std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, std::allocator<int> > > >::f()",
		"std::vector<std::vector<int>>::f()");
	check("std::map<int, long, std::less<int>, std::allocator<std::pair<int const, long> > >", "std::map<int, long>");
	check("std::unordered_map<" STRING ", int, std::hash<" STRING " >, std::equal_to<" STRING " >, std::allocator<std::pair<" STRING " const, int> > >",
		"std::unordered_map<std::string, int>");
	check("std::unique_ptr<Shape, std::default_delete<Shape> >", "std::unique_ptr<Shape>");
	check("std::function<void (int, std::vector<int, std::allocator<int> >)>::operator()(int) const",
		"std::function<void (int, std::vector<int>)>::operator()(int) const");
	/* whose arguments mean something */
	check("mine<int, std::allocator<int> >", "mine<int, std::allocator<int>>");
	check("std::pair<int, std::less<int> >::f()", "std::pair<int, std::less<int>>::f()");
	check("std::set<int, std::less<void>, std::allocator<int> >", "std::set<int, std::less<void>>");
	check("std::set<int, std::greater<int>, std::allocator<int> >", "std::set<int, std::greater<int>>");
}

TEST(operators)
{
	check("operator<<(std::basic_ostream<char, std::char_traits<char> >&, Shape const&)", "operator<<(std::ostream&, Shape const&)");
	check("std::operator<< <std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, char const*)",
		"std::operator<< <std::char_traits<char>>(std::ostream&, char const*)");
	check("bool operator< <int>(A<std::vector<int, std::allocator<int> > > const&)", "bool operator< <int>(A<std::vector<int>> const&)");
	check("p<std::vector<int, std::allocator<int> > >::operator->() const", "p<std::vector<int>>::operator->() const");
	check("f<int>(decltype (a->b), std::vector<int, std::allocator<int> >)", "f<int>(decltype (a->b), std::vector<int>)");
	check("my_operator<std::vector<int, std::allocator<int> > >()", "my_operator<std::vector<int>>()");
}

TEST(left_alone)
{
	CHECK(!make_short_name("main"));
	CHECK(!make_short_name("shape::Circle::area()"));
	CHECK(!make_short_name("<T as core::fmt::Display>::fmt"));
	CHECK(!make_short_name(""));
	/* brackets that do not fit */
	CHECK(!make_short_name("std::__cxx11::a<b, std::allocator<c> > >"));
	CHECK(!make_short_name("std::__cxx11::a(b>"));
	CHECK(!make_short_name("std::vector<int, std::allocator<int>"));
	CHECK(!make_short_name("[abi:never ends"));
}

/* No name is too deep or too odd. */
TEST(hostile)
{
	static const char letters[] = "<>(){}[],: s*-";
	char name[4096];
	uint32_t random = 1;

	for (int run = 0; run < 3000; run++) {
		size_t bytes = 0;

		while (bytes < 200) {
			random = random * 1664525u + 1013904223u;
			if (random >> 29)
				name[bytes++] = letters[(random >> 16) % (sizeof letters - 1)];
			else
				bytes += (size_t)sprintf(name + bytes, "std::allocator<");
		}
		name[bytes] = 0;
		free(make_short_name(name));
	}
	memset(name, '<', sizeof name - 1);
	name[sizeof name - 1] = 0;
	CHECK(!make_short_name(name));
}

int main(void)
{
	RUN(strings);
	RUN(containers);
	RUN(operators);
	RUN(left_alone);
	RUN(hostile);
	return tap_done();
}
