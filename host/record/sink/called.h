/* called: writes the names of the called functions to the trace: finds
 * the file of each recorded place, and leaves the names to names.h. */
#ifndef DWELL_HOST_RECORD_SINK_CALLED_H
#define DWELL_HOST_RECORD_SINK_CALLED_H

#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/drain/workers.h"
#include "record/sink/kept_files.h"
#include "record/sink/names.h"

/* Zero it before the first use, clear it after the last. */
struct called {
	struct called_module {
		uint64_t low, high, bias;
		const struct kept_file *file;
		const char *path; /* file->path */
		uint8_t build_id[20];
		uint32_t build_id_bytes;
	} * modules; /* files with hooks that any process has mapped at any time; once for all processes that share the addresses */
	size_t count, capacity;
};

/* A file with hooks was mapped. file: the kept file, borrowed; null: there was no memory for it, and its functions get no names.
 * Does nothing for an unmapped module, for a repetition, or without memory. */
void called_add_module(struct called *called, const struct message_module *module, const struct kept_file *file);
/* Writes the names for all places in the workers' chunks so far, and for the places of threads found on a CPU. A place in the
 * ranges of several files gets a name from each of them. pre: no job is busy. */
void called_write_names(const struct called *called, const struct workers *workers, const struct message_cpu_places *cpu_places,
	struct trace_writer *writer);
void called_clear(struct called *called);

#endif
