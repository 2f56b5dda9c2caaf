/* core/fold: a run of slots against counts of the program that made them. */
#include "core/fold.h"

#include <stdlib.h>

#include "check.h"
#include "examples/bare_metal/fold_table.h"

static uint64_t state;

static uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

static void fold_slot(struct dwell_fold *fold, uint64_t slot)
{
	dwell_fold_slots(fold, &slot, 1);
}

#define PLACE(function) (0x401000u + (function)*0x40u)
enum { FUNCTIONS = 12, DEEP = 40 };

/* A program: its stack, and what each function took by its own count. */
struct program {
	struct frame {
		uint32_t function;
		uint64_t enter, child;
	} stack[DEEP];
	uint32_t depth;
	uint64_t now;
	struct truth {
		uint64_t calls, total, self, min, max;
	} truth[FUNCTIONS];
};

static uint64_t enter(struct program *program, uint32_t function)
{
	program->now += 1 + pick(9);
	program->stack[program->depth++] = (struct frame){function, program->now, 0};
	return dwell_slot_enter(PLACE(function), (uint32_t)program->now);
}

static uint64_t leave(struct program *program)
{
	struct frame *frame = &program->stack[--program->depth];
	struct truth *truth = &program->truth[frame->function];
	bool nested = false;
	uint64_t total;

	program->now += 1 + pick(9);
	total = program->now - frame->enter;
	for (uint32_t i = 0; i < program->depth; i++)
		nested |= program->stack[i].function == frame->function;
	if (program->depth)
		frame[-1].child += total;
	truth->calls++;
	truth->total += nested ? 0 : total;
	truth->self += total - frame->child;
	truth->min = truth->calls == 1 || total < truth->min ? total : truth->min;
	truth->max = total > truth->max ? total : truth->max;
	return dwell_slot_exit(PLACE(frame->function), (uint32_t)program->now);
}

static uint64_t any(struct program *program, uint32_t functions)
{
	if (program->depth && (program->depth == DEEP || pick(2)))
		return leave(program);
	return enter(program, pick(functions));
}

TEST(table_is_what_the_program_did)
{
	static struct dwell_frame frames[DEEP];
	struct fold_row rows[16] = {0};
	struct fold_table table;
	struct dwell_pair pair;
	struct dwell_fold fold;
	struct program program = {.now = 100};

	dwell_pair_init(&pair, frames, DEEP);
	dwell_fold_init(&fold, &pair);
	fold_table_begin(&table, rows, 16, &fold);
	for (uint32_t i = 0; i < 100000; i++)
		fold_slot(&fold, any(&program, FUNCTIONS));
	while (program.depth)
		fold_slot(&fold, leave(&program));
	dwell_fold_finish(&fold);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		const struct fold_row *row = fold_table_find(&table, PLACE(i));

		CHECK(row != NULL);
		if (!row)
			continue;
		CHECK_EQ(row->calls, program.truth[i].calls);
		CHECK_EQ(row->total_ticks, program.truth[i].total);
		CHECK_EQ(row->self_ticks, program.truth[i].self);
		CHECK_EQ(row->min_ticks, program.truth[i].min);
		CHECK_EQ(row->max_ticks, program.truth[i].max);
	}
	CHECK(fold_table_find(&table, 0x9000000) == NULL);
	CHECK_EQ(table.others.calls, 0);
	CHECK(dwell_pair_check(&pair));
}

/* Functions that find no row are counted together; those that have one are as exact as ever. */
TEST(table_that_is_full)
{
	static struct dwell_frame frames[DEEP];
	struct fold_row rows[4] = {0};
	struct fold_table table;
	struct dwell_pair pair;
	struct dwell_fold fold;
	struct program program = {.now = 100};
	uint64_t calls = 0, self = 0;
	uint32_t found = 0;

	dwell_pair_init(&pair, frames, DEEP);
	dwell_fold_init(&fold, &pair);
	fold_table_begin(&table, rows, 4, &fold);
	for (uint32_t i = 0; i < 10000; i++)
		fold_slot(&fold, any(&program, FUNCTIONS));
	while (program.depth)
		fold_slot(&fold, leave(&program));
	dwell_fold_finish(&fold);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		const struct fold_row *row = fold_table_find(&table, PLACE(i));

		if (row) {
			found++;
			CHECK_EQ(row->calls, program.truth[i].calls);
			CHECK_EQ(row->total_ticks, program.truth[i].total);
		} else {
			calls += program.truth[i].calls;
			self += program.truth[i].self;
		}
	}
	CHECK_EQ(found, 3);
	CHECK_EQ(table.others.calls, calls);
	CHECK_EQ(table.others.self_ticks, self);
	CHECK_EQ(table.others.total_ticks, self);
}

