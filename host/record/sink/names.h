/* names: reads the names of the recorded functions from their files when the recording ends, and writes them to the trace, since a
 * report may run on a machine where the files have changed or are missing. */
#ifndef DWELL_HOST_RECORD_SINK_NAMES_H
#define DWELL_HOST_RECORD_SINK_NAMES_H

#include <stdint.h>

#include "record/sink/address_set.h"
#include "writer/trace/dwell.h"

/* A file, by the path and build-id of its modules. */
struct names_file {
	char *path;
	char *from; /* where the file can be read; null: at path */
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	struct address_set addresses; /* link-time */
};

/* Zero it before the first use, clear it after the last. */
struct names {
	struct names_file *files;
	size_t count, capacity;
};

/* The number of a file, which is added if it is new; UINT32_MAX: no memory. from: where the file can be read; null: at path. Copies
 * both texts. */
uint32_t names_file(struct names *names, const char *path, const char *from, const uint8_t *build_id, uint32_t build_id_bytes);
/* Notes that the function at a link-time address of the file was recorded. file: from names_file; UINT32_MAX: does nothing. */
void names_add(struct names *names, uint32_t file, uint64_t address);
/* Writes the names. Skips unreadable files: reports warn if that still matters. */
void names_write(struct names *names, struct trace_writer *writer);
void names_clear(struct names *names);

#endif
