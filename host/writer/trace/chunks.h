/* chunks: the trace file as a row of chunks: sequence numbers, checksums, the seek table, and what the disk refused. What is in a chunk
 * is the concern of dwell.c. One thread at a time. */
#ifndef DWELL_HOST_WRITER_TRACE_CHUNKS_H
#define DWELL_HOST_WRITER_TRACE_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"
#include "writer/trace/append.h"

#define CHUNK_PARTS_MAX 10 /* with the header */

/* A chunk on its way: header fields and the parts of the payload, which together are a multiple of 8 long. parts[0] is the header's
 * place. */
struct chunk {
	uint16_t kind, flags;
	uint32_t stream, events, frames, unpacked; /* unpacked 0: it is not packed */
	uint64_t first_ticks, last_ticks;
	struct iovec parts[CHUNK_PARTS_MAX];
	int part_count;
};

/* What is kept of a stream between its chunks. */
struct chunks_stream {
	uint32_t number;
	uint32_t sequence; /* of the next chunk */
	uint64_t last_ticks; /* of the newest one, also where it is not in the file */
	bool any, behind;    /* some of it is in the file; the newest is not */
};

/* Read the counters of file, leave the rest alone. */
struct chunks {
	struct append_file file;
	struct diag *diag;
	uint32_t sequence; /* of the next chunk that belongs to no stream */
	struct chunks_stream *streams; /* in order of their numbers */
	uint32_t stream_count;
	size_t stream_capacity;
	uint8_t *seek; /* entries of the seek table */
	uint64_t seek_count;
	size_t seek_capacity;
	bool seek_incomplete; /* no memory for an entry: the table is left out */
	uint64_t events;
	uint64_t starved_bytes;  /* of chunks that there was no memory for */
	uint64_t unwritten_told, starved_told; /* bytes that LOSS chunks in the file tell of: the disk did not take them; no memory */
	uint64_t last_ticks; /* of any stream */
	bool no_memory, said; /* a chunk was left out for it; and that was said */
	bool ending; /* chunks may use the room that was kept for the end */
};

/* As append_open. False and a diag on failure. */
bool chunks_open(struct chunks *chunks, const char *path, bool aside, struct diag *diag);
void chunks_close(struct chunks *chunks);

static inline void chunk_add(struct chunk *chunk, const void *data, size_t size)
{
	if (size)
		chunk->parts[chunk->part_count++] = (struct iovec){(void *)data, size};
}

/* Writes the chunk with the sequence number that is due, in one go; changes its parts. False: it is not in the file, is counted, and keeps
 * its number. */
bool chunks_write(struct chunks *chunks, struct chunk *chunk);
/* The number of a chunk that cannot be made; bytes: of it, as far as known. 0: it is left out on purpose. */
void chunks_refuse(struct chunks *chunks, uint16_t kind, uint32_t stream, uint64_t bytes);
/* Says, once, why something is not in the file. Apart from the writing, which may be done by a thread that must not say anything. */
void chunks_say(struct chunks *chunks);
/* Writes the seek table and the END chunk. Returns whether everything is in the file. */
bool chunks_finish(struct chunks *chunks);

#endif
