/* source: bytes from a file, a pipe or memory, independent of their format.
 * Crosses the border io → reader. */
#ifndef DWELL_HOST_IO_SOURCE_H
#define DWELL_HOST_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct source;

/* Opens a file, or standard input for "-". Null and a diag (no such file, no permission, a folder) on failure. */
struct source *make_source(const char *path, struct diag *diag);
/* Makes a source of bytes in memory, which the caller keeps valid and frees. For tests and fuzzers. name: for messages. */
struct source *make_source_memory(const char *name, const void *data, size_t size, struct diag *diag);
void free_source(struct source *source);
/* Marks a stream that grows while it is read: a read returns the bytes
 * available, at least one, instead of waiting for size bytes. */
void source_set_live(struct source *source);

/* The name for messages. Borrowed. */
const char *source_name(const struct source *source);
/* Returns whether source_read_at works: for regular files and memory, not for pipes. */
bool source_is_seekable(const struct source *source);
/* Size in bytes; UINT64_MAX: unknown (a pipe). */
uint64_t source_size(const struct source *source);

/* Reads the next size bytes; fewer only at the end or on an error, which adds a diag. Returns how many. A file with more than
 * SOURCE_HOLES_MAX bytes of holes (which were never written) ends before the hole that exceeds the limit; that adds a diag, too. */
#define SOURCE_HOLES_MAX (UINT64_C(1) << 30)
size_t source_read(struct source *source, void *buffer, size_t size);
/* Reads size bytes at offset, without moving the position of source_read. Returns fewer at the end. Seekable sources only. */
size_t source_read_at(struct source *source, uint64_t offset, void *buffer, size_t size);
/* Returns the first offset at or behind `offset` that may hold bytes
 * other than zero; the bytes before are a hole. Seekable sources only. */
uint64_t source_find_data(const struct source *source, uint64_t offset);
/* Skips the next bytes. False: there are fewer. */
bool source_skip(struct source *source, uint64_t bytes);
/* Reads the rest of a stream into memory, limit bytes at most, so that it is seekable from
 * its start. pre: nothing was read except by source_peek. True if the source was seekable
 * already. False: longer than limit, or no memory; some of the stream is then lost. */
bool source_hold(struct source *source, uint64_t limit);
/* Moves back to the start. False: the source is not seekable. */
bool source_rewind(struct source *source);
/* Copies the first bytes of the source, 4096 at most, without moving the position, even
 * for a pipe. For probing; call it before source_read. Returns how many there are. */
size_t source_peek(struct source *source, void *buffer, size_t size);

#endif
