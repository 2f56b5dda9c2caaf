/* fetched: bytes that were taken out of a machine's memory, until they are in a file. */
#ifndef DWELL_HOST_REMOTE_FETCHED_H
#define DWELL_HOST_REMOTE_FETCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/gdb.h"
#include "util/diag.h"
#include "writer/core_file.h"

#define FETCH_BYTES_MAX (UINT64_C(1) << 30)

/* Zeroed: nothing. */
struct fetched {
	struct core_part *parts; /* their bytes are ours */
	size_t count, capacity;
};

/* Reads so much, as far as it can be read: *got bytes, a part of their own when there are any. False and a diag: the connection failed, or
 * there is no memory. */
bool fetched_read(struct fetched *fetched, struct gdb *gdb, uint64_t address, uint64_t size, uint64_t *got, struct diag *diag);
/* A part; copied. False: no memory. */
bool fetched_add(struct fetched *fetched, uint64_t address, const void *bytes, size_t size);
void fetched_clear(struct fetched *fetched);

uint64_t fetched_bytes(const struct fetched *fetched);
/* In the order of addresses, those that touch each other as one. False: no memory. */
bool fetched_join(struct fetched *fetched);

/* To a file: as a core file, or raw the bytes alone. False and a diag when that cannot be; then there is no such file, or it is as
 * it was. */
bool fetched_write(const struct fetched *fetched, const char *path, bool raw, const struct core_machine *machine, struct diag *diag);

#endif
