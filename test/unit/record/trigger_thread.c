/* What is heard of calls by reading along a ring that goes round: against a stack that is kept beside it, on streams of calls,
 * recursion and jumps, looked at more and less often than the ring goes round. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "core/extent.h"
#include "record/stage/trigger.h"
#include "record/stage/trigger_thread.h"

#define LOW UINT64_C(0x7f1200000000)
#define RING_BYTES (UINT64_C(16) << 10)
#define DEEP 60u
#define EVENTS 40000u
#define FUNCTIONS 4u

__attribute__((noinline, aligned(16))) void watched_one(void);
__attribute__((noinline, aligned(16))) void watched_two(void);
__attribute__((noinline, aligned(16))) void other_one(void);
__attribute__((noinline, aligned(16))) void other_two(void);
void watched_one(void) { __asm__ volatile(""); }
void watched_two(void) { __asm__ volatile("nop"); }
void other_one(void) { __asm__ volatile("nop; nop"); }
void other_two(void) { __asm__ volatile("nop; nop; nop"); }

static char self[256];
static uint64_t seed;

static uint32_t pick(uint32_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % limit;
}

static uint32_t place_of(void (*function)(void))
{
	extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

	return (uint32_t)(LOW + (uint64_t)(uintptr_t)function - (uint64_t)(uintptr_t)__ehdr_start);
}

/* The program, and what should be heard of it. */
struct call {
	uint32_t function;
	uint64_t ticks;
	bool seen; /* its enter was read, or may be */
	uint64_t position;
};
/* A call that ended, to be judged when it is read; around: the one of the same function that it was in. */
struct ended {
	struct trigger_call call;
	bool seen, around_seen;
	uint64_t around_position;
};
struct program {
	struct session *session;
	struct dwell_ring *ring;
	uint64_t now, read; /* so far, by who reads along */
	uint32_t high;      /* of the clock, as the block says */
	bool jumps;
	struct ended ended[EVENTS];
	uint32_t ended_count;
	struct call open[DEEP];
	uint32_t depth;
	struct trigger_call want[EVENTS];
	uint32_t wants, heard, wrong;
	uint64_t missed;
};

static uint32_t places[FUNCTIONS], numbers[FUNCTIONS];

static void push(struct program *program, uint64_t slot)
{
	if (program->ring->pos % DWELL_BLOCK_BYTES == 0 || program->high != program->now >> 32) {
		program->high = (uint32_t)(program->now >> 32);
		*dwell_ring_slot(program->ring, program->ring->pos) =
			dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(program->now >> 32));
		program->ring->pos += DWELL_SLOT_BYTES;
	}
	*dwell_ring_slot(program->ring, program->ring->pos) = slot;
	program->ring->pos += DWELL_SLOT_BYTES;
}

static void leave(struct program *program)
{
	const struct call *call = &program->open[--program->depth];
	struct ended ended = {.seen = call->seen};

	ended.call = (struct trigger_call){numbers[call->function], call->ticks, program->now - call->ticks, call->position};
	if (call->function >= 2)
		return;
	for (uint32_t i = 0; i < program->depth; i++)
		if (program->open[i].function == call->function) {
			ended.around_seen = program->open[i].seen;
			ended.around_position = program->open[i].position;
		}
	program->ended[program->ended_count++] = ended;
}

static void hear(void *context, const struct trigger_call *call)
{
	struct program *program = context;
	const struct trigger_call *want = &program->want[program->heard];

	if (program->heard == program->wants || want->function != call->function || want->enter_ticks != call->enter_ticks ||
		want->total_ticks != call->total_ticks || want->position != call->position)
		program->wrong++;
	else
		program->heard++;
}

static void step(struct program *program)
{
	uint32_t function = pick(FUNCTIONS), target;

	program->now += 1 + pick(50);
	if (program->jumps && pick(200) == 0 && program->depth > 2 && program->open[target = pick(program->depth - 1)].seen) {
		/* The innermost of that function goes on. */
		function = program->open[target].function;
		push(program, dwell_slot_make(DWELL_TAG_UNWIND_JUMP, (uint32_t)program->now));
		push(program, dwell_slot_make(DWELL_TAG_LANDED, places[function]));
		while (program->open[program->depth - 1].function != function)
			leave(program);
	} else if (program->depth && (program->depth == DEEP || pick(100) < 50)) {
		push(program, dwell_slot_exit(places[program->open[program->depth - 1].function], (uint32_t)program->now));
		leave(program);
	} else {
		push(program, dwell_slot_enter(places[function], (uint32_t)program->now));
		program->open[program->depth++] =
			(struct call){function, program->now, true, program->ring->pos - DWELL_SLOT_BYTES};
	}
}

