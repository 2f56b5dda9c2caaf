/* Random programs of several threads, as the messages that a reader would give, with what they did by a count of their own. */
#ifndef DWELL_TEST_PROGRAMS_H
#define DWELL_TEST_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

enum { PROGRAM_THREADS = 4, PROGRAM_FUNCTIONS = 24, PROGRAM_DEEP = 64, PROGRAM_CHUNKS = 512, PROGRAM_EVENTS = 20000 };

#define PROGRAM_PLACE(function) (0x400000u + (function) * 0x100u)

/* What happens in a program besides calls. */
enum { PROGRAM_JUMPS = 1 };

/* A call as it was: the truth. */
struct true_call {
	uint32_t stream, function, parent, depth;
	uint64_t enter, exit, self;
	uint32_t order; /* of its entry in its thread */
	bool open, jumped;
};

struct true_function {
	uint64_t calls, total, self;
};

struct program_frame {
	uint32_t function;
	uint64_t enter, child;
	size_t call; /* position in calls */
};

struct program_thread {
	struct program_frame stack[PROGRAM_DEEP];
	uint32_t depth;
	uint64_t now;
	uint32_t order;
	struct event *events; /* of the chunk being made */
	uint32_t count;
	bool started;
};

struct program_chunk {
	uint32_t stream, frame_count, event_count;
	struct message_frame frames[PROGRAM_DEEP];
	struct event *events;
	bool first;
};

struct program {
	uint64_t random;
	uint32_t threads, flags;
	struct program_thread thread[PROGRAM_THREADS];
	struct program_chunk chunks[PROGRAM_CHUNKS];
	uint32_t chunk_count;
	struct true_call *calls;
	size_t call_count;
	struct true_function functions[PROGRAM_FUNCTIONS];
};

static inline uint32_t program_pick(struct program *program, uint32_t count)
{
	program->random = program->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(program->random >> 33) % count;
}

static inline void program_put(struct program_thread *thread, enum event_kind kind, uint64_t value)
{
	thread->events[thread->count++] = (struct event){thread->now, value, kind};
}

static inline void program_enter(struct program *program, uint32_t stream, uint32_t function)
{
	struct program_thread *thread = &program->thread[stream];
	struct true_call *call = &program->calls[program->call_count];

	program_put(thread, EVENT_ENTER, PROGRAM_PLACE(function));
	thread->stack[thread->depth] = (struct program_frame){function, thread->now, 0, program->call_count++};
	*call = (struct true_call){.stream = stream, .function = function, .depth = thread->depth, .enter = thread->now};
	call->parent = thread->depth ? thread->stack[thread->depth - 1].function : UINT32_MAX;
	call->order = thread->order++;
	thread->depth++;
}

/* The top frame ends now. */
static inline void program_end_frame(struct program *program, uint32_t stream)
{
	struct program_thread *thread = &program->thread[stream];
	struct program_frame *frame = &thread->stack[--thread->depth];
	struct true_call *call = &program->calls[frame->call];
	struct true_function *function = &program->functions[frame->function];
	bool nested = false;

	call->exit = thread->now;
	call->self = thread->now - frame->enter - frame->child;
	if (thread->depth)
		frame[-1].child += thread->now - frame->enter;
	for (uint32_t i = 0; i < thread->depth; i++)
		nested |= thread->stack[i].function == frame->function;
	function->calls++;
	function->self += call->self;
	function->total += nested ? 0 : thread->now - frame->enter;
}

static inline void program_exit(struct program *program, uint32_t stream)
{
	struct program_thread *thread = &program->thread[stream];

	program_put(thread, EVENT_EXIT, PROGRAM_PLACE(thread->stack[thread->depth - 1].function));
	program_end_frame(program, stream);
}

/* longjmp to a frame further down, which calls something next: the call site is in it. */
static inline void program_jump(struct program *program, uint32_t stream)
{
	struct program_thread *thread = &program->thread[stream];
	uint32_t to = program_pick(program, thread->depth - 1);

	program_put(thread, EVENT_UNWIND_JUMP, 0);
	while (thread->depth > to + 1) {
		program->calls[thread->stack[thread->depth - 1].call].jumped = true;
		program_end_frame(program, stream);
	}
	thread->now += program_pick(program, 3);
	program_put(thread, EVENT_CALLER, PROGRAM_PLACE(thread->stack[to].function) + 0x42);
	program_enter(program, stream, program_pick(program, PROGRAM_FUNCTIONS));
}

/* A jump to a function that is open twice lands in the innermost: only such jumps can be told from the call site. */
static inline bool program_may_jump(const struct program_thread *thread)
{
	for (uint32_t i = 0; i < thread->depth; i++)
		for (uint32_t j = 0; j < i; j++)
			if (thread->stack[i].function == thread->stack[j].function)
				return false;
	return thread->depth >= 2;
}

