/* names: reads the names of the recorded functions from their files, at the end of a trace, and writes the names to the trace. A
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

/* Returns the number of the file with this path and build-id, and adds a new file; UINT32_MAX: no memory. from: where a new file
 * can be read; null: at path. Copies both texts. */
uint32_t names_file(struct names *names, const char *path, const char *from, const uint8_t *build_id, uint32_t build_id_bytes);
/* Notes that the function at a link-time address of the file was recorded. file: from names_file; UINT32_MAX: does nothing. */
void names_add(struct names *names, uint32_t file, uint64_t address);
/* Writes the names of the noted functions, and sorts their addresses: afterwards only names_clear is allowed. Skips unreadable
 * files without a diag: reports warn if that still matters. */
void names_write(struct names *names, struct trace_writer *writer);
void names_clear(struct names *names);

#endif
