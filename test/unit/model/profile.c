/* Rows of functions: durations that were counted the short way, and others. */
#include "model/profile/profile.h"

#include <string.h>

#include "check.h"

static uint64_t state = 1;

static uint64_t pick(uint64_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 33) % below;
}

static void check_same(const struct profile_function *left, const struct profile_function *right)
{
	struct histogram_bucket one, other;
	uint32_t at = 0, at_other = 0;

	CHECK_EQ(left->complete, right->complete);
	CHECK_EQ(left->min, right->min);
	CHECK_EQ(left->max, right->max);
	CHECK_EQ(left->sum, right->sum);
	CHECK_EQ(left->durations.count, right->durations.count);
	while (histogram_next(&left->durations, &at, &one)) {
		CHECK(histogram_next(&right->durations, &at_other, &other));
		CHECK(one.low == other.low && one.count == other.count);
	}
	CHECK(!histogram_next(&right->durations, &at_other, &other));
}

/* As thread.c and packed_slots.c do: one after the other the long way, or the short way where that goes. */
static uint32_t count(struct profile *one, struct profile *other, uint64_t ticks, bool complete)
{
	struct profile_function *slow = profile_get_function(one, 1), *quick = profile_get_function(other, 1);
	bool was_quick = complete && profile_add_duration_fast(quick, ticks);

	CHECK(profile_add_duration(slow, ticks, complete));
	CHECK(was_quick || profile_add_duration(quick, ticks, complete));
	return was_quick;
}

TEST(short_calls_are_calls)
{
	struct profile *one = make_profile(NULL), *other = make_profile(NULL);
	struct profile *whole = make_profile(NULL), *parts = make_profile(NULL);
	uint32_t quick = 0;

	CHECK(one && other && whole && parts);
	one->pages.are_kept = other->pages.are_kept = true;
	for (uint32_t part = 0; part < 4; part++) {
		/* The first calls of a part may be cut, and do not count where there are others. */
		for (uint32_t i = 0; i < 12; i++)
			quick += count(one, other, 5 + pick(300), part == 3);
		for (uint32_t i = 0; i < 3000; i++)
			quick += count(one, other, pick(pick(2) ? PROFILE_SHORT_TICKS : 1u << 20), pick(50) != 0);
		CHECK(profile_settle_in_time(other, 10));
		CHECK(profile_move_functions(whole, one));
		CHECK(profile_move_functions(parts, other));
		CHECK_EQ(other->functions[1].durations.count, 0);
	}
	CHECK(quick > 5000);
	check_same(&whole->functions[1], &parts->functions[1]);
	count(one, other, 7, true);
	profile_empty_functions(other);
	profile_empty_functions(one);
	CHECK(profile_settle(other));
	check_same(&one->functions[1], &other->functions[1]);
	free_profile(one);
	free_profile(other);
	free_profile(whole);
	free_profile(parts);
}

/* Of many functions a part comes by few, in pages of their own; the next part by others, and some of the same. */
TEST(parts_of_few_functions)
{
	static const uint32_t parts[][3] = {{0, 63, 64}, {64, 5000, 5001}, {0, 4999, 10000}, {5000, 5000, 5000}};
	struct profile *part = make_profile(NULL), *moved = make_profile(NULL);
	uint64_t calls[10001] = {0};

	part->pages.are_kept = true;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		for (size_t k = 0; k < 3; k++) {
			profile_get_function(part, parts[i][k])->calls += i + 1;
			calls[parts[i][k]] += i + 1;
		}
		CHECK(profile_move_functions(moved, part));
		CHECK_EQ(part->pages.count, 0);
	}
	/* One that is given up leaves nothing for the next. */
	profile_get_function(part, 7)->calls = profile_get_function(part, 9000)->calls = 100;
	profile_empty_functions(part);
	CHECK(profile_move_functions(moved, part));
	CHECK_EQ(moved->function_count, 10001);
	for (uint32_t id = 0; id < moved->function_count; id++)
		if (!CHECK_EQ(moved->functions[id].calls, calls[id]))
			break;
	for (uint32_t id = 0; id < part->function_count; id++)
		if (!CHECK_EQ(part->functions[id].calls, 0))
			break;
	free_profile(part);
	free_profile(moved);
}

/* A counter of 32 bits never holds more than that. */
TEST(it_is_settled_in_time)
{
	struct profile *profile = make_profile(NULL);
	struct profile_function *function = profile_get_function(profile, 0);

	for (uint32_t i = 0; i < 10; i++)
		CHECK(profile_add_duration(function, 3, true));
	CHECK(profile_add_duration_fast(function, 3));
	function->short_calls[3] = UINT32_MAX / 2 - 1;
	CHECK(profile_settle_in_time(profile, UINT32_MAX / 2 - 1));
	CHECK_EQ(function->durations.count, 10);
	CHECK(profile_add_duration_fast(function, 3));
	CHECK(profile_settle_in_time(profile, 1));
	CHECK_EQ(function->short_calls[3], 0);
	CHECK_EQ(function->durations.count, 10 + UINT32_MAX / 2);
	CHECK_EQ(function->sum, 3 * function->durations.count);
	free_profile(profile);
}

int main(void)
{
	RUN(short_calls_are_calls);
	RUN(parts_of_few_functions);
	RUN(it_is_settled_in_time);
	return tap_done();
}
