/* Counting by place: against a plain count, at every boundary; counters that are full; a sampling interrupt at each instruction of
 * what takes counts away. The counters are those of one processor (port/ultra/bare). */
#include <stdlib.h>

#include "check.h"
#include "classic/target/recorder/histogram/histogram.h"
#include "classic/target/recorder/histogram/jitter.h"
#include "stepped.h"

#define SEGMENTS 64

static uint64_t state = 1;

static uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

static struct histogram histogram;
static struct histogram_segment table[SEGMENTS];
/* Segments as they are given, and what a plain count says. */
static struct plain {
	uintptr_t text, bytes;
	uint16_t *counters;
	uint32_t *counted;
} plain[SEGMENTS];
static uint32_t segments;
static uintptr_t overflow;

/* So many segments, with gaps between them or not, in any order. */
static void make_segments(uint32_t count)
{
	uintptr_t at = 0x80000400u - 4 * pick(2);

	segments = count;
	overflow = 0;
	for (uint32_t i = 0; i < count; i++) {
		at += pick(3) ? 4 * pick(40) : 0;
		plain[i].text = at;
		plain[i].bytes = 4 * (1 + pick(pick(4) ? 8 : 200));
		plain[i].counters = malloc(plain[i].bytes / 2 + 4);
		plain[i].counted = calloc(plain[i].bytes / 4, sizeof *plain[i].counted);
		at += plain[i].bytes;
	}
	for (uint32_t i = count; i > 1; i--) {
		uint32_t other = pick(i);
		struct plain swapped = plain[other];

		plain[other] = plain[i - 1];
		plain[i - 1] = swapped;
	}
	dwell_histogram_begin(&histogram, table, SEGMENTS);
	for (uint32_t i = 0; i < count; i++)
		dwell_histogram_add(&histogram, plain[i].text, plain[i].bytes, plain[i].counters);
}

static void free_segments(void)
{
	for (uint32_t i = 0; i < segments; i++) {
		free(plain[i].counters);
		free(plain[i].counted);
	}
}

static void hit(uintptr_t pc)
{
	uint32_t i;

	dwell_histogram_sample(&histogram, pc);
	for (i = 0; i < segments && !(pc >= plain[i].text && pc < plain[i].text + plain[i].bytes); i++)
		;
	if (i == segments)
		overflow++;
	else
		plain[i].counted[(pc - plain[i].text) / 4]++;
}

static void compare(void)
{
	CHECK_EQ(histogram.overflow, overflow);
	CHECK_EQ(histogram.beyond, 0);
	for (uint32_t i = 0; i < segments; i++)
		for (uint32_t k = 0; k < plain[i].bytes / 4; k++)
			if (plain[i].counters[k] != plain[i].counted[k]) {
				CHECK_EQ(plain[i].counters[k], plain[i].counted[k]);
				return;
			}
}

TEST(random_segments)
{
	for (uint32_t round = 0; round < 400 && !tap_bad; round++) {
		make_segments(1 + round % SEGMENTS);
		for (uint32_t i = 0; i < segments; i++) {
			uintptr_t end = plain[i].text + plain[i].bytes;

			hit(plain[i].text);
			hit(plain[i].text - 1);
			hit(plain[i].text - 4);
			hit(end - 1);
			hit(end - 4);
			hit(end);
		}
		hit(0);
		hit(UINTPTR_MAX);
		for (int i = 0; i < 3000; i++) {
			const struct plain *segment = &plain[pick(segments)];

			/* Often where it was before. */
			for (uint32_t again = pick(6); again; again--)
				hit(segment->text + pick((uint32_t)segment->bytes));
			hit(0x80000000u + pick(0x20000));
		}
		compare();
		free_segments();
	}
}

/* Each place is counted once: in the segment that begins last. */
TEST(overlaps)
{
	static uint16_t low[10], high[4], same[2];

	dwell_histogram_begin(&histogram, table, SEGMENTS);
	dwell_histogram_add(&histogram, 0x1000, 40, low);
	dwell_histogram_add(&histogram, 0x1010, 16, high);
	dwell_histogram_add(&histogram, 0x1010, 8, same);
	for (uintptr_t pc = 0x1000; pc < 0x1030; pc += 4)
		dwell_histogram_sample(&histogram, pc);
	for (int i = 0; i < 10; i++)
		CHECK_EQ(low[i], i < 4);
	CHECK_EQ(high[0] + high[1] + high[2] + high[3] + same[0] + same[1], 2);
	CHECK_EQ(histogram.overflow, 6);
}

