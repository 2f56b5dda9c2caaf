/* chunk_queue: a queue of chunks for the trace file, and the thread that writes them. A thread that adds a chunk
 * does not wait for the disk. The chunks reach the file in the order in which they were added.
 *
 * chunk_queue_add takes any number of chunks. So callers must check chunk_queue_is_full, and drop data while the queue is full. */
#ifndef DWELL_HOST_WRITER_TRACE_CHUNK_QUEUE_H
#define DWELL_HOST_WRITER_TRACE_CHUNK_QUEUE_H

#include <stdbool.h>

#include "writer/trace/chunks.h"

/* With so many bytes of payloads the queue is full. */
#define CHUNK_QUEUE_BYTES_MAX (32u << 20)

struct chunk_queue;

/* Starts the thread. chunks is borrowed, and only the thread may use it until free_chunk_queue returns. Returns null if the thread
 * cannot start, or there is no memory. */
struct chunk_queue *make_chunk_queue(struct chunks *chunks);
/* Waits until all chunks are written, however long the disk takes, and ends the thread. Null: does nothing. */
void free_chunk_queue(struct chunk_queue *chunk_queue);

/* Adds a copy of the chunk. Any thread may call it. Without memory for the copy it waits, and writes the chunk itself. */
void chunk_queue_add(struct chunk_queue *chunk_queue, struct chunk *chunk);
/* Like chunks_refuse, but in the order of the queue: the thread uses up the chunk's number after the chunks added so far. */
void chunk_queue_refuse(struct chunk_queue *chunk_queue, uint16_t kind, uint32_t stream, uint64_t bytes);
bool chunk_queue_is_full(struct chunk_queue *chunk_queue);
/* Waits until the queue is not full. */
void chunk_queue_wait(struct chunk_queue *chunk_queue);

#endif
