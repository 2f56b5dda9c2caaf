/* chunks: writes chunks, field by field as in FORMAT.md (chunks.h). */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "dwell/format.h"
#include "util/array.h"
#include "util/bytes.h"
#include "writer/trace/chunks.h"

bool chunks_open(struct chunks *chunks, const char *path, bool hidden, struct diag *diag)
{
	*chunks = (struct chunks){.diag = diag};
	return append_open(&chunks->file, path, hidden, diag);
}

void chunks_close(struct chunks *chunks)
{
	append_close(&chunks->file);
	free(chunks->streams);
	free(chunks->seek);
	chunks->streams = NULL;
	chunks->seek = NULL;
}

/* Returns the state of a stream, added if it is new. Null: out of memory. */
static struct chunks_stream *find_stream(struct chunks *chunks, uint32_t number)
{
	uint32_t low = 0, high = chunks->stream_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (chunks->streams[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < chunks->stream_count && chunks->streams[low].number == number)
		return &chunks->streams[low];
	if (!array_reserve(&chunks->streams, &chunks->stream_capacity, chunks->stream_count + (size_t)1, sizeof *chunks->streams))
		return NULL;
	memmove(chunks->streams + low + 1, chunks->streams + low, (chunks->stream_count - low) * sizeof *chunks->streams);
	chunks->stream_count++;
	chunks->streams[low] = (struct chunks_stream){.number = number};
	return &chunks->streams[low];
}

/* Reserves memory for the seek entry before the chunk is written, so that a chunk in the file is always in the table. */
static bool reserve_seek(struct chunks *chunks)
{
	return array_reserve(&chunks->seek, &chunks->seek_capacity, chunks->seek_count + 1, DWELL_SEEK_ENTRY_BYTES);
}

static void add_seek(struct chunks *chunks, const struct chunk *chunk, uint64_t offset)
{
	uint8_t *entry = chunks->seek + chunks->seek_count * DWELL_SEEK_ENTRY_BYTES;

	put_u64(entry + DWELL_SEEK_OFFSET, offset);
	put_u64(entry + DWELL_SEEK_FIRST_TICKS, chunk->first_ticks);
	put_u32(entry + DWELL_SEEK_KIND, chunk->kind);
	put_u32(entry + DWELL_SEEK_STREAM, chunk->stream);
	chunks->seek_count++;
}

/* The bulk of the data leaves space for more important chunks, and all chunks leave space for the
 * end. Clock points never stop coming, and so count as bulk data. */
static enum append_room room_of(const struct chunks *chunks, uint16_t kind)
{
	bool is_bulk = kind == DWELL_CHUNK_SLOTS || kind == DWELL_CHUNK_SWITCHES || kind == DWELL_CHUNK_FAULTS ||
		       kind == DWELL_CHUNK_CLOCK;