/* A run is dropped and a LOST record with its summary takes its place: whoever reads on has the same stack as whoever saw all. */
TEST(summary_stands_for_the_run)
{
	for (uint32_t seed = 0; seed < 2000 && !tap_bad; seed++) {
		struct dwell_frame whole_frames[DEEP], frames[DEEP];
		struct dwell_pair whole_pair, pair;
		struct dwell_fold whole, rest;
		struct program program = {.now = 100};
		uint32_t before, dropped;
		uint64_t events;

		state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
		before = pick(60);
		dropped = pick(60);
		dwell_pair_init(&whole_pair, whole_frames, DEEP);
		dwell_pair_init(&pair, frames, DEEP);
		dwell_fold_init(&whole, &whole_pair);
		dwell_fold_init(&rest, &pair);
		for (uint32_t i = 0; i < before; i++) {
			uint64_t slot = any(&program, FUNCTIONS);

			fold_slot(&whole, slot);
			fold_slot(&rest, slot);
		}
		dwell_fold_begin(&whole);
		for (uint32_t i = 0; i < dropped; i++)
			fold_slot(&whole, any(&program, FUNCTIONS));
		events = whole.summary.events;
		CHECK_EQ(events, dropped);
		CHECK_EQ(whole.summary.last_ticks, dropped ? program.now : 0);
		fold_slot(&rest, dwell_slot_make(DWELL_TAG_LOST, (uint32_t)events));
		fold_slot(&rest, dwell_slot_make(DWELL_TAG_LOST_POPS, whole.summary.pops));
		fold_slot(&rest, dwell_slot_make(DWELL_TAG_LOST_PUSHES, whole.summary.pushes));
		dwell_pair_advance(&pair, program.now);
		CHECK_EQ(pair.depth, whole_pair.depth);
		CHECK_EQ(pair.lost_events, events);
		for (uint32_t i = 0; i + whole.summary.pushes < pair.depth; i++)
			CHECK_EQ(pair.frames[i].enter_ticks, whole_pair.frames[i].enter_ticks);
		for (uint32_t i = pair.depth - whole.summary.pushes; i < pair.depth; i++)
			CHECK_EQ(pair.frames[i].id, DWELL_ID_UNKNOWN);
		while (program.depth)
			fold_slot(&rest, leave(&program));
		CHECK_EQ(pair.unmatched_exits, 0);
		dwell_fold_finish(&rest);
		CHECK(dwell_pair_check(&pair));
	}
}

/* Exits of frames that no data tells of are pops, too. */
TEST(summary_of_missing_entries)
{
	struct dwell_frame frames[4];
	struct dwell_pair pair;
	struct dwell_fold fold;

	dwell_pair_init(&pair, frames, 4);
	dwell_fold_init(&fold, &pair);
	fold_slot(&fold, dwell_slot_exit(PLACE(1), 10));
	fold_slot(&fold, dwell_slot_exit(PLACE(2), 20));
	fold_slot(&fold, dwell_slot_enter(PLACE(3), 30));
	CHECK_EQ(fold.summary.pops, 2);
	CHECK_EQ(fold.summary.pushes, 1);
	CHECK_EQ(fold.summary.events, 3);
}

/* Each tag does what it says; the clock's high half goes from run to run. */
TEST(tags)
{
	struct dwell_frame frames[8];
	struct dwell_pair pair;
	struct dwell_fold fold;

	dwell_pair_init(&pair, frames, 8);
	dwell_fold_init(&fold, &pair);
	fold_slot(&fold, dwell_slot_make(DWELL_TAG_TIME, 5));
	fold_slot(&fold, dwell_slot_enter(PLACE(1), 10));
	fold_slot(&fold, dwell_slot_enter(PLACE(5), 20));
	fold_slot(&fold, dwell_slot_enter(PLACE(6), 30));
	fold_slot(&fold, dwell_slot_make(DWELL_TAG_UNWIND_JUMP, 40));
	fold_slot(&fold, dwell_slot_make(DWELL_TAG_CALLER, PLACE(1) + 8));
	fold_slot(&fold, dwell_slot_enter(PLACE(2), 50));
	CHECK_EQ(pair.depth, 2);
	CHECK_EQ(frames[1].enter_ticks, UINT64_C(5) << 32 | 50);
	CHECK_EQ(pair.unwound_calls, 2);
	dwell_fold_begin(&fold);
	fold_slot(&fold, DWELL_TAG_HOLE);
	fold_slot(&fold, dwell_slot_make(4000, 1));
	fold_slot(&fold, dwell_slot_make(DWELL_TAG_OFF, 60));
	fold_slot(&fold, dwell_slot_make(DWELL_TAG_ON, 90));
	fold_slot(&fold, dwell_slot_exit(PLACE(2), 95));
	CHECK_EQ(fold.summary.holes, 1);
	CHECK_EQ(fold.summary.unknown_tags, 1);
	CHECK_EQ(fold.summary.first_ticks, UINT64_C(5) << 32 | 95);
	CHECK_EQ(fold.summary.pops, 1);
	fold_slot(&fold, dwell_slot_exit(PLACE(1), 100));
	dwell_fold_finish(&fold);
	CHECK_EQ(dwell_pair_outside_ticks(&pair), 30);
	CHECK(dwell_pair_check(&pair));
}

static struct dwell_call last_call;

static void keep_call(void *context, const struct dwell_call *call)
{
	(void)context;
	last_call = *call;
}

