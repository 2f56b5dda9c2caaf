/* The order of samples says how much they say. */
#include <stdlib.h>

#include "check.h"
#include "cmd/profile/error.h"
#include "core/ratio.h"

#define SYMBOLS 4u

static uint64_t seed = 11;

static uint32_t draw(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)((seed >> 33) % below);
}

/* Symbols of 100 bytes at 100, 200, …, the third of them a hole; the second one is split in four. */
static struct dwell_tally *make_tally(void)
{
	struct dwell_tally *tally = malloc(sizeof *tally);
	static const char *const names[SYMBOLS] = {"first", "second", NULL, "fourth"};

	dwell_tally_init(tally, malloc(dwell_tally_bytes(SYMBOLS, 4)), SYMBOLS, 4, 100 * (SYMBOLS + 1));
	for (uint32_t i = 0; i < SYMBOLS; i++)
		dwell_tally_add(tally, 100 * (i + 1), names[i]);
	dwell_tally_finish(tally);
	dwell_tally_split(tally, 1, 4);
	return tally;
}

static void free_tally(struct dwell_tally *tally)
{
	free(tally->names);
	free(tally);
}

/* The width of the interval of the first symbol, which has a half, in hundredths of a percent: by the order, and by the count alone. */
static void measure(uint32_t run, uint32_t threads, uintptr_t *ordered, uintptr_t *counted)
{
	struct dwell_tally *tally = make_tally();
	struct profile_error error = {.tally = tally};
	uintptr_t low = 0, high = 0, hits = 0;
	uint64_t offsets[3] = {0};

	for (uint32_t i = 0; i < 6000; i++) {
		uint32_t thread = i % threads;

		if (i / threads % run == 0)
			offsets[thread] = draw(2) ? 150 : 450;
		hits += offsets[thread] == 150;
		profile_error_add(&error, 100 + thread, offsets[thread]);
	}
	profile_error_end(&error);
	CHECK(profile_error_get(&error, false, 0, &low, &high));
	*ordered = high - low;
	CHECK(low < 5300 && high > 4700);
	dwell_ratio_interval(hits, 6000, &low, &high);
	*counted = high - low;
	profile_error_clear(&error);
	free_tally(tally);
}

TEST(runs_say_less)
{
	uintptr_t ordered, counted;

	measure(1, 1, &ordered, &counted);
	CHECK(ordered >= counted - 2 && ordered < counted * 5 / 4);
	measure(10, 1, &ordered, &counted); /* √10 */
	CHECK(ordered > counted * 5 / 2 && ordered < counted * 4);
	measure(10, 3, &ordered, &counted); /* of each of three threads, which take turns */
	CHECK(ordered > counted * 5 / 2 && ordered < counted * 4);
}

TEST(parts_and_holes)
{
	struct dwell_tally *tally = make_tally();
	struct profile_error error = {.tally = tally};
	uintptr_t low, high, part_low, part_high;

	CHECK(!profile_error_get(&error, false, 0, &low, &high));
	for (uint32_t i = 0; i < 4000; i++) {
		profile_error_add(&error, 1, 10 + draw(2) * 300); /* before the first symbol, and in the hole */
		profile_error_add(&error, 1, 200 + draw(2) * 90); /* the first and the last quarter of the second */
		profile_error_add(&error, 1, 1000000);            /* not in the text */
	}
	profile_error_end(&error);
	CHECK(profile_error_get(&error, false, SYMBOLS, &low, &high));
	CHECK(low < 5000 && high >= 5000 && low > 4500 && high < 5500);
	CHECK(profile_error_get(&error, false, 1, &low, &high));
	CHECK(profile_error_get(&error, true, 0, &part_low, &part_high));
	CHECK(part_low < 5000 && part_low > 4700 && part_high < 5300);
	CHECK(profile_error_get(&error, true, 1, &part_low, &part_high));
	CHECK(part_low == 0 && part_high > 0 && part_high < 20);
	CHECK(profile_error_get(&error, false, 3, &low, &high)); /* never seen */
	CHECK(low == 0 && high > 0 && high < 10);
	profile_error_clear(&error);
	free_tally(tally);
}

int main(void)
{
	RUN(runs_say_less);
	RUN(parts_and_holes);
	return tap_done();
}