	if (chunks->ending)
		return APPEND_LAST;
	return is_bulk ? APPEND_BULK : APPEND_NEEDED;
}

/* Writes a chunk with its header, and adds it to the seek table. Returns false if the chunk is not in the file. */
static bool write_numbered(struct chunks *chunks, struct chunk *chunk, uint32_t sequence, uint64_t floor_ticks)
{
	uint8_t header[DWELL_CHUNK_HEADER_BYTES] = {0};
	uint64_t offset = chunks->file.size_bytes;
	uint32_t length = 0;
	uLong crc = 0;
	bool listed = chunk->kind != DWELL_CHUNK_SEEK && chunk->kind != DWELL_CHUNK_END;

	for (int i = 1; i < chunk->part_count; i++) {
		crc = crc32(crc, chunk->parts[i].iov_base, (uInt)chunk->parts[i].iov_len);
		length += (uint32_t)chunk->parts[i].iov_len;
	}
	put_u32(header + DWELL_CHUNK_MARKER, DWELL_CHUNK_MARK);
	put_u16(header + DWELL_CHUNK_KIND, chunk->kind);
	put_u16(header + DWELL_CHUNK_FLAGS, chunk->flags);
	put_u32(header + DWELL_CHUNK_LENGTH, length);
	put_u32(header + DWELL_CHUNK_STREAM, chunk->stream);
	put_u64(header + DWELL_CHUNK_FIRST_TICKS, chunk->first_ticks);
	put_u64(header + DWELL_CHUNK_LAST_TICKS, chunk->last_ticks);
	put_u32(header + DWELL_CHUNK_SEQUENCE, sequence);
	put_u32(header + DWELL_CHUNK_EVENTS, chunk->events);
	put_u32(header + DWELL_CHUNK_FRAMES, chunk->frames);
	put_u32(header + DWELL_CHUNK_UNPACKED, chunk->unpacked ? chunk->unpacked : length);
	put_u32(header + DWELL_CHUNK_PAYLOAD_CRC, (uint32_t)crc);
	put_u64(header + DWELL_CHUNK_FLOOR_TICKS, floor_ticks);
	put_u32(header + DWELL_CHUNK_CRC, (uint32_t)crc32(0, header, DWELL_CHUNK_CRC));
	chunk->parts[0] = (struct iovec){header, sizeof header};
	if (listed && !chunks->seek_incomplete && !reserve_seek(chunks))
		chunks->seek_incomplete = true;
	if (!append_write(&chunks->file, chunk->parts, chunk->part_count, room_of(chunks, chunk->kind)))
		return false;
	if (listed && !chunks->seek_incomplete)
		add_seek(chunks, chunk, offset);
	return true;
}

/* Writes a chunk that has one part and belongs to no stream. */
static bool write_small(struct chunks *chunks, uint16_t kind, const void *payload, size_t size)
{
	struct chunk chunk = {.kind = kind, .part_count = 1};

	chunk_add(&chunk, payload, size);
	return write_numbered(chunks, &chunk, chunks->sequence++, 0);
}

/* Writes a LOSS chunk, unless the file's last one for this reason has the same number of bytes, or there is no room. *told:
 * the bytes that the file reports so far. */
static void write_loss(struct chunks *chunks, enum dwell_loss_reason reason, uint64_t bytes, uint64_t *told)
{
	uint64_t unwritten = chunks->file.unwritten_bytes;
	uint8_t payload[DWELL_LOSS_BYTES] = {0};

	if (*told == bytes || !append_has_room(&chunks->file, DWELL_CHUNK_HEADER_BYTES + DWELL_LOSS_BYTES,
				      chunks->ending ? APPEND_LAST : APPEND_BULK))
		return;
	put_u32(payload + DWELL_LOSS_REASON, reason);
	put_u64(payload + DWELL_LOSS_COUNT, bytes);
	put_u64(payload + DWELL_LOSS_TICKS, chunks->last_ticks);
	if (write_small(chunks, DWELL_CHUNK_LOSS, payload, sizeof payload)) {
		*told = bytes;
		return;
	}
	/* This LOSS chunk contains nothing recorded, and so does not count as missing. */
	chunks->file.unwritten_bytes = unwritten;
	chunks->sequence--;
}

/* Records how many bytes are missing, when the file accepts bytes again after a failure, and at the end. */
static void write_losses(struct chunks *chunks)
{
	write_loss(chunks, DWELL_LOSS_BYTES_UNWRITTEN, chunks->file.unwritten_bytes, &chunks->unwritten_reported);
	write_loss(chunks, DWELL_LOSS_BYTES_STARVED, chunks->starved_bytes, &chunks->starved_reported);
}

void chunks_refuse(struct chunks *chunks, uint16_t kind, uint32_t stream, uint64_t bytes)
{
	struct chunks_stream *of = kind == DWELL_CHUNK_SLOTS ? find_stream(chunks, stream) : NULL;

	chunks->starved_bytes += bytes;
	chunks->no_memory |= bytes > 0;
	if (of)
		of->sequence++;
	else if (kind != DWELL_CHUNK_SLOTS)
		chunks->sequence++;
}

bool chunks_write(struct chunks *chunks, struct chunk *chunk)
{
	struct chunks_stream *stream;
	uint64_t floor_ticks;

	if (chunk->kind != DWELL_CHUNK_SLOTS)
		return write_numbered(chunks, chunk, chunks->sequence++, 0);
	stream = find_stream(chunks, chunk->stream);
	if (!stream) {
		uint64_t bytes = 0;

		for (int i = 1; i < chunk->part_count; i++)
			bytes += chunk->parts[i].iov_len;
		chunks_refuse(chunks, chunk->kind, chunk->stream, bytes);
		return false;
	}
	write_losses(chunks);
	floor_ticks = stream->last_ticks;
	if (chunk->last_ticks > stream->last_ticks)
		stream->last_ticks = chunk->last_ticks;
	if (chunk->last_ticks > chunks->last_ticks)
		chunks->last_ticks = chunk->last_ticks;
	stream->lacks_newest = !write_numbered(chunks, chunk, stream->sequence++, floor_ticks);
	if (stream->lacks_newest)
		return false;
	stream->has_chunk = true;
	chunks->events += chunk->events;
	return true;
}

void chunks_report(struct chunks *chunks)
{
	append_report(&chunks->file);
	if (chunks->no_memory && !chunks->memory_reported)
		diag_add(chunks->diag, DIAG_WARN, chunks->file.name, DIAG_NO_OFFSET, "chunks are left out and counted: out of memory");
	chunks->memory_reported = chunks->no_memory;
}

/* Writes the seek table, as several chunks if necessary. */
static bool write_seek(struct chunks *chunks)
{
	const uint64_t most = DWELL_CHUNK_LENGTH_MAX / DWELL_SEEK_ENTRY_BYTES;
	uint64_t chunk_count = chunks->seek_count / most + 1, done = 0;

	/* Without the table readers are slower; without the final END chunk, readers cannot detect that the file is complete. */
	if (!append_has_room(&chunks->file, chunk_count * DWELL_CHUNK_HEADER_BYTES + chunks->seek_count * DWELL_SEEK_ENTRY_BYTES +
			DWELL_CHUNK_HEADER_BYTES + DWELL_END_BYTES, APPEND_LAST))
		return false;
	do {
		uint64_t count = chunks->seek_count - done < most ? chunks->seek_count - done : most;
		const uint8_t *entries = count ? chunks->seek + done * DWELL_SEEK_ENTRY_BYTES : NULL;

		if (!write_small(chunks, DWELL_CHUNK_SEEK, entries, count * DWELL_SEEK_ENTRY_BYTES))
			return false;
		done += count;
	} while (done < chunks->seek_count);
	return true;
}

/* If the last chunks of a stream are missing, writes a chunk without slots for the time when the stream ended. Otherwise no reader
 * could detect the time lost after its last chunk. If space is short, the END chunk comes first. */
static void write_ends(struct chunks *chunks)
{
	uint64_t unwritten = chunks->file.unwritten_bytes;

	for (uint32_t i = 0; i < chunks->stream_count; i++) {
		struct chunks_stream *stream = &chunks->streams[i];
		struct chunk chunk = {.kind = DWELL_CHUNK_SLOTS,
			.stream = stream->number,
			.first_ticks = stream->last_ticks,
			.last_ticks = stream->last_ticks,
			.part_count = 1};

		if (!stream->has_chunk || !stream->lacks_newest)
			continue;
		if (!append_has_room(&chunks->file, 2 * DWELL_CHUNK_HEADER_BYTES + DWELL_END_BYTES, APPEND_LAST))
			return;
		if (!write_numbered(chunks, &chunk, stream->sequence++, stream->last_ticks))
			chunks->file.unwritten_bytes = unwritten; /* this chunk contains nothing recorded */
	}
}

bool chunks_finish(struct chunks *chunks)
{
	uint8_t payload[DWELL_END_BYTES] = {0};
	uint64_t seek_offset;
	bool written;

	chunks->ending = true;
	write_losses(chunks);
	write_ends(chunks);
	seek_offset = chunks->file.size_bytes;
	if (chunks->seek_incomplete || !write_seek(chunks))
		seek_offset = 0;
	put_u64(payload + DWELL_END_SEEK_OFFSET, seek_offset);
	put_u64(payload + DWELL_END_CHUNKS, chunks->seek_count);
	put_u64(payload + DWELL_END_EVENTS, chunks->events);
	written = write_small(chunks, DWELL_CHUNK_END, payload, sizeof payload);
	append_finish(&chunks->file);
	return written && !chunks->file.unwritten_bytes && !chunks->starved_bytes;
}
