/* What a LOST says of slots that were dropped, against a walk that knows its own depth; and that pairing which is told only that
 * goes on with as many frames as there are. */
#include <stdlib.h>

#include "check.h"
#include "record/drain/gap.h"

#define SLOTS 4000
#define DEPTH 3000

static uint64_t seed = 1;
static uint32_t stack[DEPTH], depth, stamp;
static struct dwell_frame frames[DEPTH + SLOTS];

static uint32_t random_number(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 32);
}

/* Random enters and exits, with a drift. Returns the fewest frames that were open. */
static uint32_t walk(uint64_t *slots, uint32_t count, uint32_t enters_of_8)
{
	uint32_t lowest = depth;

	for (uint32_t i = 0; i < count; i++) {
		stamp += 1 + random_number() % 9;
		if (!depth || (depth < DEPTH && random_number() % 8 < enters_of_8)) {
			stack[depth] = 0x401000 + random_number() % 50 * 16;
			slots[i] = dwell_slot_enter(stack[depth++], stamp);
		} else {
			slots[i] = dwell_slot_exit(stack[--depth], stamp);
		}
		lowest = depth < lowest ? depth : lowest;
	}
	return lowest;
}

TEST(gaps_in_a_walk)
{
	static uint64_t slots[SLOTS];
	struct dwell_pair pair;
	struct dwell_fold fold;
	struct gap gap = {0};
	struct dwell_call call;
	uint64_t dropped = 0;

	dwell_pair_init(&pair, frames, DEPTH + SLOTS);
	dwell_fold_init(&fold, &pair);
	for (uint32_t round = 0; round < 300; round++) {
		uint32_t count = random_number() % SLOTS, before, lowest, missing = 0;
		uint64_t said[GAP_SLOTS];

		walk(slots, count, random_number() % 9);
		dwell_fold_slots(&fold, slots, count);
		/* As many batches are dropped as it may be. */
		before = lowest = depth;
		CHECK(gap_begin(&gap, &fold));
		for (uint32_t batches = random_number() % 4; batches--;) {
			uint32_t run_lowest;

			count = random_number() % SLOTS;
			run_lowest = walk(slots, count, random_number() % 9);
			lowest = run_lowest < lowest ? run_lowest : lowest;
			gap_add(&gap, slots, count);
			missing += count;
		}
		CHECK_EQ(gap_end(&gap, &fold, said), missing);
		CHECK_EQ(said[0], dwell_slot_make(DWELL_TAG_LOST, missing));
		CHECK_EQ(said[1], dwell_slot_make(DWELL_TAG_LOST_POPS, before - lowest));
		CHECK_EQ(said[2], dwell_slot_make(DWELL_TAG_LOST_PUSHES, depth - lowest));
		dropped += missing;
		/* The next event ends the gap. */
		walk(slots, 1, 4);
		dwell_fold_slots(&fold, slots, 1);
		CHECK_EQ(pair.depth, depth);
		CHECK_EQ(pair.lost_events, dropped);
		CHECK(dwell_pair_is_valid(&pair));
	}
	CHECK_EQ(pair.unmatched_exits, 0);
	dwell_pair_finish(&pair);
	while (dwell_pair_pop(&pair, &call))
		;
	CHECK(dwell_pair_check(&pair));
	gap_clear(&gap);
}

/* Losses inside of what is dropped are missing, too; holes are. */
TEST(losses_in_a_gap)
{
	static const uint64_t before[] = {0x700000001, 0x500401000, 0x600402000};
	uint64_t slots[] = {dwell_slot_make(DWELL_TAG_LOST, 40), dwell_slot_make(DWELL_TAG_LOST_POPS, 1),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, 3), dwell_slot_make(DWELL_TAG_HOLE, 0), dwell_slot_enter(0x403000, 20),
		dwell_slot_make(DWELL_TAG_TIME, 9), dwell_slot_make(DWELL_TAG_WINDOW, 77)};
	struct dwell_pair pair;
	struct dwell_fold fold;
	struct gap gap = {0};
	uint64_t said[GAP_SLOTS];

	dwell_pair_init(&pair, frames, DEPTH);
	dwell_fold_init(&fold, &pair);
	dwell_fold_slots(&fold, before, 3);
	CHECK_EQ(pair.depth, 2);
	CHECK(gap_begin(&gap, &fold));
	gap_add(&gap, slots, sizeof slots / sizeof *slots);
	CHECK_EQ(gap_end(&gap, &fold, said), 2);
	CHECK_EQ(said[0] >> 32, 42);
	CHECK_EQ(said[1] >> 32, 1);
	CHECK_EQ(said[2] >> 32, 4);
	/* What comes next is read by what was said in the gap. */
	CHECK_EQ(fold.cursor.high, 9);
	CHECK_EQ(fold.cursor.window, 77);
	gap_clear(&gap);
}

int main(void)
{
	RUN(gaps_in_a_walk);
	RUN(losses_in_a_gap);
	return tap_done();
}
