/* gperf trace: converts the counts fetched from a target to a trace. */
#ifndef DWELL_CLASSIC_HOST_REMOTE_GPERF_TRACE_H
#define DWELL_CLASSIC_HOST_REMOTE_GPERF_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "classic/host/io/wire_client.h"
#include "classic/host/remote/gperf_files.h"
#include "writer/trace/dwell.h"

/* The counts of one program, as far as they were fetched. Zeroed: empty. */
struct gperf_counted {
	struct gperf_counts {
		struct wire_count *list;
		size_t count;
		uint32_t full;
		struct message_module module; /* path: its own copy; null: no known file. build_id: not set */
		uint8_t build_id[BUILD_ID_BYTES_MAX];
		size_t build_id_bytes;
	} *segments;
	uint32_t segment_count;
	uint64_t overflow, beyond, ticks, first_ticks, weight; /* first_ticks, ticks: the time of the first and of the last fetch */
};
void gperf_counted_clear(struct gperf_counted *counted);
/* Returns the sum of the counters. */
uint64_t gperf_counted_sum(const struct gperf_counted *counted);

struct gperf_trace {
	const struct wire_client *client;
	const struct gperf_file *files;
	const char *program;
	struct symbol_machine machine;
};

/* The parts of a trace before its counts. */
struct message_header gperf_trace_header(const struct gperf_trace *trace);
bool gperf_trace_sampling(const struct gperf_trace *trace, uint64_t spent_ns, struct trace_writer *writer);
/* Returns the nanoseconds that this many interrupts took by the target's clock; 0: unknown. */
uint64_t gperf_trace_spent(const struct gperf_trace *trace, uint64_t interrupts);
/* Replaces counted by the client's current counts. False: no memory. */
bool gperf_trace_take(const struct gperf_trace *trace, uint64_t ticks, struct gperf_counted *counted);
bool gperf_counted_write(const struct gperf_counted *counted, const char *program, struct trace_writer *writer);

#endif