/* An event that was not written is lost, up to the next one; and a mark is one. */
TEST(hole_before_a_mark)
{
	static const struct dwell_fold_calls calls = {NULL, keep_call};
	struct dwell_frame frames[4];
	struct dwell_pair pair;
	struct dwell_fold fold;

	dwell_pair_init(&pair, frames, 4);
	dwell_fold_init(&fold, &pair);
	dwell_fold_set_calls(&fold, &calls);
	fold_slot(&fold, dwell_slot_enter(PLACE(1), 10));
	fold_slot(&fold, DWELL_TAG_HOLE);
	fold_slot(&fold, dwell_slot_make(DWELL_TAG_MARK, 40));
	fold_slot(&fold, dwell_slot_exit(PLACE(1), 50));
	CHECK_EQ(last_call.total_ticks, 40);
	CHECK_EQ(last_call.self_ticks, 10);
	CHECK_EQ(pair.lost_events, 1);
	CHECK_EQ(pair.lost_ticks, 30);
	dwell_fold_finish(&fold);
	CHECK(dwell_pair_check(&pair));
}

/* Calls that were left before a pause are none of the callees of one that began, as far as is known, behind it. */
TEST(left_before_a_pause)
{
	struct dwell_frame frames[4];
	struct dwell_pair pair;
	struct dwell_call call;

	dwell_pair_init(&pair, frames, 4);
	dwell_pair_enter(&pair, 1, 10);
	dwell_pair_stop(&pair, 50);
	dwell_pair_continue(&pair, 60);
	dwell_pair_leave_all(&pair);
	CHECK(dwell_pair_pop(&pair, &call));
	CHECK_EQ(call.self_ticks, 40);
	CHECK(dwell_pair_exit(&pair, 2, 63, &call));
	CHECK_EQ(call.flags, DWELL_CALL_NO_ENTRY);
	CHECK_EQ(call.enter_ticks, 60);
	CHECK_EQ(call.self_ticks, 3);
	dwell_pair_finish(&pair);
	CHECK(dwell_pair_check(&pair));
	CHECK_EQ(dwell_pair_outside_ticks(&pair), 10);
}

static void begin_landing(struct dwell_fold *fold, struct dwell_pair *pair, struct dwell_frame *frames)
{
	static const uint32_t open[] = {1, 2, 3, 2, 3, 4};

	dwell_pair_init(pair, frames, 8);
	dwell_fold_init(fold, pair);
	for (uint32_t i = 0; i < 6; i++)
		fold_slot(fold, dwell_slot_enter(PLACE(open[i]), 10 * i));
	fold_slot(fold, dwell_slot_make(DWELL_TAG_UNWIND_JUMP, 60));
}

/* The recorder knows which call goes on: the one that calls the next function may have no hooks, and the site is in none of
 * these. */
TEST(landings)
{
	static const struct {
		uint32_t says[4], depth;
	} landings[] = {
		{{PLACE(3)}, 5},
		{{1u << 1 | DWELL_LANDED_ABOVE, PLACE(3)}, 3},
		{{1u << 1 | DWELL_LANDED_ABOVE, PLACE(2)}, 2},
		{{2u << 1 | DWELL_LANDED_ABOVE, PLACE(2), PLACE(1)}, 1},
		{{PLACE(7), PLACE(4)}, 6},
		{{PLACE(2), PLACE(4), PLACE(1)}, 4},
		{{0}, 0},
		{{PLACE(7), 0}, 0},
		{{PLACE(7), PLACE(8)}, 6},
	};

	for (size_t i = 0; i < sizeof landings / sizeof *landings; i++) {
		struct dwell_frame frames[8];
		struct dwell_pair pair;
		struct dwell_fold fold;

		begin_landing(&fold, &pair, frames);
		for (uint32_t say = 0; say < 4 && (!say || landings[i].says[say] || landings[i].says[say - 1] == PLACE(7)); say++)
			fold_slot(&fold, dwell_slot_make(DWELL_TAG_LANDED, landings[i].says[say]));
		if (landings[i].says[1] == PLACE(8))
			CHECK(dwell_pair_is_landing(&pair)); /* nobody knows */
		CHECK_EQ(pair.depth, landings[i].depth);
		fold_slot(&fold, dwell_slot_enter(PLACE(9), 70));
		CHECK_EQ(pair.depth, landings[i].depth + 1);
		CHECK_EQ(pair.unwound_calls, 6 - landings[i].depth);
		/* One that follows no unwind says nothing. */
		fold_slot(&fold, dwell_slot_make(DWELL_TAG_LANDED, 0));
		CHECK_EQ(pair.depth, landings[i].depth + 1);
		dwell_fold_finish(&fold);
		CHECK(dwell_pair_check(&pair));
	}
}

int main(void)
{
	RUN(table_is_what_the_program_did);
	RUN(table_that_is_full);
	RUN(summary_stands_for_the_run);
	RUN(summary_of_missing_entries);
	RUN(tags);
	RUN(hole_before_a_mark);
	RUN(left_before_a_pause);
	RUN(landings);
	return tap_done();
}
