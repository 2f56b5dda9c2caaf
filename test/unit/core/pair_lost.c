/* core/pair where something is missing: what was lost, what was not recorded, and what a checkpoint says of it. */
#include "check.h"
#include "pair_run.h"

/* A program with a known truth: recorded, with one piece taken out. */
struct event {
	uint64_t id, ticks;
	bool is_exit;
};
enum { SCRIPT = 24 };

static void write_script(struct event *script)
{
	uint64_t stack[SCRIPT], now = 10;
	uint32_t depth = 0;

	for (uint32_t i = 0; i < SCRIPT; i++) {
		bool is_exit = depth && (depth >= SCRIPT - i || pick(2));

		now += 1 + pick(5);
		if (is_exit)
			depth--;
		else
			stack[depth++] = 1 + pick(5);
		script[i] = (struct event){is_exit ? stack[depth] : stack[depth - 1], now, is_exit};
	}
}

static void play(struct run *run, const struct event *script, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		if (script[i].is_exit)
			leave(run, script[i].id, script[i].ticks);
		else
			dwell_pair_enter(&run->pair, script[i].id, script[i].ticks);
		CHECK(dwell_pair_is_valid(&run->pair));
	}
}

/* Calls whose enter and exit are both outside of [from, to) come out as in the whole script. */
static void check_untouched(const struct run *run, const struct run *whole, const struct event *script, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < whole->count; i++) {
		const struct dwell_call *want = &whole->calls[i];
		bool touched = false, found = false, spans;

		for (uint32_t j = from; j < to; j++)
			touched |= script[j].ticks == want->enter_ticks || script[j].ticks == want->exit_ticks;
		if (touched)
			continue;
		spans = want->enter_ticks < script[from].ticks && want->exit_ticks > script[to - 1].ticks;
		for (uint32_t j = 0; j < run->count; j++)
			found |= run->calls[j].id == want->id && run->calls[j].enter_ticks == want->enter_ticks &&
				 run->calls[j].total_ticks == want->total_ticks &&
				 (spans || run->calls[j].self_ticks == want->self_ticks) && run->calls[j].depth == want->depth &&
				 !run->calls[j].flags;
		CHECK(found);
	}
}

/* Events [from, to) are lost, and a record tells how many frames they closed and left open. */
TEST(gap_at_every_position)
{
	for (uint32_t number = 0; number < 60 && !tap_bad; number++) {
		static struct run whole, run;
		struct event script[SCRIPT];

		seed(number);
		write_script(script);
		begin(&whole, 16);
		play(&whole, script, 0, SCRIPT);
		finish(&whole);
		for (uint32_t from = 0; from < SCRIPT; from++)
			for (uint32_t to = from + 1; to <= SCRIPT; to++) {
				uint32_t pops = 0, pushes = 0;

				for (uint32_t i = from; i < to; i++) {
					if (!script[i].is_exit)
						pushes++;
					else if (pushes)
						pushes--;
					else
						pops++;
				}
				begin(&run, 16);
				play(&run, script, 0, from);
				dwell_pair_lost(&run.pair, to - from, pops, pushes);
				take(&run);
				play(&run, script, to, SCRIPT);
				finish(&run);
				CHECK(dwell_pair_check(&run.pair));
				CHECK_EQ(run.pair.unmatched_exits, 0);
				CHECK_EQ(run.pair.lost_events, to - from);
				check_untouched(&run, &whole, script, from, to);
			}
	}
}

/* Events [from, to) are lost, and the next chunk's checkpoint tells what is open behind them. Then even self times of the calls
 * that last through the gap are exact. */