/* The first and the last words that there are; a segment of one word; one without any. */
TEST(ends_of_memory)
{
	static uint16_t low[8], high[8], one[2], none[2];
	const uintptr_t top = UINTPTR_MAX - 31;

	dwell_histogram_begin(&histogram, table, SEGMENTS);
	dwell_histogram_add(&histogram, top, 32, high);
	dwell_histogram_add(&histogram, 0x8000, 4, one);
	dwell_histogram_add(&histogram, 0x9000, 0, none);
	dwell_histogram_add(&histogram, 0, 32, low);
	for (uintptr_t i = 0; i < 8; i++) {
		dwell_histogram_sample(&histogram, top + 4 * i);
		dwell_histogram_sample(&histogram, 4 * i + 2);
	}
	for (int i = 0; i < 8; i++)
		CHECK(low[i] == 1 && high[i] == 1);
	CHECK_EQ(histogram.overflow, 0);
	dwell_histogram_sample(&histogram, 0x8002);
	CHECK_EQ(one[0], 1);
	dwell_histogram_sample(&histogram, 0x9000);
	dwell_histogram_sample(&histogram, 0x8004);
	dwell_histogram_sample(&histogram, 0x7ffe);
	dwell_histogram_sample(&histogram, top - 2);
	dwell_histogram_sample(&histogram, 32);
	CHECK_EQ(histogram.overflow, 5);
	CHECK(!one[1] && !none[0]);
}

TEST(full_counters)
{
	static uint16_t counters[4];

	dwell_histogram_begin(&histogram, table, SEGMENTS);
	dwell_histogram_add(&histogram, 0x1000, 16, counters);
	for (uint32_t i = 1; i <= 70000; i++) {
		dwell_histogram_sample(&histogram, 0x1004);
		if (counters[1] != (i < 0xffff ? i : 0xffff) || histogram.beyond != (i > 0xffff ? i - 0xffff : 0) ||
			histogram.wanted != (i > 0x8000) || histogram.segments[0].wanted != (i > 0x8000)) {
			CHECK_EQ(i, 0);
			return;
		}
	}
	CHECK_EQ(counters[0] | counters[2] | counters[3], 0);
	/* What is taken away counts on. */
	histogram.wanted = histogram.segments[0].wanted = 0;
	dwell_histogram_take(&histogram.segments[0], 1, 0xffff);
	CHECK_EQ(counters[1], 0);
	dwell_histogram_sample(&histogram, 0x1004);
	CHECK_EQ(counters[1], 1);
	CHECK_EQ(histogram.wanted, 0);
	/* Those of 32 bits stay where they end. */
	histogram.overflow = UINT32_MAX - 1;
	for (int i = 0; i < 3; i++)
		dwell_histogram_sample(&histogram, 0);
	CHECK_EQ(histogram.overflow, UINT32_MAX);
}

TEST(taken_of_neighbours)
{
	static _Alignas(4) uint16_t counters[3];

	dwell_histogram_begin(&histogram, table, SEGMENTS);
	dwell_histogram_add(&histogram, 0x1000, 12, counters);
	counters[0] = 0xffff;
	counters[1] = 0xfffe;
	counters[2] = 7;
	dwell_histogram_take(&histogram.segments[0], 0, 0xffff);
	CHECK(counters[0] == 0 && counters[1] == 0xfffe && counters[2] == 7);
	dwell_histogram_take(&histogram.segments[0], 1, 0xfff0);
	CHECK(counters[0] == 0 && counters[1] == 0xe && counters[2] == 7);
	dwell_histogram_take(&histogram.segments[0], 2, 6);
	CHECK(counters[0] == 0 && counters[1] == 0xe && counters[2] == 1);
}

/* Parts that are much shorter than a period: the periods are those of their sum. Another mean, or another kind of periods, begins
 * anew. */