/* What was overwritten since it was read last is forgotten, with the calls that were entered in it or before. */
static void look(struct program *program, struct trigger_thread *thread, bool *again)
{
	const struct dwell_extent_facts facts = {
		.mode = DWELL_MODE_RING, .commits_last = true, .pos = program->ring->pos, .bytes = RING_BYTES};
	struct dwell_extent extent = {0};
	uint64_t missed = 0, expected;

	CHECK(dwell_extent_of(&facts, &extent));
	expected = extent.begin > program->read ? extent.begin - program->read : 0;
	if (!expected)
		extent.begin = 0;
	*again |= expected > 0;
	for (uint32_t i = 0; i < program->depth; i++)
		program->open[i].seen &= program->open[i].position >= extent.begin;
	for (uint32_t i = 0; i < program->ended_count; i++) {
		const struct ended *ended = &program->ended[i];

		if (ended->seen && ended->call.position >= extent.begin &&
			(!ended->around_seen || ended->around_position < extent.begin))
			program->want[program->wants++] = ended->call;
	}
	program->ended_count = 0;
	trigger_thread_read_position(thread);
	trigger_thread_follow(thread, hear, program, &missed);
	CHECK_EQ(missed, expected / DWELL_SLOT_BYTES);
	program->missed += missed;
	program->read = program->ring->pos;
}

static struct filter *make_watched(struct diag *diag)
{
	static const struct filter_options options = {.patterns = {{"watched_*", "--snapshot-when", false}}, .pattern_count = 1};
	struct message_module module = {.process = 3, .low = LOW, .high = LOW + (1 << 30), .bias = LOW, .path = self};
	struct filter *finder = make_finder(&options, &(struct filter_program){self, NULL, 0}, diag);
	static struct filter_cache memory;

	CHECK(finder != NULL);
	filter_add_module(finder, &module);
	memset(&memory, 0, sizeof memory);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		numbers[i] = filter_find_place(finder, &memory, 3, places[i], 1);
	CHECK(numbers[0] && numbers[1] && numbers[0] != numbers[1] && !numbers[2] && !numbers[3]);
	return finder;
}

/* often: it is looked after so many events, on average. Jumps are for runs in which nothing is missed: where they landed may be. */
static void follow(uint32_t often, bool misses)
{
	static struct program program;
	struct diag *diag = make_diag();
	struct filter *finder = make_watched(diag);
	const struct session_options options = {.mode = DWELL_MODE_RING, .slot_count = 1, .ring_bytes = RING_BYTES};
	struct trigger_thread *thread;
	struct dwell_session_slot *slot;
	bool again = false;

	memset(&program, 0, sizeof program);
	program.session = make_session(&options, diag);
	CHECK(program.session != NULL);
	program.ring = session_ring(program.session, 0);
	program.ring->header_bytes = DWELL_RING_HEADER_BYTES;
	program.ring->bytes = RING_BYTES;
	program.ring->commits_last = 1;
	program.jumps = !misses;
	program.now = UINT64_C(0x12fffff000);
	slot = session_slot(program.session, 0);
	slot->process = 3;
	slot->begin_ticks = 77;
	slot->state = DWELL_SESSION_LIVE;
	program.session->shared->slots_used = 1;
	thread = make_trigger_thread(program.session, 0, finder);
	CHECK(thread != NULL && trigger_thread_began_at(thread, 77) && !trigger_thread_began_at(thread, 78));
	for (uint32_t i = 0; i < EVENTS; i++) {
		step(&program);
		if (!pick(often))
			look(&program, thread, &again);
	}
	look(&program, thread, &again);
	CHECK_EQ(again, misses);
	CHECK_EQ(program.wrong, 0);
	CHECK_EQ(program.heard, program.wants);
	CHECK(program.heard > 100);
	free_trigger_thread(thread);
	free_session(program.session);
	free_filter(finder);
	free_diag(diag);
}

TEST(hears_each_call)
{
	for (seed = 1; seed < 40; seed += 9) {
		follow(1, false);
		follow(20, false);
		follow(100, false);
	}
}

/* What was overwritten is counted, and no call heard whose enter was. */
TEST(counts_what_it_missed)
{
	for (uint64_t round = 1; round < 9; round++) {
		seed = round;
		follow(3000, true);
	}
}

TEST(reads_what_is_typed)
{
	static const struct {
		const char *text, *function;
		uint64_t limit_ns;
	} good[] = {
		{"handle > 5ms", "handle", 5000000},
		{"handle>5ms", "handle", 5000000},
		{"  handle  >1.5s", "handle", 1500000000},
		{"vec<int>::push(int, int) > 300us", "vec<int>::push(int, int)", 300000},
		{"operator>> > 20 ns", "operator>>", 20},
		{"json_* > 2 min", "json_*", UINT64_C(120000000000)},
	};
	static const char *const bad[] = {"", "handle", "> 5ms", "  > 5ms", "handle >", "handle > 5", "handle > 5 parsecs", "handle > 0", "handle >= 5ms",
		"handle > -5ms", "handle < 5ms"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct watcher_options options = {0};
		const char *wrong = NULL;
		bool read = trigger_read_rule(&options, good[i].text, &wrong);

		CHECK(read);
		if (read) {
			CHECK(!strcmp(options.rules[0].function, good[i].function));
			CHECK_EQ(options.rules[0].number, good[i].limit_ns);
		}
		watcher_options_clear(&options);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct watcher_options options = {0};
		const char *wrong = NULL;

		CHECK(!trigger_read_rule(&options, bad[i], &wrong) && wrong && !options.rule_count);
	}
}

int main(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	places[0] = place_of(watched_one);
	places[1] = place_of(watched_two);
	places[2] = place_of(other_one);
	places[3] = place_of(other_two);
	RUN(hears_each_call);
	RUN(counts_what_it_missed);
	RUN(reads_what_is_typed);
	return tap_done();
}
