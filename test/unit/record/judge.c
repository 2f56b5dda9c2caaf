/* Which functions are short and called often: against what the slots were made from. */
#include "check.h"
#include "core/slot.h"
#include "record/stage/judge.h"

#define SLOTS_MAX (2u * JUDGE_SLOTS)
#define SHORT 0x401000u
#define LONG 0x401010u
#define OUTER 0x401020u
#define SELF 0x401030u

static const struct judge_cost cost = {20, 30};
static uint64_t slots[SLOTS_MAX];
static uint32_t count;
static uint64_t ticks;
static struct judge judge;

static void put(uint64_t slot)
{
	if (count < SLOTS_MAX)
		slots[count++] = slot;
}

static void begin(void)
{
	count = 0;
	ticks = 1000;
	judge_clear(&judge);
	put(dwell_slot_make(DWELL_TAG_TIME, 7));
}

/* As recorded: what a call takes is between its stamps with the one part of the cost, the other part comes behind it. */
static void enter(uint32_t place)
{
	put(dwell_slot_enter(place, (uint32_t)ticks));
	ticks += 20;
}

static void leave(uint32_t place)
{
	put(dwell_slot_exit(place, (uint32_t)ticks));
	ticks += 30;
}

static void call(uint32_t place, uint32_t takes)
{
	enter(place);
	ticks += takes;
	leave(place);
}

static const struct judge_function *get(uint32_t place)
{
	for (uint32_t i = 0; i < JUDGE_FUNCTIONS; i++)
		if (judge.functions[i].place == place)
			return &judge.functions[i];
	return NULL;
}

static bool says(uint32_t place, double share)
{
	return get(place) && judge_is_costly(&judge, get(place), &cost, share);
}

TEST(what_calls_take_without_what_recording_cost)
{
	begin();
	for (int i = 0; i < 10; i++) {
		enter(OUTER);
		for (int j = 0; j < 20; j++)
			call(SHORT, 5);
		call(LONG, 5000);
		leave(OUTER);
	}
	judge_feed(&judge, slots, count, &cost);
	CHECK_EQ(get(SHORT)->calls, 200);
	CHECK_EQ(get(SHORT)->ticks, 1000);
	CHECK_EQ(get(LONG)->ticks, 50000);
	CHECK_EQ(get(OUTER)->calls, 10);
	CHECK_EQ(get(OUTER)->ticks, 51000);
	CHECK(judge.elapsed_ticks > 51000 + 210 * 49);
	CHECK(says(SHORT, 0.1));
	CHECK(!says(SHORT, 0.5));
	CHECK(!says(LONG, 0.0001));  /* they are long */
	CHECK(!says(OUTER, 0.0001));
}

/* Of calls in one another time counts once. */
TEST(recursion)
{
	begin();
	for (int i = 0; i < 50; i++) {
		for (int depth = 0; depth < 20; depth++)
			enter(SELF);
		for (int depth = 0; depth < 20; depth++)
			leave(SELF);
	}
	judge_feed(&judge, slots, count, &cost);
	CHECK_EQ(get(SELF)->calls, 1000);
	CHECK(get(SELF)->ticks < 1000);
	CHECK(says(SELF, 0.5));
}

/* A long batch is judged by its beginning, which stands for the rest. */
TEST(a_part_stands_for_all)
{
	begin();
	while (count < SLOTS_MAX)
		call(SHORT, 5);
	judge_feed(&judge, slots, count, &cost);
	CHECK(get(SHORT)->calls > 0.49 * SLOTS_MAX && get(SHORT)->calls < 0.51 * SLOTS_MAX);
	CHECK(judge.elapsed_ticks > 0.49 * SLOTS_MAX * 55 && judge.elapsed_ticks < 0.51 * SLOTS_MAX * 55);
	CHECK(says(SHORT, 0.8));
}

/* What is unclear is nobody's: jumps, gaps, other stacks, calls whose exits are not there, places that are none. */
TEST(unclear)
{
	static const uint32_t tags[] = {DWELL_TAG_UNWIND_JUMP, DWELL_TAG_LOST, DWELL_TAG_STACK, DWELL_TAG_OFF, DWELL_TAG_TIME};

	for (unsigned i = 0; i < sizeof tags / sizeof *tags; i++) {
		begin();
		enter(LONG);
		put(dwell_slot_make((enum dwell_tag)tags[i], 8));
		leave(LONG);
		call(SHORT, 5);
		leave(OUTER);
		judge_feed(&judge, slots, count, &cost);
		CHECK(get(LONG) && !get(LONG)->calls);
		CHECK_EQ(get(SHORT)->calls, 1);
		CHECK(!get(LONG)->open);
	}
	begin();
	put(dwell_slot_make(DWELL_TAG_WINDOW, 0x7f12));
	enter(LONG);
	put(dwell_slot_make(DWELL_TAG_WINDOW, 0x7f12));
	leave(LONG);
	put(dwell_slot_make(DWELL_TAG_ENTRY, 0));
	enter(OUTER);
	judge_feed(&judge, slots, count, &cost);
	CHECK(!get(LONG) && !get(OUTER));
}

/* Any words: nothing is left open, and nothing is judged that has no room. */
TEST(any_slots)
{
	uint64_t seed = 1;

	for (int round = 0; round < 200; round++) {
		begin();
		while (count < SLOTS_MAX) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			put(seed >> 32 << 32 | (seed >> 60 ? (seed >> 20) % (round % 2 ? 1u << 30 : 1u << 13) : (seed >> 40) % 32));
		}
		judge_feed(&judge, slots, count, &cost);
		CHECK(judge.count <= JUDGE_FUNCTIONS * 3 / 4);
		for (uint32_t i = 0; i < JUDGE_FUNCTIONS; i++)
			CHECK(!judge.functions[i].open);
	}
}

int main(void)
{
	RUN(what_calls_take_without_what_recording_cost);
	RUN(recursion);
	RUN(a_part_stands_for_all);
	RUN(unclear);
	RUN(any_slots);
	return tap_done();
}
