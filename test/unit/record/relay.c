/* A ring's calls are counted by record and by the thread that makes them in turn: whoever counts which of them, and whenever either is
 * held up or killed, the sums are those that record alone would have. */
#include "random_stream.h"
#include "relay_sim.h"
#include "same_count.h"

/* What is in order, which the thread can count. Elsewhere it leaves it to record. */
#define IN_ORDER (JUMPS | SWAPS | ENDS | LOSTS | HOLES | PAUSES | VALUES | WINDOWS | MARKS | EXITS | UNKNOWN | ENTRIES | BEFORE | HOLDS)

/* What all streams of a test have met. */
static struct {
	uint64_t thread_slots, slots, stolen, lost_turns, refused, taken_over;
} met;

/* ---- streams ---- */

#define SLOTS_MAX 400000u
static uint64_t stream[SLOTS_MAX];
static uint32_t stream_count;

static void take_made(uint64_t from)
{
	const uint64_t *data = (const uint64_t *)((const unsigned char *)ring + DWELL_RING_HEADER_BYTES);

	for (uint64_t at = from; at < ring->pos && stream_count < SLOTS_MAX; at += DWELL_SLOT_BYTES)
		stream[stream_count++] = data[at % RING_BYTES / DWELL_SLOT_BYTES];
}

static void make_stream(uint64_t seed, uint32_t with, uint32_t rare_kinds, uint32_t depth, uint32_t steps)
{
	begin_stream(seed, with, rare_kinds, depth);
	stream_count = 0;
	while (steps--) {
		uint64_t from = ring->pos;

		make_some();
		take_made(from);
	}
	free(ring);
}

/* ---- comparing ---- */

enum { PATHS, COUNTS };

/* COUNTS: of stamps that are not in order it depends on where the stream is cut how they are put right. */
static void compare_sim(struct sim *sim, int what)
{
	uint64_t events, floor_ticks;
	struct count *alone = count_alone(stream, sim->total, &events, &floor_ticks);

	CHECK_EQ(sim->events, events);
	CHECK_EQ(sim->count->events, alone->events);
	CHECK_EQ(sim->count->no_entry_calls, alone->no_entry_calls);
	CHECK_EQ(sim->count->gap_calls, alone->gap_calls);
	same_paths(&alone->sums.paths, &sim->count->sums.paths, what == PATHS);
	same_paths(&sim->count->sums.paths, &alone->sums.paths, what == PATHS);
	if (what == PATHS) {
		same_open(alone->thread.calls, sim->count->thread.calls);
		CHECK_EQ(sim->relay.floor_ticks, floor_ticks);
	}
	free_count(alone);
}

static void try_sim(const struct sim_plan *plan, uint64_t seed, int what)
{
	int bad = tap_bad;
	struct sim sim;

	sim_begin(&sim, plan, stream, stream_count, seed);
	sim_run(&sim);
	if (!tap_bad)
		compare_sim(&sim, what);
	met.thread_slots += sim.thread_slots;
	met.slots += sim.total;
	met.stolen += sim.stolen;
	met.lost_turns += sim.lost_turns;
	met.refused += sim.refused;
	met.taken_over += sim.taken_over;
	if (!bad && tap_bad)
		printf("# seed %llu, with 0x%x, rare %u, depth %u, %u slots, killed %u, record at %d, thread at %d\n",
			(unsigned long long)seed, kinds, rare, deep, stream_count, plan->killed, sim.record, sim.thread);
	sim_end(&sim);
}

static void begin_met(void)
{
	memset(&met, 0, sizeof met);
}

/* Short ones, of some of these kinds each. */
static void try_many(const struct sim_plan *plan, uint32_t with, uint32_t count, int what)
{
	begin_met();
	for (uint32_t which = 1; which <= count && !tap_bad; which++) {
		struct sim_plan some = *plan;
		uint32_t these, how_rare, steps;

		drawn = which * 77777u;
		these = with & (random_number() | random_number());
		how_rare = 1 + random_number() % 12;
		steps = 5 + random_number() % 600;
		if (some.killed)
			some.killed = 1 + random_number() % 60;
		make_stream(which, these, how_rare, 0, steps);
		try_sim(&some, which * 31, what);
	}
}