TEST(checkpoint_at_every_position)
{
	for (uint32_t number = 0; number < 60 && !tap_bad; number++) {
		static struct run whole, ahead, run;
		struct event script[SCRIPT];

		seed(1000 + number);
		write_script(script);
		begin(&whole, 16);
		play(&whole, script, 0, SCRIPT);
		finish(&whole);
		for (uint32_t from = 0; from < SCRIPT; from++)
			for (uint32_t to = from + 1; to < SCRIPT; to++) {
				begin(&ahead, 16);
				play(&ahead, script, 0, to);
				begin(&run, 16);
				play(&run, script, 0, from);
				dwell_pair_checkpoint(&run.pair, ahead.frames, ahead.pair.depth);
				take(&run);
				dwell_pair_adopt(&run.pair, ahead.frames, ahead.pair.depth, script[to].ticks);
				CHECK(dwell_pair_is_valid(&run.pair));
				play(&run, script, to, SCRIPT);
				finish(&run);
				CHECK(dwell_pair_check(&run.pair));
				CHECK_EQ(run.pair.unmatched_exits, 0);
				check_untouched(&run, &whole, script, from, to);
				for (uint32_t i = 0; i < ahead.pair.depth; i++)
					for (uint32_t j = 0; j < run.count; j++)
						for (uint32_t k = 0; k < whole.count; k++)
							if (run.calls[j].enter_ticks == ahead.frames[i].enter_ticks &&
								whole.calls[k].enter_ticks == ahead.frames[i].enter_ticks)
								CHECK_EQ(run.calls[j].self_ticks, whole.calls[k].self_ticks);
			}
	}
}

/* One entry or one exit is missing, and nothing tells so: the calls below and beside it are not touched, and time adds up. */
TEST(missing_event_at_every_position)
{
	for (uint32_t number = 0; number < 300 && !tap_bad; number++) {
		static struct run run;
		struct event script[SCRIPT];

		seed(2000 + number);
		write_script(script);
		for (uint32_t missing = 0; missing < SCRIPT; missing++) {
			begin(&run, 16);
			play(&run, script, 0, missing);
			play(&run, script, missing + 1, SCRIPT);
			finish(&run);
			CHECK(dwell_pair_check(&run.pair));
			CHECK_EQ(run.pair.last_ticks, script[missing == SCRIPT - 1 ? SCRIPT - 2 : SCRIPT - 1].ticks);
		}
	}
}

TEST(entries_before_the_data)
{
	static struct run run;

	/* a { b { c{} | c{} } b{} } a ends at 90; the data begins at | */
	begin(&run, 16);
	dwell_pair_enter(&run.pair, 3, 10);
	leave(&run, 3, 20);
	leave(&run, 2, 30);
	dwell_pair_enter(&run.pair, 2, 50);
	leave(&run, 2, 60);
	leave(&run, 1, 90);
	dwell_pair_enter(&run.pair, 9, 95);
	leave(&run, 9, 97);
	finish(&run);
	CHECK_EQ(run.count, 5);
	CHECK_EQ(run.calls[1].id, 2);
	CHECK_EQ(run.calls[1].total_ticks, 20);
	CHECK_EQ(run.calls[1].self_ticks, 10);
	CHECK_EQ(run.calls[1].flags, DWELL_CALL_NO_ENTRY);
	CHECK_EQ(run.calls[3].id, 1);
	CHECK_EQ(run.calls[3].total_ticks, 80);
	CHECK_EQ(run.calls[3].self_ticks, 50);
	CHECK_EQ(dwell_pair_outside_ticks(&run.pair), 5);
	CHECK(dwell_pair_check(&run.pair));
}

/* An exit without entry is not charged with what happened before a gap, nor with the gap. */
TEST(entry_lost_in_a_gap)
{
	static struct run run;

	begin(&run, 16);
	dwell_pair_enter(&run.pair, 1, 10);
	leave(&run, 1, 20);
	dwell_pair_lost(&run.pair, 0, 0, 0);
	take(&run);
	dwell_pair_enter(&run.pair, 2, 50);
	leave(&run, 2, 60);
	leave(&run, 3, 65);
	finish(&run);
	CHECK_EQ(run.calls[2].total_ticks, 15);
	CHECK_EQ(run.calls[2].self_ticks, 5);
	CHECK_EQ(run.pair.lost_ticks, 30);
	CHECK(dwell_pair_check(&run.pair));
}

