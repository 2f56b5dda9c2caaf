/* Random programs, with calls, unwinds, coroutines and signals, on the real recorder, whose ring is full now and then. The test
 * holds the profile that comes of it against what the program itself knows: nothing may be in it that did not happen. */
#include <sys/mman.h>

#include "check.h"
#include "model/model.h"
#include "port/sim/sim.h"
#include "reader/reader.h"
#include "record/drain/drain.h"
#include "record/stage/count.h"
#include "recorder/trace.h"
#include "target/port/os/linux/session.h"
#include "zoo.h"

#define STREAM 5u
#define FUNCTIONS 6u
#define STACKS 3u
#define DEEP 40u
#define RING_BLOCKS 4u
#define RING_BYTES (DWELL_RING_HEADER_BYTES + RING_BLOCKS * DWELL_BLOCK_BYTES)
#define PLACE(function) (0x408000u + 0x40u * (function))
#define SITE_OUTSIDE 0x300000u

/* What programs do. */
enum {
	JUMPS = 1,   /* unwinds that say where they land … */
	SITES = 2,   /* … and that leave it to the next call … */
	EXITS = 4,   /* … or to an exit */
	SWAPS = 8,   /* coroutines */
	ENDS = 16,   /* some of them end */
	SIGNALS = 32,
	ALL = 63,
};

struct stack {
	uint32_t functions[DEEP], depth;
};

static struct program {
	struct stack stacks[STACKS];
	uint32_t current, deepest;
	uint64_t calls[FUNCTIONS], all_calls;
	uint64_t first, last;
	uint64_t random;
} program;

static unsigned char *memory;
static struct dwell_ring *ring;
static char path[64];

static uint32_t pick(uint32_t count)
{
	program.random = program.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(program.random >> 33) % count;
}

static struct stack *running(void)
{
	return &program.stacks[program.current];
}

static void event(uint32_t function, enum dwell_event_kind kind, uintptr_t site)
{
	dwell_trace(port_thread(), (void *)(uintptr_t)PLACE(function), (void *)site, kind);
	program.first = program.first ? program.first : sim.now;
	program.last = sim.now;
}

static void enter(uint32_t function, uintptr_t site)
{
	struct stack *stack = running();

	stack->functions[stack->depth++] = function;
	program.deepest = stack->depth > program.deepest ? stack->depth : program.deepest;
	program.calls[function]++;
	program.all_calls++;
	event(function, DWELL_ENTER, site);
}

static uintptr_t site_of_top(void)
{
	return running()->depth ? PLACE(running()->functions[running()->depth - 1]) + 0x10 : SITE_OUTSIDE;
}

static void leave(void)
{
	event(running()->functions[--running()->depth], DWELL_EXIT, SITE_OUTSIDE);
}

/* To a call that is open, which goes on. */
static void jump(bool tells)
{
	struct stack *stack = running();
	uint32_t to = pick(stack->depth), function = stack->functions[to], words[2], count = 0, above = 0;

	for (uint32_t i = to + 1; i < stack->depth; i++)
		above += stack->functions[i] == function;
	if (!tells) /* a call site does not say which call of its function it is */
		for (; above; above -= stack->functions[++to] == function)
			;
	if (above)
		words[count++] = above << 1 | DWELL_LANDED_ABOVE;
	words[count++] = PLACE(function);
	stack->depth = to + 1;
	if (tells)
		dwell_trace_landed(port_thread(), DWELL_TAG_UNWIND_JUMP, words, count, 0);
	else
		dwell_trace_unwind(port_thread(), DWELL_TAG_UNWIND_JUMP, 0);
	program.last = sim.now;
}

static void handle_signal(void)
{
	uint32_t before = running()->depth;

	if (before + 4 > DEEP)
		return;
	enter(pick(FUNCTIONS), SIM_INTERRUPT_SITE);
	for (uint32_t i = pick(5); i--;) {
		if (running()->depth > before + 1 && pick(2))
			leave();
		else if (running()->depth < before + 4)
			enter(pick(FUNCTIONS), site_of_top());
	}
	while (running()->depth > before)
		leave();
}

/* An unwind is told of the stack of the last event, so there is one. */
static void swap_to(uint32_t stack)
{
	dwell_trace_switch(port_thread(), program.current = stack);
	if (running()->depth < DEEP - 4)
		enter(pick(FUNCTIONS), site_of_top());
	else
		leave();
}

static void step(uint32_t with)
{
	uint32_t what = pick(100);
	bool tells = with & JUMPS && (!(with & SITES) || pick(2));

	sim.now += pick(50);
	if (what < 4 && with & (JUMPS | SITES) && running()->depth) {
		jump(tells);
		if (!tells && with & EXITS && pick(2)) /* it leaves that to what comes next, wherever it comes from */
			leave();
		else if (!tells)
			enter(pick(FUNCTIONS), site_of_top());
	} else if (what < 6 && with & SWAPS) {
		swap_to(pick(STACKS));
	} else if (what < 7 && with & ENDS && program.current) {
		uint32_t ended = program.current;

		swap_to(0);
		program.stacks[ended].depth = 0;
		dwell_trace_stack_ended(port_thread(), ended);
	} else if (what < 10 && with & SIGNALS)
		handle_signal();
	else if (running()->depth && (running()->depth >= DEEP - 4 || pick(running()->depth + 3) > 2))
		leave();
	else
		enter(pick(FUNCTIONS), site_of_top());
}