/* ---- who counts ---- */

TEST(record_alone)
{
	try_many(&(struct sim_plan){.thread = 50, .rest = 20, .turnover = 100}, IN_ORDER, 40, PATHS);
	CHECK(!met.thread_slots);
}

TEST(thread_alone)
{
	try_many(&(struct sim_plan){.thread = 100}, IN_ORDER & ~(uint32_t)LOSTS, 40, PATHS);
	CHECK(met.thread_slots > met.slots * 9 / 10);
}

TEST(in_turn)
{
	try_many(&(struct sim_plan){.thread = 50, .rest = 30}, IN_ORDER, 150, PATHS);
	CHECK(met.thread_slots > met.slots / 10 && met.thread_slots < met.slots * 9 / 10);
	CHECK(!met.stolen);
}

TEST(stolen)
{
	try_many(&(struct sim_plan){.thread = 60, .steals = 60, .rest = 10}, IN_ORDER, 250, PATHS);
	CHECK(met.stolen > 100 && met.lost_turns > 100 && met.taken_over > 100);
}

TEST(killed)
{
	try_many(&(struct sim_plan){.thread = 60, .steals = 50, .rest = 20, .killed = 1}, IN_ORDER, 300, PATHS);
	CHECK(met.stolen > 20);
}

TEST(killed_children)
{
	try_many(&(struct sim_plan){.thread = 60, .steals = 50, .rest = 20, .forgets = 10}, IN_ORDER, 150, PATHS);
	CHECK(met.thread_slots > met.slots / 10);
}

TEST(turnovers)
{
	try_many(&(struct sim_plan){.thread = 60, .steals = 30, .rest = 20, .turnover = 10}, IN_ORDER, 150, PATHS);
	CHECK(met.thread_slots > met.slots / 20 && met.refused > 100);
}

TEST(out_of_order)
{
	try_many(&(struct sim_plan){.thread = 60, .steals = 30, .rest = 20}, LATE | TURN | BACK, 100, COUNTS);
	CHECK(met.thread_slots > met.slots / 20 && met.thread_slots < met.slots);
}

TEST(long_streams)
{
	begin_met();
	for (uint32_t which = 1; which <= 6 && !tap_bad; which++) {
		make_stream(which, which % 2 ? IN_ORDER : JUMPS | SWAPS, 10, 0, 20000);
		try_sim(&(struct sim_plan){.thread = 60, .steals = 20, .rest = 20}, which, PATHS);
	}
	CHECK(met.thread_slots > met.slots / 10 && met.stolen > 10);
}

/* ---- more than there is room for ---- */

static uint64_t made_ticks;

static void begin_made(void)
{
	stream_count = 0;
	made_ticks = 1000;
	stream[stream_count++] = dwell_slot_make(DWELL_TAG_TIME, 0);
}

static void put_call(uint32_t function, bool exit, uint32_t ticks)
{
	made_ticks += ticks;
	stream[stream_count++] = dwell_slot_make((0x400000 + function * 16) | exit, (uint32_t)made_ticks);
}

static uint32_t calls_of(const struct dwell_paths *paths, uint64_t place, uint64_t *self_ticks)
{
	const struct dwell_path_function *function = same_find(paths, place);
	uint64_t calls = function ? function->folded_calls : 0;

	*self_ticks = function ? function->folded_self_ticks : 0;
	for (uint32_t i = 1; i < paths->node_count; i++)
		if (paths->functions[paths->nodes[i].function].place == place) {
			calls += paths->nodes[i].calls;
			*self_ticks += paths->nodes[i].self_ticks;
		}
	return (uint32_t)calls;
}

/* Whether each function's calls are all there, by whichever path. */
static void compare_functions(const struct dwell_paths *a, const struct dwell_paths *b)
{
	for (uint32_t i = 0; i < a->function_count && !tap_bad; i++) {
		const struct dwell_path_function *one = &a->functions[i], *other = same_find(b, one->place);
		uint64_t self_ticks, other_self_ticks;

		if (!CHECK(other))
			return;
		CHECK_EQ(calls_of(a, one->place, &self_ticks), calls_of(b, one->place, &other_self_ticks));
		CHECK_EQ(self_ticks, other_self_ticks);
		CHECK_EQ(one->durations, other->durations);
		CHECK_EQ(one->sum_ticks, other->sum_ticks);
		CHECK_EQ(one->min_ticks, other->min_ticks);
		CHECK_EQ(one->max_ticks, other->max_ticks);
	}
}