/* Frames whose function was lost get their names from the exits, or from the next checkpoint. */
TEST(names_come_later)
{
	static struct run run;
	struct dwell_frame frames[3];

	begin(&run, 16);
	dwell_pair_enter(&run.pair, 1, 10);
	dwell_pair_lost(&run.pair, 2, 0, 2);
	dwell_pair_advance(&run.pair, 20);
	CHECK_EQ(run.pair.depth, 3);
	CHECK_EQ(run.pair.frames[2].id, DWELL_ID_UNKNOWN);
	memcpy(frames, run.pair.frames, sizeof frames);
	frames[1].id = 2;
	frames[1].enter_ticks = 15;
	dwell_pair_checkpoint(&run.pair, frames, 3);
	take(&run);
	CHECK_EQ(run.count, 0);
	dwell_pair_adopt(&run.pair, frames, 3, 20);
	leave(&run, 3, 30);
	leave(&run, 2, 40);
	leave(&run, 1, 50);
	finish(&run);
	CHECK_EQ(run.count, 3);
	CHECK_EQ(run.calls[0].id, 3);
	CHECK_EQ(run.calls[1].id, 2);
	CHECK_EQ(run.calls[1].flags, DWELL_CALL_NO_ENTRY);
	CHECK_EQ(run.calls[2].flags, 0);
	CHECK_EQ(run.calls[2].self_ticks, 10);
	CHECK_EQ(run.pair.lost_ticks, 10);
	CHECK(dwell_pair_check(&run.pair));
}

/* A call, an unknown one in a gap, and an unwind that only an exit tells of: it may be that of either, or of one that the gap
 * hides. */
TEST(exit_tells_of_an_unwind_behind_a_gap)
{
	for (uint64_t id = 1; id <= 3; id++) {
		static struct run run;

		begin(&run, 16);
		dwell_pair_enter(&run.pair, 1, 10);
		dwell_pair_lost(&run.pair, 2, 0, 2);
		dwell_pair_enter(&run.pair, 2, 20);
		dwell_pair_unwind(&run.pair, 30);
		CHECK_EQ(run.pair.depth, 4);
		CHECK_EQ(dwell_pair_exit_is_misfit(&run.pair, id), id != 2);
		if (id != 2) {
			CHECK(dwell_pair_settle_misfit(&run.pair));
			take(&run);
			CHECK(!dwell_pair_begin_landed(&run.pair));
			CHECK_EQ(run.pair.depth, 0);
		}
		leave(&run, id, 40);
		CHECK_EQ(run.pair.depth, id == 2 ? 3 : 0);
		if (id != 2) {
			const struct dwell_call *last = &run.calls[run.count - 1];

			CHECK(last->id == id && last->enter_ticks == 30 && last->total_ticks == 10);
			/* The call of 1 was counted when it was ended. */
			CHECK_EQ(last->flags, DWELL_CALL_NO_ENTRY | (id == 1 ? DWELL_CALL_PIECE : 0));
		}
		finish(&run);
		CHECK(dwell_pair_check(&run.pair));
	}
}

/* The stack of a thread whose beginning is not there: times before the data count, what they do not explain is lost. */
TEST(checkpoint_first)
{
	static struct run run;
	const struct dwell_frame frames[] = {
		{.id = 1, .enter_ticks = 100, .child_ticks = 30}, {.id = 2, .enter_ticks = 180, .child_ticks = 5}};

	begin(&run, 16);
	dwell_pair_adopt(&run.pair, frames, 2, 200);
	leave(&run, 2, 210);
	leave(&run, 1, 250);
	finish(&run);
	CHECK_EQ(run.calls[0].total_ticks, 30);
	CHECK_EQ(run.calls[0].self_ticks, 25);
	CHECK_EQ(run.calls[1].total_ticks, 150);
	CHECK_EQ(run.calls[1].self_ticks, 90);
	CHECK_EQ(run.pair.first_ticks, 100);
	CHECK_EQ(run.pair.lost_ticks, 35);
	CHECK(dwell_pair_check(&run.pair));
}

int main(void)
{
	RUN(gap_at_every_position);
	RUN(checkpoint_at_every_position);
	RUN(missing_event_at_every_position);
	RUN(entries_before_the_data);
	RUN(entry_lost_in_a_gap);
	RUN(names_come_later);
	RUN(exit_tells_of_an_unwind_behind_a_gap);
	RUN(checkpoint_first);
	return tap_done();
}
