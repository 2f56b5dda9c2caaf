/* gperf trace: what was fetched of a target, as a trace of counts. */
#ifndef DWELL_HOST_REMOTE_GPERF_TRACE_H
#define DWELL_HOST_REMOTE_GPERF_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/wire_client.h"
#include "remote/gperf_files.h"
#include "writer/trace/dwell.h"

/* All that a program has counted, as far as it was fetched. Zeroed: nothing. */
struct gperf_counted {
	struct gperf_counts {
		struct wire_count *list;
		size_t count;
		uint32_t full;
		struct message_module module; /* path: its own, null: of no known file */
	} *segments;
	uint32_t segment_count;
	uint64_t overflow, beyond, ticks, first_ticks, weight; /* ticks: when it was fetched the first time, and the last */
};
void gperf_counted_clear(struct gperf_counted *counted);
/* Those in a counter. */
uint64_t gperf_counted_sum(const struct gperf_counted *counted);

struct gperf_trace {
	const struct wire_client *client;
	const struct gperf_file *files;
	const char *program;
	struct symbol_machine machine;
};

/* What stands before the counts. */
struct message_header gperf_trace_header(const struct gperf_trace *trace);
bool gperf_trace_sampling(const struct gperf_trace *trace, uint64_t spent_ns, struct trace_writer *writer);
/* What so many of the target's interrupts took by its own clock, in nanoseconds; 0: not known. */
uint64_t gperf_trace_spent(const struct gperf_trace *trace, uint64_t interrupts);
/* What is known by now takes the place of what was known. False: no memory. */
bool gperf_trace_take(const struct gperf_trace *trace, uint64_t ticks, struct gperf_counted *counted);
bool gperf_counted_write(const struct gperf_counted *counted, const char *program, struct trace_writer *writer);

#endif
