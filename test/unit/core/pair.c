/* core/pair against a naive second opinion, and against what it was written for. */
#include "core/pair.h"

#include "check.h"
#include "pair_oracle.h"

static uint64_t state;

static uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

static void seed(uint64_t number)
{
	state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

/* The pairing under test with the calls that it gave, in order. */
struct run {
	struct dwell_pair pair;
	struct dwell_frame frames[16];
	struct dwell_call calls[ORACLE_CALLS];
	uint32_t count;
};

static void begin(struct run *run, uint32_t capacity)
{
	run->count = 0;
	dwell_pair_init(&run->pair, run->frames, capacity);
}

static void take(struct run *run)
{
	while (dwell_pair_pop(&run->pair, &run->calls[run->count]))
		run->count++;
}

static void leave(struct run *run, uint64_t id, uint64_t ticks)
{
	if (dwell_pair_exit(&run->pair, id, ticks, &run->calls[run->count]))
		run->count++;
	take(run);
}

static void finish(struct run *run)
{
	dwell_pair_finish(&run->pair);
	take(run);
}

static bool same_call(const struct dwell_call *call, const struct oracle *oracle, int index)
{
	const struct oracle_call *want = &oracle->calls[index];

	return call->id == want->id && call->enter_ticks == want->enter && call->exit_ticks == want->exit &&
	       call->total_ticks == want->exit - want->enter && call->self_ticks == oracle_count(oracle, index) &&
	       call->depth == want->depth && call->flags == want->flags;
}

static bool agrees(const struct run *run, const struct oracle *oracle)
{
	const struct dwell_pair *pair = &run->pair;

	if (run->count != (uint32_t)oracle->finished || pair->depth || !dwell_pair_check(pair))
		return false;
	for (uint32_t i = 0; i < run->count; i++)
		if (!same_call(&run->calls[i], oracle, oracle->order[i]))
			return false;
	return pair->lost_ticks == oracle_count(oracle, OWNER_LOST) &&
	       dwell_pair_outside_ticks(pair) == oracle_count(oracle, OWNER_OUTSIDE) + oracle_count(oracle, OWNER_OFF) &&
	       pair->unmatched_exits == oracle->unmatched && pair->unwound_calls == oracle->unwound;
}

/* One random event, to both. Ticks stand still now and then, and run back (to pairing: stand still). */
static void step(struct run *run, struct oracle *oracle, uint64_t *now, uint32_t kinds)
{
	uint64_t ticks = *now += pick(4);
	uint64_t id = 1 + pick(4);
	uint32_t pops = pick(4), pushes = pick(3);

	if (*now > 10 && !pick(20))
		ticks -= 5;
	switch (pick(kinds)) {
	case 0:
	case 1:
	case 2:
		dwell_pair_enter(&run->pair, id, ticks);
		oracle_enter(oracle, id, ticks);
		break;
	case 3:
	case 4:
	case 5:
		if (run->pair.depth && pick(3))
			id = run->pair.frames[run->pair.depth - 1].id;
		if (id == DWELL_ID_UNKNOWN)
			id = 7;
		leave(run, id, ticks);
		oracle_exit(oracle, id, ticks);
		break;
	case 6:
		dwell_pair_unwind(&run->pair, ticks);
		oracle_unwind(oracle, ticks);
		break;
	case 7:
		dwell_pair_land(&run->pair, pops);
		take(run);
		oracle_land(oracle, pops);
		break;
	case 8:
		dwell_pair_lost(&run->pair, 1, pops, pushes);
		take(run);
		oracle_lost(oracle, pops, pushes);
		break;
	case 9:
		dwell_pair_off(&run->pair, ticks);
		oracle_off(oracle, ticks);
		break;
	default:
		dwell_pair_on(&run->pair, ticks);
		oracle_on(oracle, ticks);
		break;
	}
}

/* kinds: 6 only enters and exits, 8 with unwinds, 11 with gaps and pauses. */
static void compare(uint32_t kinds, uint32_t seeds)
{
	static struct run run;
	static struct oracle oracle;

	for (uint32_t number = 0; number < seeds; number++) {
		uint64_t now = 3;
		uint32_t steps;
		bool valid = true;

		seed(number);
		steps = 1 + pick(60);
		begin(&run, 1 + pick(16));
		oracle_init(&oracle, (int)run.pair.capacity);
		for (uint32_t i = 0; i < steps; i++) {
			step(&run, &oracle, &now, kinds);
			valid = valid && dwell_pair_is_valid(&run.pair);
		}
		finish(&run);
		oracle_finish(&oracle);
		if (!valid || !agrees(&run, &oracle)) {
			printf("# seed %u of %u kinds, %u steps%s\n", number, kinds, steps, valid ? "" : ": frames are not valid");
			CHECK(false);
			return;
		}
	}
}

TEST(any_enters_and_exits)
{
	compare(6, 30000);
}

TEST(any_unwinds)
{
	compare(8, 30000);
}

TEST(any_gaps_and_pauses)
{
	compare(11, 60000);
}

/* main { work { leaf } leaf } with a longjmp from leaf to main in each turn. */
TEST(longjmp_in_a_loop_keeps_the_depth)
{
	static struct run run;
	uint64_t ticks = 0, calls = 0;

	begin(&run, 16);
	dwell_pair_enter(&run.pair, 1, ticks++);
	for (uint32_t turn = 0; turn < 1000000; turn++) {
		dwell_pair_enter(&run.pair, 2, ticks++);
		dwell_pair_enter(&run.pair, 3, ticks++);
		dwell_pair_unwind(&run.pair, ticks++);
		dwell_pair_land(&run.pair, 0);
		run.count = 0;
		take(&run);
		calls += run.count;
	}
	CHECK_EQ(run.pair.deepest, 3);
	CHECK_EQ(run.pair.depth, 1);
	CHECK_EQ(calls, 2000000);
	run.count = 0;
	dwell_pair_enter(&run.pair, 4, ticks++);
	leave(&run, 4, ticks++);
	CHECK_EQ(run.calls[0].depth, 1);
	leave(&run, 1, ticks++);
	CHECK_EQ(run.calls[1].flags, 0);
	finish(&run);
	CHECK(dwell_pair_check(&run.pair));
	CHECK_EQ(dwell_pair_outside_ticks(&run.pair), 0);
}

/* Where addresses are ids, the call site alone tells where a jump landed: also in the innermost of several activations. */
TEST(site_finds_the_frame)
{
	static struct run run;

	begin(&run, 16);
	dwell_pair_enter(&run.pair, 0x1000, 0);
	dwell_pair_enter(&run.pair, 0x3000, 1);
	dwell_pair_enter(&run.pair, 0x2000, 2);
	dwell_pair_enter(&run.pair, 0x1000, 3);
	CHECK_EQ(dwell_pair_find_site(&run.pair, 0x1fff), 3);
	CHECK_EQ(dwell_pair_find_site(&run.pair, 0x2000), 2);
	CHECK_EQ(dwell_pair_find_site(&run.pair, 0x9999), 1);
	CHECK_EQ(dwell_pair_find_site(&run.pair, 0xfff), UINT32_MAX);
}

TEST(recursion)
{
	static struct run run;

	begin(&run, 16);
	for (uint64_t i = 0; i < 10; i++)
		dwell_pair_enter(&run.pair, 5, i);
	for (uint64_t i = 0; i < 10; i++)
		leave(&run, 5, 100 + i);
	finish(&run);
	CHECK_EQ(run.count, 10);
	for (uint32_t i = 0; i < 10; i++) {
		CHECK_EQ(run.calls[i].depth, 9 - i);
		CHECK_EQ(run.calls[i].total_ticks, 91 + 2 * i);
		CHECK_EQ(run.calls[i].self_ticks, i ? 2 : 91);
		CHECK_EQ(run.calls[i].flags, 0);
	}
}

/* What does not fit is counted, its time is the deepest frame's, and the stack is right again afterwards. */
TEST(deeper_than_the_memory)
{
	static struct run run;

	begin(&run, 4);
	for (uint64_t i = 0; i < 1000; i++)
		CHECK((dwell_pair_enter(&run.pair, i, i) != NULL) == (i < 4));
	CHECK_EQ(run.pair.deepest, 1000);
	CHECK_EQ(run.pair.beyond, 996);
	for (uint64_t i = 1000; i-- > 0;)
		leave(&run, i, 1999 - i);
	finish(&run);
	CHECK_EQ(run.count, 4);
	CHECK_EQ(run.pair.beyond_calls, 996);
	CHECK_EQ(run.calls[0].self_ticks, 1993);
	CHECK_EQ(run.calls[3].id, 0);
	CHECK_EQ(run.calls[3].self_ticks, 2);
	CHECK_EQ(run.pair.unmatched_exits, 0);
	CHECK(dwell_pair_check(&run.pair));
}

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
	dwell_pair_arrive(&run.pair, 20);
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

/* A hostile checkpoint is forced into what can be: anywhere in any random run, the invariants hold and time adds up. */
TEST(any_checkpoint)
{
	static struct run run;
	static struct oracle oracle;

	for (uint32_t number = 0; number < 40000; number++) {
		uint64_t now = 3;
		bool good = true;

		seed(7000000 + number);
		begin(&run, 1 + pick(16));
		oracle_init(&oracle, (int)run.pair.capacity);
		for (uint32_t i = 0; i < 40; i++) {
			struct dwell_frame frames[20];
			uint32_t count = pick(20);

			if (pick(8)) {
				oracle.depth = oracle.call_count = oracle.finished = 0; /* not asked: a checkpoint is beyond it */
				oracle.beyond = oracle.pushes = 0;
				step(&run, &oracle, &now, 11);
				good = good && dwell_pair_is_valid(&run.pair);
				continue;
			}
			for (uint32_t j = 0; j < count; j++) {
				if (j < run.pair.depth && pick(3))
					frames[j] = run.pair.frames[j];
				else
					frames[j] = (struct dwell_frame){
						.id = pick(4), .enter_ticks = pick(2) ? now - pick(9) : pick(3000)};
				if (!pick(4))
					frames[j].child_ticks = pick(2) ? UINT64_MAX - pick(3) : pick(50);
			}
			dwell_pair_checkpoint(&run.pair, frames, count);
			take(&run);
			dwell_pair_adopt(&run.pair, frames, count, pick(9) ? now : UINT64_MAX);
			good = good && dwell_pair_is_valid(&run.pair);
			if (run.pair.last_ticks == UINT64_MAX || run.count > ORACLE_CALLS - 100)
				break;
		}
		finish(&run);
		if (!good || !dwell_pair_check(&run.pair) || run.pair.depth) {
			printf("# seed %u\n", number);
			CHECK(false);
			return;
		}
	}
}

/* Exits that fit nothing look at the stack; a million of them below a deep stack must not cost its square. */
TEST(hostile_exits_stay_cheap)
{
	enum { DEEP = 1 << 20 };
	static struct dwell_frame frames[DEEP];
	struct dwell_pair pair;
	struct dwell_call call;

	dwell_pair_init(&pair, frames, DEEP);
	for (uint64_t i = 0; i < DEEP; i++)
		dwell_pair_enter(&pair, i, i);
	for (uint64_t i = 0; i < DEEP; i++)
		CHECK(!dwell_pair_exit(&pair, UINT64_MAX - 1, DEEP, &call));
	CHECK_EQ(pair.unmatched_exits, DEEP);
	CHECK_EQ(pair.depth, DEEP);
}

/* The child of a fork goes on with calls of its parent: their time is its own, and the calls are the parent's. */
TEST(a_copy_ends_calls_of_another_thread)
{
	struct run run;

	begin(&run, 16);
	run.pair.is_copy = true;
	dwell_pair_enter(&run.pair, 3, 10);
	leave(&run, 3, 20);
	leave(&run, 2, 30);
	leave(&run, 1, 50);
	dwell_pair_enter(&run.pair, 1, 60);
	leave(&run, 1, 70);
	CHECK_EQ(run.count, 4);
	CHECK_EQ(run.calls[0].flags, 0);
	CHECK_EQ(run.calls[1].flags, DWELL_CALL_NO_ENTRY | DWELL_CALL_PIECE);
	CHECK_EQ(run.calls[1].total_ticks, 20);
	CHECK_EQ(run.calls[1].self_ticks, 10);
	CHECK_EQ(run.calls[2].flags, DWELL_CALL_NO_ENTRY | DWELL_CALL_PIECE);
	CHECK_EQ(run.calls[2].self_ticks, 20);
	CHECK_EQ(run.calls[3].flags, 0);
	CHECK(!dwell_pair_began_before(&run.pair, run.calls[1].flags));
	CHECK(dwell_pair_check(&run.pair));
}

int main(void)
{
	RUN(any_enters_and_exits);
	RUN(any_unwinds);
	RUN(any_gaps_and_pauses);
	RUN(longjmp_in_a_loop_keeps_the_depth);
	RUN(site_finds_the_frame);
	RUN(recursion);
	RUN(deeper_than_the_memory);
	RUN(gap_at_every_position);
	RUN(checkpoint_at_every_position);
	RUN(missing_event_at_every_position);
	RUN(entries_before_the_data);
	RUN(entry_lost_in_a_gap);
	RUN(names_come_later);
	RUN(checkpoint_first);
	RUN(any_checkpoint);
	RUN(a_copy_ends_calls_of_another_thread);
	RUN(hostile_exits_stay_cheap);
	return tap_done();
}
