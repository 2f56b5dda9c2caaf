/* calls: traces of dwell's own, of calls. */
#include "shapes/trace.h"

#define WINDOW_FUNCTIONS 1000u

static void deep(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, i);
	for (uint32_t i = count; i--;)
		trace_exit(trace, i);
	trace_end(trace);
}

static void recursion(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, 7);
	for (uint32_t i = 0; i < count; i++)
		trace_exit(trace, 7);
	trace_end(trace);
}

static void two_by_turns(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, i % 2);
	for (uint32_t i = count; i--;)
		trace_exit(trace, i % 2);
	trace_end(trace);
}

static void never_left(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, i);
	trace_end(trace);
}

static void never_entered(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_exit(trace, i);
	trace_end(trace);
}

/* Deep, and then exits of what is not open. */
static void strangers(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, i);
	for (uint32_t i = 0; i < count; i++)
		trace_exit(trace, count + i);
	trace_end(trace);
}

/* Deep, and then each call is left by an exit of the one below the top. */
static void crossed(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, i);
	for (uint32_t i = count; i > 1; i -= 2) {
		trace_exit(trace, i - 2);
		trace_exit(trace, i - 1);
	}
	trace_end(trace);
}

static void wide(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	trace_enter(trace, 0);
	for (uint32_t i = 1; i < count; i++) {
		trace_enter(trace, i);
		trace_exit(trace, i);
	}
	trace_exit(trace, 0);
	trace_end(trace);
}

/* Each function is called by a caller of its own, deep down. */
static void comb(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, i);
		trace_enter(trace, WINDOW_FUNCTIONS * WINDOW_FUNCTIONS + i % 3);
		trace_exit(trace, WINDOW_FUNCTIONS * WINDOW_FUNCTIONS + i % 3);
	}
	for (uint32_t i = count; i--;)
		trace_exit(trace, i);
	trace_end(trace);
}

static void longer_and_longer(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, i % 5);
		trace->ticks += i * (uint64_t)i % 1000003;
		trace_exit(trace, i % 5);
	}
	trace_end(trace);
}

static void backward(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	trace->ticks += 2 * (uint64_t)count;
	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, i % 5);
		trace->ticks -= 2;
		trace_exit(trace, i % 5);
		trace->ticks -= 2;
	}
	trace->ticks += 4 * (uint64_t)count;
	trace_end(trace);
}

static void threads(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "worker-%u", i);
		trace_thread(trace, i, 0, name);
		trace_stream(trace, i);
		trace_enter(trace, 1);
		trace_enter(trace, 2 + i % 9);
		trace_exit(trace, 2 + i % 9);
		trace_exit(trace, 1);
	}
	trace_end(trace);
}

static void threads_of_one_name(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_thread(trace, UINT32_MAX - i, 0, "worker");
		trace_stream(trace, UINT32_MAX - i);
		trace_enter(trace, 1);
		trace_exit(trace, 1);
	}
	trace_end(trace);
}

static void processes(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char name[32];

	for (uint32_t i = 1; i < count; i++) {
		const struct message_process process = {.process = i, .pid = 10 + i, .parent_pid = 10 + i / 2,
			.start_ticks = trace->ticks, .path = name};

		snprintf(name, sizeof name, "/no/app-%u", i);
		trace_writer_process(trace->writer, &process);
		trace_module(trace, i, TRACE_LOW, TRACE_LOW + 0x10000, 0, i % 2 ? "/no/app" : name);
		trace_thread(trace, i, i, "main");
		trace_stream(trace, i);
		trace_enter(trace, 1);
		trace_exit(trace, 1);
	}
	trace_end(trace);
}

/* Each forks the next one, and the calls go on. */
static void forks(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	trace_enter(trace, 1);
	trace_enter(trace, 2);
	for (uint32_t i = 1; i < count; i++) {
		const struct message_process process = {.process = i, .pid = 10 + i, .parent_pid = 9 + i,
			.start_ticks = trace->ticks, .path = "/no/app"};
		const struct message_thread thread = {.stream = i, .process = i, .tid = 10 + i, .is_copy = true,
			.place_kind = DWELL_PLACE_LOW32, .name = "main"};

		trace_writer_process(trace->writer, &process);
		trace_module(trace, i, TRACE_LOW, TRACE_LOW + 0x10000, 0, "/no/app");
		trace_writer_thread(trace->writer, &thread);
		trace_stream(trace, i);
		trace_enter(trace, 3);
		trace_exit(trace, 3);
		trace_exit(trace, 2);
	}
	trace_end(trace);
}

