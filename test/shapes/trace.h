/* A trace that is being made: what all of them have, and runs of slots. */
#ifndef DWELL_TEST_SHAPES_TRACE_H
#define DWELL_TEST_SHAPES_TRACE_H

#include <stdlib.h>

#include "core/slot.h"
#include "shapes/shapes.h"
#include "writer/trace/dwell.h"

#define TRACE_LOW UINT64_C(0x400000)
#define TRACE_SLOTS 4096u

struct trace {
	struct trace_writer *writer;
	struct diag *diag;
	uint64_t ticks, first; /* now; when the run began */
	uint32_t stream, count, events;
	uint8_t slots[TRACE_SLOTS * DWELL_SLOT_BYTES];
};

/* With a process, a module of all code and a thread 0. */
struct trace *trace_begin(const char *path);
void trace_end(struct trace *take_trace);
void trace_thread(struct trace *trace, uint32_t stream, uint32_t process, const char *name);
void trace_module(struct trace *trace, uint32_t process, uint64_t low, uint64_t high, uint64_t ticks, const char *path);
/* Each is written when it is full, and when another stream begins. */
void trace_slot(struct trace *trace, uint64_t slot);
void trace_flush(struct trace *trace);
void trace_stream(struct trace *trace, uint32_t stream);
/* A tick later than the one before. */
void trace_enter(struct trace *trace, uint32_t function);
void trace_exit(struct trace *trace, uint32_t function);
void trace_tag(struct trace *trace, uint32_t tag, uint32_t payload);
void trace_stamp(struct trace *trace, uint32_t tag);

#endif
