/* A thread with several stacks, against a program that counts for itself: all of it, from the middle on, and with a part
 * missing. */
#include <stdlib.h>

#include "check.h"
#include "core/slot.h"
#include "model/model.h"

enum { STACKS = 6, FUNCTIONS = 8, DEEP = 20, CHUNKS = 40, CHUNK_EVENTS = 120, EVENTS = CHUNKS * CHUNK_EVENTS };

#define PLACE(function) (0x400000u + 0x100u * (function))

struct open {
	uint32_t function;
	uint64_t enter, child;
};

/* A call that ended, by when it was entered: no two were at a time. */
struct truth {
	uint32_t function, depth;
	uint64_t enter, exit, self;
	bool by_exit;
};

struct chunk {
	struct event events[3 * CHUNK_EVENTS];
	struct message_frame frames[STACKS * DEEP + 1];
	uint32_t count, frame_count;
	uint64_t first_ticks, floor_ticks;
};

static struct program {
	uint64_t random, now, first, self, outside;
	struct open stacks[STACKS][DEEP];
	uint32_t depth[STACKS], current;
	uint64_t suspended[STACKS]; /* when it last ran */
	struct truth calls[EVENTS];
	uint32_t call_count;
	struct chunk chunks[CHUNKS];
} program;

static uint32_t pick(uint32_t count)
{
	program.random = program.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(program.random >> 33) % count;
}

/* Time goes on, on the stack that runs. */
static void pass(uint64_t ticks)
{
	uint64_t spent = ticks - program.now;

	if (!program.depth[program.current])
		program.outside += spent;
	program.now = ticks;
}

static void leave(uint32_t stack, uint64_t ticks, bool by_exit)
{
	const struct open *open = &program.stacks[stack][--program.depth[stack]];
	uint64_t total = ticks - open->enter;

	program.calls[program.call_count++] =
		(struct truth){open->function, program.depth[stack], open->enter, ticks, total - open->child, by_exit};
	program.self += total - open->child;
	if (program.depth[stack])
		program.stacks[stack][program.depth[stack] - 1].child += total;
}

static void put(struct chunk *chunk, enum event_kind kind, uint64_t value)
{
	chunk->events[chunk->count++] = (struct event){program.now, value, kind};
}

static void go_to(struct chunk *chunk, uint32_t stack, bool begins)
{
	put(chunk, EVENT_STACK, stack | (begins ? DWELL_STACK_BEGINS : 0));
	if (begins)
		while (program.depth[stack])
			leave(stack, stack == program.current ? program.now : program.suspended[stack], false);
}

static void step(struct chunk *chunk)
{
	uint32_t stack = pick(4) ? program.current : pick(STACKS), *depth = &program.depth[stack];
	bool begins = stack != program.current && stack && !pick(10);

	if (stack != program.current || begins)
		go_to(chunk, stack, begins);
	pass(program.now + 1 + pick(30));
	if (stack != program.current) {
		program.suspended[program.current] = program.now;
		if (*depth)
			program.stacks[stack][*depth - 1].child += program.now - program.suspended[stack];
		program.current = stack;
	}
	if (!chunk->first_ticks)
		chunk->first_ticks = program.now;
	if (*depth && (*depth == DEEP || pick(2))) {
		put(chunk, EVENT_EXIT, PLACE(program.stacks[stack][*depth - 1].function));
		leave(stack, program.now, true);
		return;
	}
	program.stacks[stack][(*depth)++] = (struct open){pick(FUNCTIONS), program.now, 0};
	put(chunk, EVENT_ENTER, PLACE(program.stacks[stack][*depth - 1].function));
}

static void make_checkpoint(struct chunk *chunk)
{
	for (uint32_t stack = 0; stack < STACKS; stack++) {
		for (uint32_t i = 0; i < program.depth[stack]; i++) {
			const struct open *open = &program.stacks[stack][i];
			bool waits = stack != program.current && i + 1 == program.depth[stack];

			chunk->frames[chunk->frame_count++] = (struct message_frame){.place = PLACE(open->function),
				.enter_ticks = open->enter,
				.child_ticks = open->child + (waits ? program.now - program.suspended[stack] : 0),
				.stack = stack};
		}
	}
}

static void make_program(uint64_t seed)
{
	program = (struct program){.random = seed, .now = 1000};
	for (uint32_t i = 0; i < CHUNKS; i++) {
		struct chunk *chunk = &program.chunks[i];

		make_checkpoint(chunk);
		chunk->floor_ticks = i ? program.now : 0;
		if (i)
			put(chunk, EVENT_STACK, program.current);
		for (uint32_t n = 0; n < CHUNK_EVENTS; n++) {
			step(chunk);
			if (!program.first) {
				program.first = program.now;
				program.outside = 0;
			}
		}
	}
	for (uint32_t stack = 0; stack < STACKS; stack++)
		while (program.depth[stack])
			leave(stack, stack == program.current ? program.now : program.suspended[stack], false);
}

static uint32_t exact, wrong;
static bool whole; /* else it is not known when a stack that was over before it begins anew was suspended */

static void look(void *context, const struct call *call)
{
	(void)context;
	if (call->flags & (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP))
		return;
	for (uint32_t i = 0; i < program.call_count; i++) {
		const struct truth *truth = &program.calls[i];

		if (truth->enter != call->enter_ticks)
			continue;
		if (((truth->exit == call->exit_ticks && truth->self == call->self_ticks) || (!whole && !truth->by_exit)) &&
			truth->depth == call->depth)
			exact++;
		else
			wrong++;
		return;
	}
	wrong++;
}

