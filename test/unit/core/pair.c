/* core/pair against a naive second opinion, and against what it was written for. */
#include "check.h"
#include "pair_run.h"

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
		dwell_pair_stop(&run->pair, ticks);
		oracle_off(oracle, ticks);
		break;
	default:
		dwell_pair_continue(&run->pair, ticks);
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
	RUN(any_checkpoint);
	RUN(longjmp_in_a_loop_keeps_the_depth);
	RUN(site_finds_the_frame);
	RUN(recursion);
	RUN(deeper_than_the_memory);
	RUN(a_copy_ends_calls_of_another_thread);
	RUN(hostile_exits_stay_cheap);
	return tap_done();
}
