/* The longest of many calls are those that sorting all would give, from any parts, also where many are alike. */
#include "check.h"

#include <stdlib.h>

#include "analysis/calls/long_calls.h"

static uint32_t seed;

static uint32_t chance(uint32_t of)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(seed >> 8) * of >> 24);
}

static struct long_call as_kept(const struct call *call)
{
	return (struct long_call){
		call->enter_ticks, call->exit_ticks - call->enter_ticks, call->stream, call->function, call->depth, call->flags};
}

static int by_length(const void *left, const void *right)
{
	const struct long_call *a = left, *b = right;

	return long_call_is_longer(a, b) ? -1 : long_call_is_longer(b, a);
}

static bool is_same(const struct long_call *a, const struct long_call *b)
{
	return !long_call_is_longer(a, b) && !long_call_is_longer(b, a);
}

static void check_longest(struct call *calls, size_t count, size_t limit)
{
	enum { PARTS = 5 };
	struct long_calls whole = {.limit = limit}, sum = {.limit = limit}, parts[PARTS];
	struct long_call *all = malloc(count * sizeof *all);
	size_t kept = limit < count ? limit : count;

	for (int i = 0; i < PARTS; i++)
		parts[i] = (struct long_calls){.limit = SIZE_MAX};
	for (size_t i = 0; i < count; i++) {
		all[i] = as_kept(&calls[i]);
		long_calls_offer(&whole, &calls[i]);
		long_calls_offer(&parts[i % PARTS], &calls[i]);
		CHECK(whole.count <= 2 * limit);
		if (i % 1000 == 999)
			long_calls_merge(&sum, &parts[i / 1000 % PARTS]);
	}
	for (int i = 0; i < PARTS; i++) {
		long_calls_merge(&sum, &parts[i]);
		long_calls_clear(&parts[i]);
	}
	long_calls_settle(&whole);
	long_calls_settle(&sum);
	qsort(all, count, sizeof *all, by_length);
	qsort(whole.calls, whole.count, sizeof *whole.calls, by_length);
	qsort(sum.calls, sum.count, sizeof *sum.calls, by_length);
	CHECK_EQ(whole.offered, count);
	CHECK_EQ(sum.offered, count);
	CHECK_EQ(whole.count, kept);
	CHECK_EQ(sum.count, kept);
	for (size_t i = 0; i < kept; i++)
		CHECK(is_same(&whole.calls[i], &all[i]) && is_same(&sum.calls[i], &all[i]));
	free(all);
	long_calls_clear(&whole);
	long_calls_clear(&sum);
}

TEST(as_sorted)
{
	enum { COUNT = 9000 };
	struct call *calls = malloc(COUNT * sizeof *calls);

	for (seed = 1; seed < 40; seed++) {
		uint32_t span = 1 + chance(1u << (1 + seed % 20));

		for (uint32_t i = 0; i < COUNT; i++)
			calls[i] = (struct call){
				.enter_ticks = i / 3, .depth = i % 3, .stream = chance(4), .exit_ticks = i / 3 + chance(span)};
		check_longest(calls, COUNT, 1 + chance(300));
		check_longest(calls, COUNT, COUNT - 1 + chance(3));
	}
	free(calls);
}

/* Rising, falling, all alike. */
TEST(orders)
{
	enum { COUNT = 5000 };
	struct call *calls = malloc(COUNT * sizeof *calls);

	for (int way = 0; way < 3; way++) {
		for (uint32_t i = 0; i < COUNT; i++)
			calls[i] = (struct call){.enter_ticks = i, .exit_ticks = i + (way == 0 ? i : way == 1 ? COUNT - i : 7)};
		for (size_t limit = 1; limit < COUNT; limit = limit * 3 + 1)
			check_longest(calls, COUNT, limit);
	}
	free(calls);
}

static uint32_t backwards(const void *context, uint32_t stream)
{
	(void)context;
	return 10 - stream;
}

TEST(by_entry)
{
	struct long_calls longest = {.limit = 10};

	long_calls_offer(&longest, &(struct call){.stream = 1, .enter_ticks = 5, .exit_ticks = 6, .depth = 1});
	long_calls_offer(&longest, &(struct call){.stream = 1, .enter_ticks = 5, .exit_ticks = 6});
	long_calls_offer(&longest, &(struct call){.stream = 2, .enter_ticks = 9, .exit_ticks = 13});
	long_calls_offer(&longest, &(struct call){.stream = 2, .enter_ticks = 3, .exit_ticks = 5});
	long_calls_sort(&longest, backwards, NULL);
	CHECK_EQ(longest.calls[0].enter_ticks, 3);
	CHECK_EQ(longest.calls[1].enter_ticks, 9);
	CHECK_EQ(longest.calls[2].depth, 0);
	CHECK_EQ(longest.calls[3].depth, 1);
	long_calls_clear(&longest);
}

int main(void)
{
	RUN(as_sorted);
	RUN(orders);
	RUN(by_entry);
	return tap_done();
}