static struct profile_thread run(uint32_t from, uint32_t missing, uint32_t missing_count)
{
	const struct model_options options = {.want_profile = true, .on_call = look};
	struct diag *diag = make_diag();
	struct model *model = make_model(&options, diag);
	struct profile_thread thread;
	uint64_t self = 0;

	exact = wrong = 0;
	whole = !from && !missing_count;
	for (uint32_t i = from; i < CHUNKS; i++) {
		const struct chunk *chunk = &program.chunks[i];
		struct message message = {.kind = MESSAGE_CHECKPOINT,
			.checkpoint = {.stream = 1, .frames = chunk->frames, .count = chunk->frame_count,
				.ticks = chunk->first_ticks, .floor_ticks = chunk->floor_ticks,
				.first = i == from,
				.after_loss = missing_count && i == missing + missing_count}};

		if (i >= missing && i < missing + missing_count)
			continue;
		model_feed(model, &message);
		message = (struct message){
			.kind = MESSAGE_EVENTS, .events = {.stream = 1, .events = chunk->events, .count = chunk->count}};
		model_feed(model, &message);
	}
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->thread_count, 1);
	thread = model_get_profile(model)->threads[0];
	CHECK(thread.balanced);
	CHECK_EQ(thread.self_ticks + thread.lost_ticks + thread.outside_ticks, thread.last_ticks - thread.first_ticks);
	for (size_t i = 0; i < model_get_profile(model)->function_count; i++)
		self += model_get_profile(model)->functions[i].self;
	CHECK_EQ(self, thread.self_ticks);
	free_model(model);
	free_diag(diag);
	return thread;
}

TEST(all_of_it)
{
	for (uint64_t seed = 1; seed <= 20; seed += SANITIZED ? 8 : 1) {
		struct profile_thread thread;

		make_program(seed);
		thread = run(0, 0, 0);
		CHECK_EQ(exact, program.call_count);
		CHECK_EQ(wrong, 0);
		CHECK_EQ(thread.calls, program.call_count);
		CHECK_EQ(thread.self_ticks, program.self);
		CHECK_EQ(thread.outside_ticks, program.outside);
		CHECK_EQ(thread.lost_ticks, 0);
		CHECK_EQ(thread.first_ticks, program.first);
		CHECK_EQ(thread.last_ticks, program.now);
		CHECK_EQ(thread.unmatched_exits, 0);
	}
}

TEST(from_the_middle_on)
{
	for (uint64_t seed = 1; seed <= 20; seed += SANITIZED ? 8 : 1) {
		make_program(seed);
		for (uint32_t from = 1; from < CHUNKS; from += 7) {
			struct profile_thread thread = run(from, 0, 0);

			CHECK_EQ(wrong, 0);
			CHECK(exact > 0);
			CHECK_EQ(thread.unmatched_exits, 0);
			CHECK_EQ(thread.no_entry_calls, 0);
		}
	}
}

TEST(with_a_part_missing)
{
	for (uint64_t seed = 1; seed <= 20; seed += SANITIZED ? 8 : 1) {
		make_program(seed);
		for (uint32_t missing = 1; missing + 3 < CHUNKS; missing += 5) {
			struct profile_thread thread = run(0, missing, 1 + seed % 3);

			CHECK_EQ(wrong, 0);
			CHECK_EQ(thread.unmatched_exits, 0);
			CHECK_EQ(thread.no_entry_calls, 0);
		}
	}
}

/* Checkpoints that claim what cannot be: each stack that all of the time was its own. */
TEST(claims_that_cannot_be)
{
	make_program(7);
	for (uint32_t i = 0; i < CHUNKS; i++)
		for (uint32_t n = 0; n < program.chunks[i].frame_count; n++)
			program.chunks[i].frames[n].child_ticks = 0;
	run(5, 0, 0);
	run(0, 9, 2);
}

/* … and one that is in two places, the second time since before everything else. */
TEST(a_stack_in_two_places)
{
	make_program(7);
	for (uint32_t i = 0; i < CHUNKS; i++) {
		struct chunk *chunk = &program.chunks[i];

		if (!chunk->frame_count || chunk->frames[0].stack == chunk->frames[chunk->frame_count - 1].stack)
			continue;
		chunk->frames[chunk->frame_count] = chunk->frames[0];
		chunk->frames[chunk->frame_count++].enter_ticks = 1;
	}
	run(5, 0, 0);
	run(0, 9, 2);
}

/* A trace may name as many stacks as there are numbers. */
TEST(stacks_without_end)
{
	const struct model_options options = {.want_profile = true};
	struct diag *diag = make_diag();
	struct model *model = make_model(&options, diag);
	const struct profile_thread *thread;

	for (uint32_t i = 0; i < 200000; i++) {
		struct event events[] = {
			{2 * i, 1 + (uint64_t)i * 7919 % 1999993, EVENT_STACK}, {2 * i + 1, PLACE(1), EVENT_ENTER}};
		struct message message = {.kind = MESSAGE_EVENTS, .events = {.stream = 1, .events = events, .count = 2}};

		model_feed(model, &message);
	}
	CHECK(model_stack_count(model, 1) <= 65537);
	model_finish(model);
	thread = &model_get_profile(model)->threads[0];
	CHECK(thread->balanced);
	CHECK_EQ(thread->calls, 200000);
	CHECK(thread->beyond_calls > 100000);
	free_model(model);
	free_diag(diag);
}

int main(void)
{
	RUN(all_of_it);
	RUN(from_the_middle_on);
	RUN(with_a_part_missing);
	RUN(claims_that_cannot_be);
	RUN(a_stack_in_two_places);
	RUN(stacks_without_end);
	return tap_done();
}