static inline void program_step(struct program *program, uint32_t stream)
{
	struct program_thread *thread = &program->thread[stream];

	thread->now += 1 + program_pick(program, 5);
	if (program->flags & PROGRAM_JUMPS && thread->depth < PROGRAM_DEEP - 2 && program_may_jump(thread) &&
		!program_pick(program, 10))
		program_jump(program, stream);
	else if (thread->depth && (thread->depth >= PROGRAM_DEEP - 2 || program_pick(program, 9) >= 5))
		program_exit(program, stream);
	else
		program_enter(program, stream, program_pick(program, PROGRAM_FUNCTIONS));
}

/* One chunk of one thread: its checkpoint, then events. */
static inline void program_add_chunk(struct program *program, uint32_t stream, uint32_t steps)
{
	struct program_thread *thread = &program->thread[stream];
	struct program_chunk *chunk = &program->chunks[program->chunk_count++];

	*chunk = (struct program_chunk){.stream = stream, .frame_count = thread->depth, .first = !thread->started};
	thread->started = true;
	for (uint32_t i = 0; i < thread->depth; i++)
		chunk->frames[i] = (struct message_frame){
			PROGRAM_PLACE(thread->stack[i].function), thread->stack[i].enter, thread->stack[i].child, false, false};
	chunk->events = thread->events = malloc((steps + 1) * 3 * sizeof *chunk->events);
	thread->count = 0;
	for (uint32_t i = 0; i < steps; i++)
		program_step(program, stream);
	chunk->event_count = thread->count;
}

/* All of it: about steps events, in chunks of 1 to chunk_steps. Calls still open are truth, too, as if they ended with their
 * thread. */
static inline struct program *make_program(uint64_t seed, uint32_t threads, uint32_t flags, uint32_t steps, uint32_t chunk_steps)
{
	struct program *program = calloc(1, sizeof *program);

	program->random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	program->threads = threads;
	program->flags = flags;
	program->calls = calloc(PROGRAM_EVENTS, sizeof *program->calls);
	for (uint32_t i = 0; i < threads; i++)
		program->thread[i].now = 1000 + program_pick(program, 100);
	while (steps && program->chunk_count < PROGRAM_CHUNKS) {
		uint32_t piece = 1 + program_pick(program, chunk_steps);

		piece = piece < steps ? piece : steps;
		program_add_chunk(program, program_pick(program, threads), piece);
		steps -= piece;
	}
	for (uint32_t i = 0; i < threads; i++)
		while (program->thread[i].depth) {
			program->calls[program->thread[i].stack[program->thread[i].depth - 1].call].open = true;
			program_end_frame(program, i);
		}
	return program;
}

static inline void free_program(struct program *program)
{
	for (uint32_t i = 0; i < program->chunk_count; i++)
		free(program->chunks[i].events);
	free(program->calls);
	free(program);
}

typedef void program_feed_fn(void *target, const struct message *message);

static inline void program_declare(const struct program *program, program_feed_fn *feed, void *target)
{
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true, .clock_bits = 64}};

	feed(target, &header);
	for (uint32_t i = 0; i < program->threads; i++) {
		char name[24];
		struct message thread = {.kind = MESSAGE_THREAD,
			.thread = {.stream = i, .tid = 100 + i, .place_kind = DWELL_PLACE_ADDRESS, .name = name}};

		snprintf(name, sizeof name, "thread-%u", i);
		feed(target, &thread);
	}
}

static inline void program_feed_chunk(
	const struct program *program, uint32_t index, bool after_loss, program_feed_fn *feed, void *target)
{
	const struct program_chunk *chunk = &program->chunks[index];
	struct message message = {.kind = MESSAGE_CHECKPOINT,
		.checkpoint = {.stream = chunk->stream,
			.place_kind = DWELL_PLACE_ADDRESS,
			.frames = chunk->frames,
			.count = chunk->frame_count,
			.ticks = chunk->events[0].ticks,
			.first = chunk->first,
			.after_loss = after_loss}};

	feed(target, &message);
	/* in two pieces: a chunk may be several messages */
	for (uint32_t from = 0, to = chunk->event_count / 2; from < chunk->event_count; from = to, to = chunk->event_count) {
		message.kind = MESSAGE_EVENTS;
		message.events = (struct message_events){.stream = chunk->stream, .place_kind = DWELL_PLACE_ADDRESS,
			.events = chunk->events + from, .count = to - from, .chunk = index};
		if (message.events.count)
			feed(target, &message);
	}
}

static inline void program_feed_model(void *model, const struct message *message)
{
	model_feed(model, message);
}

#endif
