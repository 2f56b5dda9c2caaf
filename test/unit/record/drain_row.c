/* What is folded by rows, and what stops them the long way, makes what the long way alone makes: after every block. */
#include <string.h>

#include "check.h"
#include "record/drain/drain_row.h"

#define BLOCKS 400u
#define DEEP 200u

static uint64_t seed = 1;
static uint64_t slots[DWELL_BLOCK_SLOTS];

static uint32_t pick(uint32_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % limit;
}

struct side {
	struct dwell_frame frames[DEEP];
	struct dwell_pair pair;
	struct dwell_fold fold;
};

static void begin(struct side *side)
{
	memset(side, 0, sizeof *side);
	dwell_pair_init(&side->pair, side->frames, DEEP);
	dwell_fold_init(&side->fold, &side->pair);
}

struct program {
	uint64_t now;
	uint32_t stack[DEEP * 2], depth, odd; /* one in so many slots; 0: none */
};

static uint64_t make_odd(struct program *program)
{
	const uint64_t stamp = program->now & UINT32_MAX;

	switch (pick(9)) {
	case 0: return dwell_slot_make(DWELL_TAG_UNWIND_JUMP, (uint32_t)stamp);
	case 1: return dwell_slot_make(DWELL_TAG_CALLER, program->stack[pick(program->depth + 1)] + 4);
	case 2: return dwell_slot_make(DWELL_TAG_LOST, pick(5));
	case 3: return dwell_slot_make(DWELL_TAG_LOST_POPS, pick(3));
	case 4: return dwell_slot_make(DWELL_TAG_WINDOW, 0x7f00);
	case 5: return dwell_slot_make(DWELL_TAG_ENTRY, 0);
	case 6: return dwell_slot_exit(0x10000 + pick(20) * 0x20, (uint32_t)stamp);
	case 7: return dwell_slot_enter(0x10000, (uint32_t)stamp - pick(100)); /* late */
	default: return dwell_slot_make(pick(30), (uint32_t)stamp);
	}
}

static void make_block(struct program *program)
{
	uint64_t high = program->now >> 32;

	for (uint32_t i = 0; i < DWELL_BLOCK_SLOTS; i++) {
		program->now += pick(100000) ? pick(60) : UINT64_C(1) << 31;
		if (!i || high != program->now >> 32) {
			high = program->now >> 32;
			slots[i] = dwell_slot_make(DWELL_TAG_TIME, (uint32_t)high);
		} else if (program->odd && !pick(program->odd)) {
			slots[i] = make_odd(program);
		} else if (program->depth < DEEP * 2 && (!program->depth || pick(1000) < (program->odd ? 505u : 480u))) {
			program->stack[program->depth] = 0x10000 + pick(20) * 0x20;
			slots[i] = dwell_slot_enter(program->stack[program->depth++], (uint32_t)program->now);
		} else {
			slots[i] = dwell_slot_exit(program->stack[--program->depth], (uint32_t)program->now);
		}
	}
}

static void check_same(const struct side *one, const struct side *other)
{
	struct dwell_pair pair = other->pair;

	pair.frames = one->pair.frames;
	CHECK(!memcmp(&one->pair, &pair, sizeof pair));
	CHECK(!memcmp(one->frames, other->frames, one->pair.depth * sizeof *one->frames));
	CHECK(!memcmp(&one->fold.summary, &other->fold.summary, sizeof one->fold.summary));
	CHECK(!memcmp(&one->fold.cursor, &other->fold.cursor, sizeof one->fold.cursor));
	CHECK_EQ(one->fold.lowest, other->fold.lowest);
}

/* Returns the slots that were taken by rows. */
static uint64_t try(uint32_t odd)
{
	static struct side one, other;
	static struct program program;
	uint64_t taken = 0;

	program = (struct program){.now = UINT64_C(9) << 32, .odd = odd};
	begin(&one);
	begin(&other);
	for (uint32_t block = 0; block < BLOCKS && !tap_bad; block++) {
		uint32_t usual;

		if (!pick(8)) { /* a chunk begins */
			dwell_fold_begin(&one.fold);
			dwell_fold_begin(&other.fold);
		}
		make_block(&program);
		usual = drain_fold_row(&one.fold, slots, DWELL_BLOCK_SLOTS);
		CHECK(usual <= DWELL_BLOCK_SLOTS);
		dwell_fold_slots(&one.fold, slots + usual, DWELL_BLOCK_SLOTS - usual);
		dwell_fold_slots(&other.fold, slots, DWELL_BLOCK_SLOTS);
		check_same(&one, &other);
		taken += usual;
	}
	return taken;
}

TEST(usual) { CHECK(try(0) > BLOCKS * DWELL_BLOCK_SLOTS / 3); }
TEST(seldom_odd) { CHECK(try(5000) > 0); }
TEST(odd)
{
	for (uint32_t i = 0; i < 20; i++)
		try(2 + pick(500));
}

int main(void)
{
	RUN(usual);
	RUN(seldom_odd);
	RUN(odd);
	return tap_done();
}
