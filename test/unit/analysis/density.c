/* Densities of parts add up to that of the whole, in whatever order, and to what the calls took. */
#include "check.h"

#include <stdlib.h>

#include "analysis/calls/density.h"

static uint32_t seed;

static uint32_t chance(uint32_t of)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(seed >> 8) * of >> 24);
}

/* Of three threads, some calls much longer than others; function by depth and chance. */
static void make_calls(struct call *calls, size_t count, uint64_t span)
{
	for (size_t i = 0; i < count; i++) {
		calls[i] = (struct call){.stream = chance(3), .depth = chance(8), .function = chance(20)};
		calls[i].enter_ticks = UINT64_C(1) << 40 | (uint64_t)chance(1u << 24) * span >> 24;
		calls[i].total_ticks = chance(50) ? chance(2000) : chance(1u << 24);
		calls[i].exit_ticks = calls[i].enter_ticks + calls[i].total_ticks;
	}
}

static void check_same(struct density *got, struct density *want)
{
	density_sort(got);
	density_sort(want);
	CHECK_EQ(got->shift, want->shift);
	CHECK_EQ(got->first_slice, want->first_slice);
	CHECK_EQ(got->last_slice, want->last_slice);
	CHECK_EQ(got->count, want->count);
	for (size_t i = 0; i < got->count && i < want->count; i++) {
		const struct density_piece *a = &got->pieces[i], *b = &want->pieces[i];

		CHECK(a->slice == b->slice && a->stream == b->stream && a->depth == b->depth && a->function == b->function);
		CHECK(a->ticks == b->ticks && a->calls == b->calls);
	}
}

TEST(parts_are_the_whole)
{
	enum { COUNT = 20000, PARTS = 7 };
	struct call *calls = malloc(COUNT * sizeof *calls);

	for (seed = 1; seed < 5; seed++) {
		struct density whole = {0}, sum = {0}, parts[PARTS] = {0};
		uint64_t ticks = 0, counted_ticks = 0, counted = 0;

		make_calls(calls, COUNT, UINT64_C(1) << 30);
		for (size_t i = 0; i < COUNT; i++) {
			density_add(&whole, &calls[i]);
			density_add(&parts[i % PARTS], &calls[i]);
			ticks += calls[i].total_ticks;
		}
		density_coarsen(&parts[3], 5); /* as one that was told so */
		for (int i = PARTS; i--;)
			density_merge(&sum, &parts[i]);
		CHECK_EQ(parts[0].count, 0);
		CHECK(!sum.has_failed && whole.last_slice - whole.first_slice < DENSITY_SLICES_MAX);
		CHECK((whole.last_slice - whole.first_slice) * 2 + 2 >= DENSITY_SLICES_MAX); /* and no longer than need be */
		for (size_t i = 0; i < whole.capacity; i++) {
			counted_ticks += whole.pieces[i].ticks;
			counted += whole.pieces[i].calls;
			CHECK(whole.pieces[i].ticks <= (UINT64_C(1) << whole.shift) * COUNT);
		}
		CHECK_EQ(counted_ticks, ticks);
		CHECK_EQ(counted, COUNT);
		check_same(&sum, &whole);
		density_clear(&whole);
		density_clear(&sum);
		for (int i = 0; i < PARTS; i++)
			density_clear(&parts[i]);
	}
	free(calls);
}

/* By hand: slices of one tick each, then one call that makes them longer. */
TEST(slices_get_longer)
{
	struct density density = {0};
	struct call call = {.enter_ticks = 1000, .exit_ticks = 1010, .function = 3};

	density_add(&density, &call);
	CHECK_EQ(density.shift, 0);
	CHECK_EQ(density.count, 10);
	call.enter_ticks = 1000 + 2 * DENSITY_SLICES_MAX;
	call.exit_ticks = call.enter_ticks + 10;
	density_add(&density, &call);
	CHECK_EQ(density.shift, 2);
	density_sort(&density);
	CHECK_EQ(density.count, 6); /* 1000 … 1010 and 9192 … 9202, by four */
	CHECK_EQ(density.pieces[0].slice, 250);
	CHECK_EQ(density.pieces[0].ticks, 4);
	CHECK_EQ(density.pieces[0].calls, 1);
	CHECK_EQ(density.pieces[2].ticks, 2);
	CHECK_EQ(density.pieces[2].calls, 0);
	CHECK_EQ(density.pieces[3].slice, 2298);
	density_clear(&density);
}

/* More pieces than there may be: fewer slices. */
TEST(pieces_are_bounded)
{
	struct density density = {0};
	struct call call = {.exit_ticks = 1};

	for (uint32_t i = 0; i < DENSITY_PIECES_MAX + 100000; i++) {
		call.enter_ticks = i % DENSITY_SLICES_MAX;
		call.exit_ticks = call.enter_ticks + 1;
		call.function = i / DENSITY_SLICES_MAX;
		density_add(&density, &call);
	}
	CHECK(!density.has_failed);
	CHECK(density.count <= DENSITY_PIECES_MAX);
	CHECK_EQ(density.shift, 1);
	density_clear(&density);
}

/* Two ids are one function now; deep and absurd calls are in none. */
TEST(renumbered)
{
	const uint32_t map[] = {1, 1, 0};
	struct density density = {0};
	struct call call = {.enter_ticks = 5, .exit_ticks = 6};

	for (call.function = 0; call.function < 3; call.function++)
		density_add(&density, &call);
	density_add(&density, &(struct call){.enter_ticks = 5, .exit_ticks = 6, .depth = DENSITY_DEPTH_MAX});
	density_add(&density, &(struct call){.enter_ticks = 5, .exit_ticks = 4});
	density_renumber(&density, map, 3);
	density_sort(&density);
	CHECK_EQ(density.count, 2);
	CHECK_EQ(density.pieces[0].function, 1);
	CHECK_EQ(density.pieces[0].ticks, 2);
	CHECK_EQ(density.pieces[1].function, 0);
	density_clear(&density);
}

int main(void)
{
	RUN(parts_are_the_whole);
	RUN(slices_get_longer);
	RUN(pieces_are_bounded);
	RUN(renumbered);
	return tap_done();
}