/* What all calls of it were, those of functions without room included. */
static void add_all(const struct dwell_paths *paths, uint64_t *calls, uint64_t *self_ticks)
{
	*calls = paths->other_calls;
	*self_ticks = paths->other_ticks;
	for (uint32_t i = 0; i < paths->function_count; i++) {
		*calls += paths->functions[i].folded_calls;
		*self_ticks += paths->functions[i].folded_self_ticks;
	}
	for (uint32_t i = 1; i < paths->node_count; i++) {
		*calls += paths->nodes[i].calls;
		*self_ticks += paths->nodes[i].self_ticks;
	}
}

/* More paths than a thread's buffer has nodes. */
static void make_many_paths(uint32_t outers)
{
	begin_made();
	for (uint32_t outer = 0; outer < outers; outer++) {
		put_call(outer, false, 3);
		for (uint32_t inner = 200; inner < 400; inner++) {
			put_call(inner, false, 2);
			put_call(inner, true, 5);
		}
		put_call(outer, true, 1);
	}
}

/* Many functions, and durations of that many different lengths. */
static void make_many_functions(uint32_t functions, uint32_t lengths)
{
	begin_made();
	for (uint32_t function = 0; function < functions; function++)
		for (uint32_t ticks = 32; ticks < 32u << lengths; ticks *= 2) {
			put_call(function, false, 2);
			put_call(function, true, ticks);
		}
}

/* Runs the stream, and says how many of its slots the thread has counted. */
static uint64_t run_made(const struct sim_plan *plan, uint64_t seed)
{
	begin_met();
	try_sim(plan, seed, PATHS);
	return met.thread_slots;
}

TEST(full_tree)
{
	uint64_t thread_slots;

	make_many_paths(160);
	thread_slots = run_made(&(struct sim_plan){.thread = 100}, 1);
	CHECK(thread_slots > 30000 && thread_slots < stream_count);
	/* When record takes the sums, it goes on. */
	thread_slots = run_made(&(struct sim_plan){.thread = 80, .steals = 20, .rest = 50}, 2);
	CHECK(thread_slots > stream_count / 2);
}

TEST(full_tables)
{
	uint64_t thread_slots;

	make_many_functions(5000, 1);
	thread_slots = run_made(&(struct sim_plan){.thread = 100}, 1);
	CHECK(thread_slots > 5000 && thread_slots < stream_count);
	/* Of their durations alone: for record as well, which has the same ones in the same order. */
	make_many_functions(1000, 9);
	thread_slots = run_made(&(struct sim_plan){.thread = 100}, 2);
	CHECK(thread_slots > 10000 && thread_slots < stream_count);
}

/* Calls that are open need room, too, when they are over. */
TEST(full_tree_below_a_deep_stack)
{
	uint64_t thread_slots;

	make_many_paths(40);
	for (uint32_t i = 0; i < 9000; i++)
		put_call(i % 7, false, 1);
	for (uint32_t i = 9000; i--;)
		put_call(i % 7, true, 1);
	thread_slots = run_made(&(struct sim_plan){.thread = 100}, 1);
	CHECK(thread_slots > 10000 && thread_slots < stream_count);
	run_made(&(struct sim_plan){.thread = 70, .steals = 20, .rest = 50}, 2);
}

