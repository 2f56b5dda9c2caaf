/* fetched: bytes from a machine's memory, in parts, until they are written to a file. */
#ifndef DWELL_CLASSIC_HOST_REMOTE_FETCHED_H
#define DWELL_CLASSIC_HOST_REMOTE_FETCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/host/io/gdb.h"
#include "util/diag.h"
#include "classic/host/writer/core_file.h"

#define FETCH_BYTES_MAX (UINT64_C(1) << 30)

/* Zeroed: no parts. */
struct fetched {
	struct core_part *parts; /* this struct owns their bytes */
	size_t count, capacity;
};

/* Reads size bytes, or fewer if the target cannot read further, and adds them as a part. *got: bytes read; with true and 0, no part
 * is added. False and a diag: the connection failed (the diag is that of gdb), no memory, or size above FETCH_BYTES_MAX. */
bool fetched_read(struct fetched *fetched, struct gdb *gdb, uint64_t address, uint64_t size, uint64_t *got, struct diag *diag);
/* Adds a part with a copy of the bytes. False: no memory. */
bool fetched_add(struct fetched *fetched, uint64_t address, const void *bytes, size_t size);
void fetched_clear(struct fetched *fetched);

uint64_t fetched_bytes(const struct fetched *fetched);
/* Sorts the parts by address, and joins parts that touch or overlap. False: no memory; some parts are not joined, none is lost. */
bool fetched_join(struct fetched *fetched);

/* Writes the parts to a file: a core file, or with raw the bytes alone. False and a diag: the
 * file could not be written; a new file does not exist then, and an existing file is unchanged. */
bool fetched_write(
	const struct fetched *fetched, const char *path, bool raw, const struct core_machine *machine, struct diag *diag);

#endif
