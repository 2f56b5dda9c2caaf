/* trace: see trace.h. */
#include "shapes/trace.h"

struct trace *trace_begin(const char *path)
{
	const struct message_header header = {.clock_hz = 1000000000, .clock_bits = 64, .clock_global = true,
		.pointer_bytes = 8, .machine = 62};
	const struct message_process process = {.pid = 10, .parent_pid = 1, .path = "/no/app"};
	const struct message_clock clock = {.ticks = 1};
	struct trace *trace = calloc(1, sizeof *trace);

	trace->diag = make_diag();
	trace->writer = make_trace_writer(path, &header, trace->diag);
	if (!trace->writer) {
		diag_print(trace->diag, stderr);
		exit(2);
	}
	trace->ticks = 1000;
	trace_writer_process(trace->writer, &process);
	trace_module(trace, 0, TRACE_LOW, TRACE_LOW + UINT64_C(0x7f000000), 0, "/no/app");
	trace_thread(trace, 0, 0, "main");
	trace_writer_clock(trace->writer, &clock);
	return trace;
}

void trace_end(struct trace *take_trace)
{
	const struct message_clock clock = {take_trace->ticks + 1, take_trace->ticks, 0};

	trace_flush(take_trace);
	trace_writer_clock(take_trace->writer, &clock);
	if (!trace_writer_finish(take_trace->writer)) {
		diag_print(take_trace->diag, stderr);
		exit(2);
	}
	free_trace_writer(take_trace->writer);
	free_diag(take_trace->diag);
	free(take_trace);
}

void trace_thread(struct trace *trace, uint32_t stream, uint32_t process, const char *name)
{
	const struct message_thread thread = {
		.stream = stream, .process = process, .tid = 10 + stream, .place_kind = DWELL_PLACE_LOW32, .name = name};

	trace_writer_thread(trace->writer, &thread);
}

void trace_module(struct trace *trace, uint32_t process, uint64_t low, uint64_t high, uint64_t ticks, const char *path)
{
	const struct message_module module = {
		.process = process, .low = low, .high = high, .load_ticks = ticks, .hooked = true, .path = path};

	trace_writer_module(trace->writer, &module);
}

void trace_flush(struct trace *trace)
{
	const struct bytes piece = {trace->slots, trace->count * (size_t)DWELL_SLOT_BYTES};
	const struct trace_slots run = {.stream = trace->stream, .pieces = &piece, .piece_count = 1,
		.first_ticks = trace->first,
		.last_ticks = trace->ticks, .events = trace->events};

	if (trace->count)
		trace_writer_slots(trace->writer, &run);
	trace->count = trace->events = 0;
}

void trace_stream(struct trace *trace, uint32_t stream)
{
	trace_flush(trace);
	trace->stream = stream;
}

void trace_slot(struct trace *trace, uint64_t slot)
{
	if (trace->count == TRACE_SLOTS)
		trace_flush(trace);
	if (!trace->count) {
		put_u64(trace->slots, dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(trace->ticks >> 32)));
		trace->count = 1;
		trace->first = trace->ticks;
	}
	put_u64(trace->slots + trace->count++ * (size_t)DWELL_SLOT_BYTES, slot);
}

void trace_enter(struct trace *trace, uint32_t function)
{
	trace_slot(trace, dwell_slot_enter((uint32_t)TRACE_LOW + 16 * function, (uint32_t)++trace->ticks));
	trace->events++;
}

void trace_exit(struct trace *trace, uint32_t function)
{
	trace_slot(trace, dwell_slot_exit((uint32_t)TRACE_LOW + 16 * function, (uint32_t)++trace->ticks));
	trace->events++;
}

void trace_tag(struct trace *trace, uint32_t tag, uint32_t payload)
{
	trace_slot(trace, dwell_slot_make(tag, payload));
}

void trace_stamp(struct trace *trace, uint32_t tag)
{
	trace_tag(trace, tag, (uint32_t)++trace->ticks);
}