/* One process after the other with one number. */
static void one_pid(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 1; i < count; i++) {
		const struct message_process process = {.process = i, .pid = 11, .parent_pid = 11,
			.start_ticks = trace->ticks, .path = "/no/app"};

		trace_writer_process(trace->writer, &process);
		trace_thread(trace, i, i, "main");
		trace_stream(trace, i);
		trace_enter(trace, 1);
		trace_exit(trace, 1);
	}
	trace_end(trace);
}

static void chunks(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, 1);
		trace_exit(trace, 1);
		trace_flush(trace);
	}
	trace_end(trace);
}

static void chunks_by_turns(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 1; i < 64; i++)
		trace_thread(trace, i, 0, "worker");
	for (uint32_t i = 0; i < count; i++) {
		trace_stream(trace, i % 64);
		trace_enter(trace, 1);
	}
	trace_end(trace);
}

/* Deep, with many chunks that have a checkpoint of one frame each, or none. */
static void checkpoints(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_frame frame = {.place = TRACE_LOW + 16 * (uint64_t)i, .enter_ticks = trace->ticks};
		uint8_t slots[16];
		const struct bytes piece = {slots, sizeof slots};
		const struct trace_slots run = {.frames = &frame, .frame_count = i % 2, .pieces = &piece, .piece_count = 1,
			.first_ticks = trace->ticks + 1, .last_ticks = trace->ticks + 1, .events = 1};

		put_u64(slots, dwell_slot_make(DWELL_TAG_TIME, 0));
		put_u64(slots + 8, dwell_slot_enter((uint32_t)TRACE_LOW + 16 * i, (uint32_t)++trace->ticks));
		if (i % 3 == 2)
			trace_writer_skip_slots(trace->writer, 0);
		trace_writer_slots(trace->writer, &run);
	}
	trace_end(trace);
}

static void lost(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, i % WINDOW_FUNCTIONS);
		trace_tag(trace, DWELL_TAG_LOST, 5);
		trace_tag(trace, DWELL_TAG_LOST_POPS, i % 3);
		trace_tag(trace, DWELL_TAG_LOST_PUSHES, i % 4);
	}
	trace_end(trace);
}

static void lost_all(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, i % WINDOW_FUNCTIONS);
		if (i % 2)
			continue;
		trace_tag(trace, DWELL_TAG_LOST, 5);
		trace_tag(trace, DWELL_TAG_LOST_POPS, DWELL_LOST_ALL);
	}
	trace_end(trace);
}

/* So many calls at once that nobody saw. */
static void lost_pushes(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, 1);
		trace_tag(trace, DWELL_TAG_LOST, UINT32_MAX);
		trace_tag(trace, DWELL_TAG_LOST_PUSHES, 0x7fffffff);
		trace_enter(trace, 2);
		trace_tag(trace, DWELL_TAG_LOST, UINT32_MAX);
		trace_tag(trace, DWELL_TAG_LOST_POPS, 0x7fffffff);
	}
	trace_end(trace);
}

static void unwinds(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, i);
	for (uint32_t i = count; i--;) {
		trace_stamp(trace, i % 2 ? DWELL_TAG_UNWIND_JUMP : DWELL_TAG_UNWIND_CATCH);
		trace_tag(trace, DWELL_TAG_LANDED, (uint32_t)TRACE_LOW + 16 * (count + i));
		trace_tag(trace, DWELL_TAG_LANDED, (uint32_t)TRACE_LOW + 16 * i);
	}
	trace_end(trace);
}

/* Where an unwind landed is told by a caller that is not open. */
static void callers(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, i);
	for (uint32_t i = 0; i < count; i++) {
		trace_stamp(trace, DWELL_TAG_UNWIND_JUMP);
		trace_tag(trace, DWELL_TAG_CALLER, (uint32_t)TRACE_LOW + 16 * (count + i) + 4);
		trace_enter(trace, i);
	}
	trace_end(trace);
}

static void stacks(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_tag(trace, DWELL_TAG_STACK, 1 + i);
		trace_enter(trace, i % 7);
	}
	for (uint32_t i = 0; i < count; i++) {
		trace_tag(trace, DWELL_TAG_STACK, 1 + i);
		trace_exit(trace, i % 7);
	}
	trace_end(trace);
}