/* A thread that nobody relieves counts calls by their functions alone; where there are more functions, as others'. */
TEST(pressed)
{
	for (uint32_t which = 0; which < 2; which++) {
		uint64_t events, floor_ticks, calls, self_ticks, alone_calls, alone_self_ticks;
		struct count *alone;
		struct sim sim;

		if (which)
			make_many_functions(5000, 2);
		else
			make_many_paths(160);
		sim_begin(&sim, &(struct sim_plan){.thread = 100, .presses = 100}, stream, stream_count, 3);
		sim_run(&sim);
		CHECK_EQ(sim.thread_slots, stream_count);
		alone = count_alone(stream, stream_count, &events, &floor_ticks);
		CHECK_EQ(sim.events, events);
		CHECK(which ? sim.count->sums.paths.other_calls : alone->sums.paths.node_count > sim.count->sums.paths.node_count);
		if (!which)
			compare_functions(&alone->sums.paths, &sim.count->sums.paths);
		add_all(&sim.count->sums.paths, &calls, &self_ticks);
		add_all(&alone->sums.paths, &alone_calls, &alone_self_ticks);
		CHECK_EQ(calls, alone_calls);
		CHECK_EQ(calls, events / 2);
		CHECK_EQ(self_ticks, alone_self_ticks);
		free_count(alone);
		sim_end(&sim);
	}
}

/* Stacks that calls are open on: while there are few, the thread may go on. */
TEST(many_stacks)
{
	static const uint32_t counts[] = {DWELL_RELAY_STACKS - 1, DWELL_RELAY_STACKS, 200};

	for (uint32_t i = 0; i < 3; i++) {
		uint64_t thread_slots;

		begin_made();
		for (uint32_t stack = 1; stack <= counts[i]; stack++) {
			stream[stream_count++] = dwell_slot_make(DWELL_TAG_STACK, stack);
			put_call(stack, false, 2);
		}
		for (uint32_t k = 0; k < 3000; k++) {
			stream[stream_count++] = dwell_slot_make(DWELL_TAG_STACK, 1 + k * 7919 % counts[i]);
			put_call(300, k / counts[i] % 2, 3);
		}
		thread_slots = run_made(&(struct sim_plan){.thread = 100}, i + 1);
		CHECK(thread_slots && (thread_slots == stream_count) == (counts[i] < DWELL_RELAY_STACKS));
		run_made(&(struct sim_plan){.thread = 60, .steals = 30, .rest = 30}, i + 7);
	}
}

/* Two stacks that grow by turns, which leaves gaps where they were. */
static void make_deep(uint32_t depth)
{
	begin_made();
	for (uint32_t i = 0; i < 2 * depth; i++) {
		if (i % 512 == 0)
			stream[stream_count++] = dwell_slot_make(DWELL_TAG_STACK, i / 512 % 2);
		put_call(i % 3, false, 2);
	}
	for (uint32_t stack = 0; stack < 2; stack++) {
		stream[stream_count++] = dwell_slot_make(DWELL_TAG_STACK, stack);
		for (uint32_t i = 2 * depth; i--;)
			if (i / 512 % 2 == stack)
				put_call(i % 3, true, 3);
	}
}

TEST(deep_stacks)
{
	static const uint32_t depths[] = {512, 3072, 5120, 10240, 20480};

	for (uint32_t i = 0; i < 5; i++) {
		uint64_t thread_slots;

		make_deep(depths[i]);
		thread_slots = run_made(&(struct sim_plan){.thread = 100}, i + 1);
		CHECK(thread_slots > 1000 && (i >= 1 || thread_slots == stream_count));
		run_made(&(struct sim_plan){.thread = 60, .steals = 30, .rest = 30}, i + 7);
	}
}

/* A mark whose text is not there yet is left for later. */
TEST(mark_at_the_end)
{
	static const uint64_t slots[] = {DWELL_TAG_TIME, DWELL_TAG_MARK | UINT64_C(10) << 32,
		DWELL_TAG_MARK_TEXT | UINT64_C(7) << 32, DWELL_TAG_MARK | UINT64_C(11) << 32, DWELL_TAG_TIME};
	struct dwell_relay *relay = calloc(1, DWELL_RELAY_BYTES);
	struct dwell_relay_turn turn;

	dwell_relay_begin(relay, 0, false);
	CHECK(dwell_relay_take(relay, &turn, false, 0));
	CHECK_EQ(dwell_relay_fold(&turn, slots, 2, true), 1);
	CHECK_EQ(dwell_relay_fold(&turn, slots + 1, 3, true), 2);
	CHECK_EQ(dwell_relay_fold(&turn, slots + 3, 1, true), 0);
	CHECK_EQ(dwell_relay_fold(&turn, slots + 3, 2, true), 2);
	CHECK(dwell_relay_commit(&turn));
	CHECK_EQ(turn.state->events, 4);
	CHECK(same_find(&turn.paths, DWELL_PATHS_MARK + 7) && same_find(&turn.paths, DWELL_PATHS_MARK));
	CHECK_EQ(turn.paths.function_count, 2);
	free(relay);
}

