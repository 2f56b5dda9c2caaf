/* behind: chunks that wait for the disk, and the thread that gives them to it. Whoever makes a chunk goes on at once; the order stays.
 *
 * Nobody is stopped by it, so somebody must ask behind_is_full and drop what would come next. */
#ifndef DWELL_HOST_WRITER_TRACE_BEHIND_H
#define DWELL_HOST_WRITER_TRACE_BEHIND_H

#include <stdbool.h>

#include "writer/trace/chunks.h"

/* So many bytes wait at most, by the will of those who add. */
#define BEHIND_BYTES_MAX (32u << 20)

struct behind;

/* chunks belongs to the thread from now on. Null: no thread, or no memory. */
struct behind *make_behind(struct chunks *chunks);
/* Waits until all of it is given to the disk, which has all the time that it wants. */
void free_behind(struct behind *behind);

/* Any thread. The chunk is copied. */
void behind_add(struct behind *behind, struct chunk *chunk);
/* The number of a chunk that could not be made: chunks_refuse, in its place. */
void behind_refuse(struct behind *behind, uint16_t kind, uint32_t stream, uint64_t bytes);
bool behind_is_full(struct behind *behind);
/* Waits until it is not full. */
void behind_wait(struct behind *behind);

#endif
