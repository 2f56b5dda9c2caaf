/* called: what the functions that were called are named, for the trace: which places are which files', then names.h. */
#ifndef DWELL_HOST_RECORD_SINK_CALLED_H
#define DWELL_HOST_RECORD_SINK_CALLED_H

#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/drain/workers.h"
#include "record/sink/names.h"

/* Zero it before the first use, clear it after the last. */
struct called {
	struct called_module {
		uint64_t low, high, bias;
		char *path;
		uint8_t build_id[20];
		uint32_t build_id_bytes;
	} * modules; /* with hooks, of any process at any time: those that were forked have the same */
	size_t count, capacity;
};

/* A file with hooks was mapped. */
void called_add_module(struct called *called, const struct message_module *module);
/* Of what the workers have written so far. A place that is in several of the files is named in each. pre: no job is busy. */
void called_write(const struct called *called, const struct workers *workers, struct trace_writer *writer);
void called_clear(struct called *called);

#endif
