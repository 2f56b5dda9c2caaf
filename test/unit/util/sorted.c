/* Lists are sorted, and a list in order stays as it is. */
#include "check.h"

#include "util/sorted.h"

static unsigned compared;

static int by_value(const void *a, const void *b)
{
	const uint32_t *left = a, *right = b;

	compared++;
	return (*left > *right) - (*left < *right);
}

static bool is_sorted(const uint32_t *list, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (list[i - 1] > list[i])
			return false;
	return true;
}

TEST(a_list_is_sorted)
{
	uint32_t list[100];

	for (uint32_t i = 0; i < 100; i++)
		list[i] = i * 37 % 50;
	sort_list(list, 100, sizeof *list, by_value);
	CHECK(is_sorted(list, 100));
	list[99] = 0; /* only the last one is out of order */
	sort_list(list, 100, sizeof *list, by_value);
	CHECK(is_sorted(list, 100));
	CHECK_EQ(list[0] + list[1] + list[2], 0);
}

TEST(a_sorted_list_is_compared_once)
{
	uint32_t list[100];

	for (uint32_t i = 0; i < 100; i++)
		list[i] = i / 2;
	compared = 0;
	sort_list(list, 100, sizeof *list, by_value);
	CHECK_EQ(compared, 99);
	CHECK(is_sorted(list, 100));
}

TEST(a_short_list_may_be_null)
{
	uint32_t one = 1;

	compared = 0;
	sort_list(NULL, 0, sizeof one, by_value);
	sort_list(&one, 1, sizeof one, by_value);
	CHECK_EQ(compared, 0);
}

int main(void)
{
	RUN(a_list_is_sorted);
	RUN(a_sorted_list_is_compared_once);
	RUN(a_short_list_may_be_null);
	return tap_done();
}
