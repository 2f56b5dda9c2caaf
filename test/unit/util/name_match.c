#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "util/name_match.h"

TEST(distances)
{
	CHECK_EQ(name_match_distance("", ""), 0);
	CHECK_EQ(name_match_distance("abc", "abc"), 0);
	CHECK_EQ(name_match_distance("abc", ""), 3);
	CHECK_EQ(name_match_distance("abc", "abd"), 1);
	CHECK_EQ(name_match_distance("abc", "ac"), 1);
	CHECK_EQ(name_match_distance("kitten", "sitting"), 3);
	CHECK_EQ(name_match_distance("srot", "sort"), 1);
	CHECK_EQ(name_match_distance("ab", "ba"), 1);
	CHECK_EQ(name_match_distance("hlepx", "help"), 2);
	CHECK_EQ(name_match_distance("abcd", "badc"), 2);
	CHECK_EQ(name_match_distance("ca", "abc"), 3); /* letters that were swapped are not parted again */
}

TEST(patterns)
{
	CHECK(name_match_pattern("abc", "abc"));
	CHECK(!name_match_pattern("abc", "abcd"));
	CHECK(!name_match_pattern("abcd", "abc"));
	CHECK(name_match_pattern("a?c", "abc"));
	CHECK(!name_match_pattern("a?c", "ac"));
	CHECK(name_match_pattern("*", ""));
	CHECK(name_match_pattern("a*", "a"));
	CHECK(name_match_pattern("*c", "abcabc"));
	CHECK(name_match_pattern("a*b*c", "a-b-b-c"));
	CHECK(!name_match_pattern("a*b*c", "a-c-b"));
	CHECK(name_match_pattern("ns::*::get(*", "ns::box<int>::get(int) const"));
	CHECK(name_match_pattern("operator[]*", "operator[](int)")); /* brackets are letters */
	CHECK(!name_match_pattern("", "a"));
	CHECK(name_match_pattern("", ""));
	CHECK(name_match_is_pattern("a*"));
	CHECK(!name_match_is_pattern("operator[]"));
}

/* What takes a careless matcher for ever. */
TEST(many_stars)
{
	char text[65536];
	clock_t began = clock();

	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = 0;
	CHECK(!name_match_pattern("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
	CHECK((clock() - began) / CLOCKS_PER_SEC < 2);
	CHECK_EQ(name_match_distance(text, "a"), SIZE_MAX);
}

int main(void)
{
	RUN(distances);
	RUN(patterns);
	RUN(many_stars);
	return tap_done();
}
