#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "util/near.h"

TEST(distances)
{
	CHECK_EQ(near_distance("", ""), 0);
	CHECK_EQ(near_distance("abc", "abc"), 0);
	CHECK_EQ(near_distance("abc", ""), 3);
	CHECK_EQ(near_distance("abc", "abd"), 1);
	CHECK_EQ(near_distance("abc", "ac"), 1);
	CHECK_EQ(near_distance("kitten", "sitting"), 3);
	CHECK_EQ(near_distance("srot", "sort"), 1);
	CHECK_EQ(near_distance("ab", "ba"), 1);
	CHECK_EQ(near_distance("hlepx", "help"), 2);
	CHECK_EQ(near_distance("abcd", "badc"), 2);
	CHECK_EQ(near_distance("ca", "abc"), 3); /* letters that were swapped are not parted again */
}

TEST(patterns)
{
	CHECK(near_matches("abc", "abc"));
	CHECK(!near_matches("abc", "abcd"));
	CHECK(!near_matches("abcd", "abc"));
	CHECK(near_matches("a?c", "abc"));
	CHECK(!near_matches("a?c", "ac"));
	CHECK(near_matches("*", ""));
	CHECK(near_matches("a*", "a"));
	CHECK(near_matches("*c", "abcabc"));
	CHECK(near_matches("a*b*c", "a-b-b-c"));
	CHECK(!near_matches("a*b*c", "a-c-b"));
	CHECK(near_matches("ns::*::get(*", "ns::box<int>::get(int) const"));
	CHECK(near_matches("operator[]*", "operator[](int)")); /* brackets are letters */
	CHECK(!near_matches("", "a"));
	CHECK(near_matches("", ""));
	CHECK(near_is_pattern("a*"));
	CHECK(!near_is_pattern("operator[]"));
}

/* What takes a careless matcher for ever. */
TEST(many_stars)
{
	char text[65536];
	clock_t began = clock();

	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = 0;
	CHECK(!near_matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
	CHECK((clock() - began) / CLOCKS_PER_SEC < 2);
	CHECK_EQ(near_distance(text, "a"), SIZE_MAX);
}

int main(void)
{
	RUN(distances);
	RUN(patterns);
	RUN(many_stars);
	return tap_done();
}
