/* source: where bytes come from. A file, a pipe; later a serial line, a socket, a debugger's memory window.
 * Crosses the border io → reader. Knows nothing about formats. */
#ifndef DWELL_HOST_IO_SOURCE_H
#define DWELL_HOST_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct source;

/* Opens a file, or standard input for "-". Null and a diag (no such file, no permission, a folder) on failure. */
struct source *make_source(const char *path, struct diag *diag);
/* Bytes in memory, which stay the caller's: for tests and fuzzers. name is what messages call it. */
struct source *make_source_memory(const char *name, const void *data, size_t size, struct diag *diag);
void free_source(struct source *source);
/* The source is a stream that grows while it is read: whoever reads gets what there is, a byte at least, and does not wait for as much as
 * he asked for. */
void source_set_live(struct source *source);

/* For messages. Borrowed. */
const char *source_name(const struct source *source);
/* Whether source_read_at works: a regular file or memory does, a pipe does not. */
bool source_is_seekable(const struct source *source);
/* Size in bytes, UINT64_MAX when unknown (a pipe). */
uint64_t source_size(const struct source *source);

/* Reads the next size bytes, fewer only at the end or on an error (which is a diag). Returns how many. A file that has more than
 * SOURCE_HOLES_MAX bytes of holes, to which nothing was ever written, ends in front of the one with which it has (which is a diag, too). */
#define SOURCE_HOLES_MAX (UINT64_C(1) << 30)
size_t source_read(struct source *source, void *buffer, size_t size);
/* Reads size bytes at offset without moving the sequential position. Fewer at the end. Seekable sources only. */
size_t source_read_at(struct source *source, uint64_t offset, void *buffer, size_t size);
/* The first offset from there on that may hold other bytes than zeros: what lies before it is a hole. Seekable sources only. */
uint64_t source_find_data(const struct source *source, uint64_t offset);
/* Passes over the next bytes. False when there are fewer. */
bool source_skip(struct source *source, uint64_t bytes);
/* Reads what is left of a stream into memory, at most so much: then it is seekable, from its start on. Only as long as nothing was read
 * but for a probe. True where it is seekable already; false: it is longer, or there is no memory, and some of it is gone. */
bool source_hold(struct source *source, uint64_t limit);
/* Back to the start. Seekable sources only: false otherwise. */
bool source_rewind(struct source *source);
/* Puts back what was read so far, for a probe: up to 4096 bytes at the start of any source, a pipe too. Returns the bytes there are. */
size_t source_peek(struct source *source, void *buffer, size_t size);

#endif