TEST(stopped_and_resumed)
{
	struct histogram_jitter jitter = {.state = 0}, whole = {.state = 0};
	struct histogram_pause pause = {0}, none = {0};
	uint32_t due = dwell_histogram_resume(&whole, &none, 1000, 50, false), samples = 0;

	for (uint32_t part = 1; part <= 20000; part++) {
		uint32_t left = dwell_histogram_resume(&jitter, &pause, 1000, 50, false);

		if (left <= 30) { /* of a part of 30: a sample, and the next period begins */
			CHECK_EQ((part - 1) * 30 + left, due);
			due += dwell_histogram_period(&whole);
			left += dwell_histogram_period(&jitter);
			samples++;
		}
		pause.left = left - 30;
	}
	CHECK(samples > 580 && samples < 620);
	pause.left = 7;
	CHECK_EQ(dwell_histogram_resume(&jitter, &pause, 1000, 50, true), 1000);
	pause.left = 7;
	CHECK_EQ(dwell_histogram_resume(&jitter, &pause, 1000, 50, true), 7);
	CHECK_EQ(dwell_histogram_resume(&jitter, &pause, 2000, 50, true), 2000);
}

TEST(periods)
{
	static const uint32_t means[] = {50, 51, 52, 100, 1000, 10000, 468750, 2000000000};

	for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
		struct histogram_jitter jitter = {.state = 0};
		double sum = 0, squares = 0, least = 1e18, last = 0, product = 0;
		const int count = 20000;

		dwell_histogram_jitter(&jitter, means[m], 50, false);
		for (int i = 0; i < count; i++) {
			double period = dwell_histogram_period(&jitter), off = period - means[m];

			sum += period;
			squares += off * off;
			product += off * last;
			last = off;
			least = period < least ? period : least;
		}
		CHECK(least >= 50);
		CHECK(sum / count > means[m] * 0.985 - 1 && sum / count < means[m] * 1.015 + 1);
		if (means[m] >= 1000) {
			/* Evenly over 50 % to either side, at least; and the next one is not known from the last. */
			CHECK(squares / count > 0.08 * means[m] * means[m]);
			CHECK(product / squares < 0.04 && product / squares > -0.04);
		}
		dwell_histogram_jitter(&jitter, means[m], 50, true);
		for (int i = 0; i < 100; i++)
			CHECK_EQ(dwell_histogram_period(&jitter), means[m]);
	}
}

#ifdef __x86_64__
static _Alignas(4) uint16_t few[4];
static uint32_t taken_at;

static void take_some(void)
{
	dwell_histogram_take(&histogram.segments[0], taken_at, 70);
}

/* A sampling interrupt for each of the counters that are being taken from. */
static void sample_all(void)
{
	for (uintptr_t pc = 0x1000; pc < 0x1010; pc += 4)
		dwell_histogram_sample(&histogram, pc);
}

TEST(interrupted_everywhere)
{
	uint32_t points = 0;

	for (taken_at = 0; taken_at < 4; taken_at++)
		for (int32_t point = 0, came = 1; came; point++, points++) {
			dwell_histogram_begin(&histogram, table, SEGMENTS);
			dwell_histogram_add(&histogram, 0x1000, 16, few);
			for (int i = 0; i < 4; i++)
				few[i] = 100;
			came = stepped(take_some, sample_all, point);
			for (uint32_t i = 0; i < 4; i++)
				CHECK_EQ(few[i], 100 + came - (i == taken_at ? 70 : 0));
			CHECK_EQ(histogram.overflow + histogram.beyond, 0);
		}
	CHECK(points > 40);
}
#endif

/* However late interrupts are handled, there are as many as the periods say; but no burst of them where they were late by more than
 * one. */
TEST(lateness_does_not_add_up)
{
	uint64_t due = 1000000, now = due;

	for (uint32_t i = 1; i <= 10000; i++) {
		now = due + (i * 7919) % 49000; /* late by up to 49 of 50 µs */
		due = dwell_histogram_due(due, 50000, now);
		CHECK_EQ(due, 1000000 + UINT64_C(50000) * i);
	}
	now = due + 1000000000; /* the program had no processor */
	CHECK_EQ(dwell_histogram_due(due, 50000, now), now + 50000);
}

int main(void)
{
	RUN(random_segments);
	RUN(overlaps);
	RUN(ends_of_memory);
	RUN(full_counters);
	RUN(taken_of_neighbours);
	RUN(periods);
	RUN(stopped_and_resumed);
#ifdef __x86_64__
	RUN(interrupted_everywhere);
#endif
	RUN(lateness_does_not_add_up);
	return tap_done();
}
