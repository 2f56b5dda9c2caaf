/* behind: a queue of chunks for the trace file, and the thread that writes them. A thread that adds a chunk
 * does not wait for the disk. The chunks reach the file in the order in which they were added.
 *
 * behind_add takes any number of chunks. So callers must check behind_is_full, and drop data while the queue is full. */
#ifndef DWELL_HOST_WRITER_TRACE_BEHIND_H
#define DWELL_HOST_WRITER_TRACE_BEHIND_H

#include <stdbool.h>

#include "writer/trace/chunks.h"

/* With so many bytes of payloads the queue is full. */
#define BEHIND_BYTES_MAX (32u << 20)

struct behind;

/* Starts the thread. chunks is borrowed, and only the thread may use it until free_behind returns. Returns null if the thread
 * cannot start, or there is no memory. */
struct behind *make_behind(struct chunks *chunks);
/* Waits until all chunks are written, however long the disk takes, and ends the thread. Null: does nothing. */
void free_behind(struct behind *behind);

/* Adds a copy of the chunk. Any thread may call it. Without memory for the copy it waits, and writes the chunk itself. */
void behind_add(struct behind *behind, struct chunk *chunk);
/* Like chunks_refuse, but in the order of the queue: uses up the sequence number of a chunk that could not be made. */
void behind_refuse(struct behind *behind, uint16_t kind, uint32_t stream, uint64_t bytes);
bool behind_is_full(struct behind *behind);
/* Waits until the queue is not full. */
void behind_wait(struct behind *behind);

#endif