static void stacks_begin(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_tag(trace, DWELL_TAG_STACK, (1 + i) | DWELL_STACK_BEGINS);
		trace_enter(trace, i % 7);
		trace_tag(trace, DWELL_TAG_STACK, 0);
		trace_enter(trace, i % 3);
	}
	trace_end(trace);
}

static void off_and_on(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, i);
		trace_stamp(trace, DWELL_TAG_OFF);
		trace_stamp(trace, DWELL_TAG_ON);
		trace_stamp(trace, DWELL_TAG_HELD);
		trace_stamp(trace, DWELL_TAG_HELD_END);
	}
	trace_end(trace);
}

static void values(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_enter(trace, i % 5);
		for (uint32_t k = 0; k < 4; k++)
			trace_tag(trace, DWELL_TAG_ARG, i);
		trace_exit(trace, i % 5);
		trace_tag(trace, DWELL_TAG_RET, i);
	}
	trace_end(trace);
}

static void entries(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_tag(trace, DWELL_TAG_ENTRY, (uint32_t)TRACE_LOW + 16 * i + 4);
		trace_enter(trace, i + 1);
		if (i % 2)
			trace_enter(trace, i);
	}
	trace_end(trace);
}

static void windows(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_tag(trace, DWELL_TAG_WINDOW, i);
		trace_enter(trace, i % 5);
	}
	trace_end(trace);
}

static void nonsense(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		trace_tag(trace, 1000 + i % 3000, i);
		trace_tag(trace, DWELL_TAG_HOLE, 0);
		trace_enter(trace, 1);
		trace_exit(trace, 1);
	}
	trace_end(trace);
}

static void marks(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char words[32];

	for (uint32_t i = 0; i < count; i++) {
		const struct message_text text = {1 + i, words};

		snprintf(words, sizeof words, "mark %u", i);
		trace_writer_text(trace->writer, &text);
	}
	for (uint32_t i = 0; i < count; i++) {
		trace_stamp(trace, DWELL_TAG_MARK);
		trace_tag(trace, DWELL_TAG_MARK_TEXT, 1 + i);
	}
	trace_end(trace);
}

static void marks_of_one_text(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_text text = {UINT32_MAX - i, "mark"};

		trace_writer_text(trace->writer, &text);
	}
	trace_enter(trace, 1);
	for (uint32_t i = 0; i < count; i++) {
		trace_stamp(trace, DWELL_TAG_MARK);
		trace_tag(trace, DWELL_TAG_MARK_TEXT, UINT32_MAX - i);
	}
	trace_end(trace);
}

const struct shape shapes_of_calls[] = {
	{"calls_deep", deep, 2500},
	{"calls_recursion", recursion, 2500},
	{"calls_two_by_turns", two_by_turns, 2500},
	{"calls_never_left", never_left, 2500},
	{"calls_never_entered", never_entered, 2500},
	{"calls_strangers", strangers, 2500},
	{"calls_crossed", crossed, 2500},
	{"calls_wide", wide, 1250},
	{"calls_comb", comb, 1250},
	{"calls_longer", longer_and_longer, 2500},
	{"calls_backward", backward, 2500},
	{"calls_threads", threads, 500},
	{"calls_threads_of_one_name", threads_of_one_name, 500},
	{"calls_processes", processes, 500},
	{"calls_forks", forks, 500},
	{"calls_one_pid", one_pid, 500},
	{"calls_chunks", chunks, 1250},
	{"calls_chunks_by_turns", chunks_by_turns, 1250},
	{"calls_checkpoints", checkpoints, 1250},
	{"calls_lost", lost, 1250},
	{"calls_lost_all", lost_all, 1250},
	{"calls_lost_pushes", lost_pushes, 1250},
	{"calls_unwinds", unwinds, 1250},
	{"calls_callers", callers, 2500}, /* with fewer, what may be searched for landings is not used up */
	{"calls_stacks", stacks, 1250},
	{"calls_stacks_begin", stacks_begin, 1250},
	{"calls_off_and_on", off_and_on, 1250},
	{"calls_values", values, 1250},
	{"calls_entries", entries, 1250},
	{"calls_windows", windows, 1250},
	{"calls_nonsense", nonsense, 1250},
	{"calls_marks", marks, 1250},
	{"calls_marks_of_one_text", marks_of_one_text, 1250},
	{NULL, NULL, 0},
};
