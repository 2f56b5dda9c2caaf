/* gperf trace: what was fetched of a target, as a trace of counts. */
#ifndef DWELL_HOST_REMOTE_GPERF_TRACE_H
#define DWELL_HOST_REMOTE_GPERF_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/wire_client.h"
#include "remote/gperf_files.h"
#include "writer/trace/dwell.h"

/* What of it is in the trace already: all that is known of a program, when another one has begun. Zeroed: nothing. */
struct gperf_written {
	struct gperf_counts {
		struct wire_count *list;
		size_t count;
		uint32_t full;
		struct message_module module; /* path: its own, null: of no known file */
	} *segments;
	uint32_t segment_count;
	uint64_t overflow, beyond, ticks, first_ticks, weight;
};
void gperf_written_clear(struct gperf_written *written);

struct gperf_trace {
	const struct wire_client *client;
	const struct gperf_file *files;
	const char *program;
	struct symbol_machine machine;
};

/* The header, and what stands before the first counts: process, modules; and then how it was sampled, again and again. */
struct message_header gperf_trace_header(const struct gperf_trace *trace);
bool gperf_trace_begin(const struct gperf_trace *trace, struct trace_writer *writer);
bool gperf_trace_sampling(const struct gperf_trace *trace, uint64_t spent_ns, struct trace_writer *writer);
/* What so many of the target's interrupts took by its own clock, in nanoseconds; 0: not known. */
uint64_t gperf_trace_spent(const struct gperf_trace *trace, uint64_t interrupts);
/* All of a program that was there before. */
bool gperf_trace_past(const struct gperf_trace *trace, const struct gperf_written *past, struct trace_writer *writer);
/* What was counted since what is written, which it adds to that; writer null: only that. False: no memory, or it could not be written. */
bool gperf_trace_add(const struct gperf_trace *trace, struct gperf_written *written, uint64_t ticks, struct trace_writer *writer);

#endif
