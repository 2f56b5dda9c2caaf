/* behind: a queue of chunks for the disk, and the thread that writes them. The maker of
 * a chunk continues at once; the order of the chunks is kept.
 *
 * behind_add never blocks, so the caller must check behind_is_full and drop data when the queue is full. */
#ifndef DWELL_HOST_WRITER_TRACE_BEHIND_H
#define DWELL_HOST_WRITER_TRACE_BEHIND_H

#include <stdbool.h>

#include "writer/trace/chunks.h"

/* The limit for the queue's bytes, which the callers observe. */
#define BEHIND_BYTES_MAX (32u << 20)

struct behind;

/* From now on only the thread may use chunks. Returns null if there is no thread or no memory. */
struct behind *make_behind(struct chunks *chunks);
/* Waits until all chunks are written, however long the disk takes. */
void free_behind(struct behind *behind);

/* Any thread. Copies the chunk. */
void behind_add(struct behind *behind, struct chunk *chunk);
/* Uses up the number of a chunk that could not be made, like chunks_refuse, in the order of the queue. */
void behind_refuse(struct behind *behind, uint16_t kind, uint32_t stream, uint64_t bytes);
bool behind_is_full(struct behind *behind);
/* Waits until the queue is not full. */
void behind_wait(struct behind *behind);

#endif