/* So is where it is not known yet what becomes of a stack's time. */
TEST(stack_that_begins_at_the_end)
{
	for (uint32_t cut = 1; cut < 16; cut++) {
		const uint64_t slots[] = {DWELL_TAG_TIME, dwell_slot_make(DWELL_TAG_STACK, 1), dwell_slot_enter(0x401000, 100),
			dwell_slot_make(DWELL_TAG_STACK, 0), dwell_slot_enter(0x402000, 1000), dwell_slot_exit(0x402000, 1100),
			dwell_slot_make(DWELL_TAG_STACK, DWELL_STACK_BEGINS | 1), dwell_slot_make(DWELL_TAG_STACK, 0),
			dwell_slot_enter(0x402000, 1200), dwell_slot_exit(0x402000, 1300), dwell_slot_make(DWELL_TAG_STACK, 1),
			dwell_slot_make(DWELL_TAG_ON, 1400), dwell_slot_make(DWELL_TAG_STACK, DWELL_STACK_BEGINS | 1),
			dwell_slot_make(DWELL_TAG_STACK, 0), dwell_slot_enter(0x402000, 1500), dwell_slot_exit(0x402000, 1600)};
		struct sim sim;

		memcpy(stream, slots, sizeof slots);
		stream_count = sizeof slots / sizeof *slots;
		/* The thread has the first of them, and record the rest. */
		sim_begin(&sim, &(struct sim_plan){.thread = 100}, stream, stream_count, cut);
		sim.written = cut;
		CHECK(dwell_relay_take(sim.shared, &sim.turn, false, 0));
		CHECK_EQ(dwell_relay_fold(&sim.turn, sim.slots, cut, false), cut);
		CHECK(dwell_relay_commit(&sim.turn));
		dwell_relay_release(&sim.turn);
		sim.plan.thread = 0;
		sim.written = stream_count;
		sim_run(&sim);
		compare_sim(&sim, PATHS);
		sim_end(&sim);
	}
}

/* Stamps that go back, within what is at hand or from one turn to the next, are left to record. */
TEST(late_stamps_are_left)
{
	const uint64_t slots[] = {DWELL_TAG_TIME, dwell_slot_enter(0x401000, 100), dwell_slot_enter(0x402000, 90)};
	struct dwell_relay *relay = calloc(1, DWELL_RELAY_BYTES);
	struct dwell_relay_turn turn;

	dwell_relay_begin(relay, 0, false);
	CHECK(dwell_relay_take(relay, &turn, false, 0));
	CHECK_EQ(dwell_relay_fold(&turn, slots, 3, true), 0);
	CHECK(!dwell_relay_commit(&turn));
	CHECK(dwell_relay_take(relay, &turn, false, 0));
	CHECK_EQ(dwell_relay_fold(&turn, slots, 2, true), 2);
	CHECK_EQ(dwell_relay_fold(&turn, slots + 2, 1, true), 0);
	CHECK(dwell_relay_commit(&turn));
	CHECK_EQ(turn.state->floor_ticks, 100);
	dwell_relay_release(&turn);
	CHECK(dwell_relay_take(relay, &turn, false, 0));
	CHECK_EQ(dwell_relay_fold(&turn, slots + 2, 1, true), 0);
	CHECK(!dwell_relay_commit(&turn));
	free(relay);
}

int main(void)
{
	RUN(record_alone);
	RUN(thread_alone);
	RUN(in_turn);
	RUN(stolen);
	RUN(killed);
	RUN(killed_children);
	RUN(turnovers);
	RUN(out_of_order);
	RUN(long_streams);
	RUN(full_tree);
	RUN(full_tables);
	RUN(full_tree_below_a_deep_stack);
	RUN(pressed);
	RUN(many_stacks);
	RUN(deep_stacks);
	RUN(mark_at_the_end);
	RUN(stack_that_begins_at_the_end);
	RUN(late_stamps_are_left);
	return tap_done();
}
