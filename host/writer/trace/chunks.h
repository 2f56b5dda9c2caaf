/* chunks: the trace file as a sequence of chunks: sequence numbers, checksums, the seek table, and the bytes that the disk refused.
 * dwell.c produces the content of the chunks. One thread at a time. */
#ifndef DWELL_HOST_WRITER_TRACE_CHUNKS_H
#define DWELL_HOST_WRITER_TRACE_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"
#include "writer/trace/append.h"

#define CHUNK_PARTS_MAX 10 /* including the header */

/* A chunk to be written: header fields, and the parts of the payload, whose total
 * size is a multiple of 8. parts[0] is reserved for the header. */
struct chunk {
	uint16_t kind, flags;
	uint32_t stream, events, frames, unpacked; /* unpacked: bytes of the payload before packing; 0: the payload is not packed */
	uint64_t first_ticks, last_ticks;
	struct iovec parts[CHUNK_PARTS_MAX];
	int part_count;
};

/* The state of a stream between its chunks. */
struct chunks_stream {
	uint32_t number;
	uint32_t sequence; /* number of its next chunk */
	uint64_t last_ticks; /* last_ticks of the newest chunk, whether in the file or not */
	bool has_chunk, lacks_newest;    /* whether the file has a chunk of the stream; whether it lacks the newest one */
};

/* Users may read starved_bytes, and the fields of file that append.h names; the other fields are internal. */
struct chunks {
	struct append_file file;
	struct diag *diag;
	uint32_t sequence; /* number of the next chunk outside of any stream */
	struct chunks_stream *streams; /* sorted by number */
	uint32_t stream_count;
	size_t stream_capacity;
	uint8_t *seek; /* entries of the seek table */
	uint64_t seek_count;
	size_t seek_capacity;
	bool seek_incomplete; /* out of memory for an entry: the table is left out */
	uint64_t events;
	uint64_t starved_bytes;  /* size of the chunks that are not in the file for lack of memory */
	uint64_t unwritten_reported, starved_reported; /* how many of file.unwritten_bytes, and of starved_bytes,
	                                          the file's LOSS chunks report so far */
	uint64_t last_ticks; /* newest time of all streams */
	bool no_memory, memory_reported; /* a chunk was left out for lack of memory; a diag has reported that */
	bool ending; /* chunks may use the space reserved for the end */
};

/* Opens the file like append_open, whose parameters it takes. Returns false and adds a diag on failure. */
bool chunks_open(struct chunks *chunks, const char *path, bool hidden, struct diag *diag);
void chunks_close(struct chunks *chunks);

/* Adds a part to the payload. data is borrowed until the chunk is written. pre: fewer than CHUNK_PARTS_MAX parts. */
static inline void chunk_add(struct chunk *chunk, const void *data, size_t size)
{
	if (size)
		chunk->parts[chunk->part_count++] = (struct iovec){(void *)data, size};
}

/* Writes the chunk with the next sequence number, in one piece; changes the parts. Returns false if the chunk is not
 * in the file: the chunk is counted, and the number is used up. */
bool chunks_write(struct chunks *chunks, struct chunk *chunk);
/* Uses up the sequence number of a chunk that is not written. bytes: the size of the chunk, as far as known, which counts as lost
 * for lack of memory; 0: the chunk is left out on purpose, and nothing counts as lost. */
void chunks_refuse(struct chunks *chunks, uint16_t kind, uint32_t stream, uint64_t bytes);
/* Adds a diag, once, with the reason for missing data. Separate from the writing, because a writing thread must not add diags. */
void chunks_report(struct chunks *chunks);
/* Writes the seek table and the END chunk. Returns whether everything is in the file. */
bool chunks_finish(struct chunks *chunks);

#endif