/* The program, with a drain that comes when it likes. Returns how many events were lost. */
static uint64_t run(uint64_t seed, uint32_t with, uint32_t steps, bool counts)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct message_thread thread = {.stream = STREAM, .place_kind = DWELL_PLACE_LOW32, .tid = 7, .name = "walk"};
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct workers *workers = make_workers(true);
	const struct stage_source source = {.stream = STREAM};
	struct stage_list stages = {0};
	struct stage_thread *threads = NULL;
	struct drain drain;
	uint64_t lost;

	memset(&program, 0, sizeof program);
	program.random = seed * 99991;
	memset(memory, 0, RING_BYTES);
	ring = dwell_ring_begin(memory, DWELL_RING_HEADER_BYTES, RING_BYTES, DWELL_MODE_STREAM, true);
	sim_begin(ring);
	sim.now = UINT64_C(0x500000000);
	if (counts)
		stages_add(&stages, make_count_stage());
	CHECK(writer && workers && stages_begin_thread(&stages, &source, &threads));
	CHECK(drain_begin(&drain, STREAM, ring, RING_BLOCKS * DWELL_BLOCK_BYTES, threads));
	trace_writer_thread(writer, &thread);
	while (steps) {
		for (uint32_t i = pick(3) ? pick(400) : pick(6000); i-- && steps; steps--)
			step(with);
		drain_take(&drain, drain_available(&drain, true), true, workers, writer);
		drain_wait(&drain);
	}
	drain_finish(&drain, NULL, workers, writer);
	lost = ring->lost_events;
	CHECK(trace_writer_finish(writer));
	CHECK_EQ(diag_status(diag), 0);
	drain_end(&drain);
	stages_free(&stages);
	free_workers(workers);
	free_trace_writer(writer);
	free_diag(diag);
	return lost;
}

static void check_profile(const struct model *model, uint32_t with)
{
	const struct profile *profile = model_get_profile(model);
	struct functions *functions = model_get_functions(model);
	const struct profile_thread *row = &profile->threads[0];
	uint64_t elapsed = program.last - program.first, known = 0;

	CHECK(row->balanced);
	CHECK(row->first_ticks >= program.first && row->last_ticks <= program.last);
	CHECK_EQ(row->self_ticks + row->lost_ticks + row->outside_ticks, row->last_ticks - row->first_ticks);
	CHECK(row->calls <= program.all_calls);
	CHECK(row->deepest <= program.deepest);
	CHECK_EQ(row->beyond_calls, 0);
	for (uint32_t id = 0; id < profile->function_count; id++) {
		const struct profile_function *function = &profile->functions[id];
		const char *name = functions_get_name(functions, id);
		uint64_t place = strtoull(name, NULL, 16);

		CHECK(function->self <= elapsed && (!function->durations.count || function->max <= elapsed));
		if (!(with & SWAPS)) /* else it may be open on several stacks */
			CHECK(function->total <= elapsed);
		known += function->self;
		if (!function->calls)
			continue;
		CHECK(place >= PLACE(0) || !strcmp(name, "(unknown)"));
		if (place >= PLACE(0))
			CHECK(function->calls <= program.calls[(place - PLACE(0)) / 0x40]);
	}
	CHECK(known <= elapsed);
}

static void read_and_check(uint32_t with)
{
	const struct model_options options = {.want_profile = true};
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source(path, diag), diag);
	struct model *model = make_model(&options, diag);
	struct message message;

	for (;;) {
		reader_next(reader, &message);
		if (message.kind == MESSAGE_END)
			break;
		model_feed(model, &message);
	}
	model_finish(model);
	check_profile(model, with);
	free_model(model);
	free_reader(reader);
	free_diag(diag);
}

static void try(uint32_t with, bool counts)
{
	uint64_t lost = 0, events = 0;

	for (uint64_t seed = 1; seed <= 120 && !tap_bad; seed++) {
		uint32_t steps = 200 + (uint32_t)(seed * 7919 % 20000);

		lost += run(seed, with, steps, counts);
		events += steps;
		read_and_check(with);
		if (tap_bad)
			printf("# seed %llu, with %u, %u steps%s\n", (unsigned long long)seed, with, steps, counts ? ", counted" : "");
	}
	CHECK(tap_bad || (lost > events / 20 && lost < events));
}

TEST(calls) { try(0, false); }
TEST(signals) { try(SIGNALS, false); }
TEST(jumps) { try(JUMPS, false); }
TEST(jumps_that_do_not_tell) { try(SITES, false); }
TEST(jumps_that_only_an_exit_tells) { try(SITES | EXITS, false); }
TEST(coroutines) { try(SWAPS, false); }
TEST(coroutines_that_end) { try(SWAPS | ENDS, false); }
TEST(everything) { try(ALL, false); }
TEST(everything_counted) { try(ALL, true); }

int main(void)
{
	int file = memfd_create("lost", 0);

	CHECK(file >= 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	memory = aligned_alloc(64, (RING_BYTES + 63) / 64 * 64);
	RUN(calls);
	RUN(signals);
	RUN(jumps);
	RUN(jumps_that_do_not_tell);
	RUN(jumps_that_only_an_exit_tells);
	RUN(coroutines);
	RUN(coroutines_that_end);
	RUN(everything);
	RUN(everything_counted);
	free(memory);
	return tap_done();
}
