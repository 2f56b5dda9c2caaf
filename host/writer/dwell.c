/* The trace file, written: see dwell.h. Field by field as in FORMAT.md. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "writer/append.h"
#include "writer/dwell.h"

#define STRINGS_MAX 65535u /* bytes of text in one chunk */

/* What is kept of a stream between its chunks. */
struct stream {
	uint32_t number;
	uint32_t sequence; /* of the next chunk */
	uint64_t last_ticks;
};

struct trace_writer {
	struct append_file file;
	struct diag *diag;
	uint32_t sequence; /* of the next chunk that belongs to no stream */
	struct stream *streams; /* in order of their numbers */
	uint32_t stream_count, stream_capacity;
	uint8_t *seek; /* entries of the seek table */
	uint64_t seek_count, seek_capacity;
	bool seek_incomplete; /* no memory for an entry: the table is left out */
	uint64_t events;
	uint64_t unwritten_told; /* unwritten bytes that a LOSS chunk in the file tells of */
	uint64_t last_ticks; /* of any stream */
	uint8_t *frames; /* of the checkpoint being written */
	uint32_t frame_capacity;
};

/* A chunk on its way: header fields and the parts of the payload. parts[0] is the header's place. */
struct chunk {
	uint16_t kind, flags;
	uint32_t stream, sequence, events, frames, unpacked; /* unpacked 0: it is not packed */
	uint64_t first_ticks, last_ticks, floor_ticks;
	struct iovec parts[TRACE_WRITER_PIECES_MAX + 2];
	int part_count;
};

static void put_header(uint8_t *bytes, const struct message_header *header)
{
	memset(bytes, 0, DWELL_HEADER_BYTES);
	memcpy(bytes + DWELL_HEADER_MAGIC, DWELL_FILE_MAGIC, 8);
	put_u16(bytes + DWELL_HEADER_MAJOR, DWELL_FILE_MAJOR);
	put_u16(bytes + DWELL_HEADER_MINOR, DWELL_FILE_MINOR);
	put_u32(bytes + DWELL_HEADER_LENGTH, DWELL_HEADER_BYTES);
	bytes[DWELL_HEADER_POINTER_BYTES] = (uint8_t)header->pointer_bytes;
	bytes[DWELL_HEADER_BYTE_ORDER] = header->big_endian ? 2 : 1;
	bytes[DWELL_HEADER_CLOCK_BITS] = (uint8_t)header->clock_bits;
	bytes[DWELL_HEADER_CLOCK_FLAGS] =
		(uint8_t)((header->clock_down ? DWELL_CLOCK_DOWN : 0) | (header->clock_global ? DWELL_CLOCK_GLOBAL : 0) |
			  (header->clock_late ? DWELL_CLOCK_LATE : 0));
	put_u64(bytes + DWELL_HEADER_CLOCK_HZ, header->clock_hz);
	put_u64(bytes + DWELL_HEADER_START_UNIX_NS, header->start_unix_ns);
	put_u16(bytes + DWELL_HEADER_MACHINE, (uint16_t)header->machine);
	put_u32(bytes + DWELL_HEADER_CRC, (uint32_t)crc32(0, bytes, DWELL_HEADER_CRC));
}

static bool write_header(struct trace_writer *writer, const struct message_header *header)
{
	uint8_t bytes[DWELL_HEADER_BYTES];
	struct iovec part = {bytes, sizeof bytes};

	put_header(bytes, header);
	return append_write(&writer->file, &part, 1);
}

bool trace_writer_set_header(struct trace_writer *writer, const struct message_header *header)
{
	uint8_t bytes[DWELL_HEADER_BYTES];

	put_header(bytes, header);
	return append_overwrite(&writer->file, 0, bytes, sizeof bytes);
}

struct trace_writer *make_trace_writer(const char *path, const struct message_header *header, struct diag *diag)
{
	struct trace_writer *writer = calloc(1, sizeof *writer);

	if (!writer) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be created: out of memory");
		return NULL;
	}
	writer->diag = diag;
	if (!append_open(&writer->file, path, diag)) {
		free(writer);
		return NULL;
	}
	if (!write_header(writer, header)) {
		diag_add(diag, DIAG_ERROR, path, 0, "the header of the trace could not be written");
		free_trace_writer(writer);
		return NULL;
	}
	return writer;
}

void free_trace_writer(struct trace_writer *writer)
{
	if (!writer)
		return;
	append_close(&writer->file);
	free(writer->streams);
	free(writer->seek);
	free(writer->frames);
	free(writer);
}

static void add_part(struct chunk *chunk, const void *data, size_t size)
{
	if (size)
		chunk->parts[chunk->part_count++] = (struct iovec){(void *)data, size};
}

/* Memory for the seek entry is there before the chunk is written, so that a chunk in the file is always in the table. */
static bool reserve_seek(struct trace_writer *writer)
{
	uint64_t capacity = writer->seek_capacity ? writer->seek_capacity * 2 : 256;
	uint8_t *seek;

	if (writer->seek_count < writer->seek_capacity)
		return true;
	seek = realloc(writer->seek, capacity * DWELL_SEEK_ENTRY_BYTES);
	if (!seek)
		return false;
	writer->seek = seek;
	writer->seek_capacity = capacity;
	return true;
}

static void add_seek(struct trace_writer *writer, const struct chunk *chunk, uint64_t offset)
{
	uint8_t *entry = writer->seek + writer->seek_count * DWELL_SEEK_ENTRY_BYTES;

	put_u64(entry + DWELL_SEEK_OFFSET, offset);
	put_u64(entry + DWELL_SEEK_FIRST_TICKS, chunk->first_ticks);
	put_u32(entry + DWELL_SEEK_KIND, chunk->kind);
	put_u32(entry + DWELL_SEEK_STREAM, chunk->stream);
	writer->seek_count++;
}

/* Writes header and parts. The payload is a multiple of 8 long. */
static bool write_chunk(struct trace_writer *writer, struct chunk *chunk)
{
	uint8_t header[DWELL_CHUNK_HEADER_BYTES] = {0};
	uint64_t offset = writer->file.size_bytes;
	uint32_t length = 0;
	uLong crc = 0;
	bool listed = chunk->kind != DWELL_CHUNK_SEEK && chunk->kind != DWELL_CHUNK_END;

	for (int i = 1; i < chunk->part_count; i++) {
		crc = crc32(crc, chunk->parts[i].iov_base, (uInt)chunk->parts[i].iov_len);
		length += (uint32_t)chunk->parts[i].iov_len;
	}
	if (chunk->kind != DWELL_CHUNK_SLOTS)
		chunk->sequence = writer->sequence++;
	put_u32(header + DWELL_CHUNK_MARKER, DWELL_CHUNK_MARK);
	put_u16(header + DWELL_CHUNK_KIND, chunk->kind);
	put_u16(header + DWELL_CHUNK_FLAGS, chunk->flags);
	put_u32(header + DWELL_CHUNK_LENGTH, length);
	put_u32(header + DWELL_CHUNK_STREAM, chunk->stream);
	put_u64(header + DWELL_CHUNK_FIRST_TICKS, chunk->first_ticks);
	put_u64(header + DWELL_CHUNK_LAST_TICKS, chunk->last_ticks);
	put_u32(header + DWELL_CHUNK_SEQUENCE, chunk->sequence);
	put_u32(header + DWELL_CHUNK_EVENTS, chunk->events);
	put_u32(header + DWELL_CHUNK_FRAMES, chunk->frames);
	put_u32(header + DWELL_CHUNK_UNPACKED, chunk->unpacked ? chunk->unpacked : length);
	put_u32(header + DWELL_CHUNK_PAYLOAD_CRC, (uint32_t)crc);
	put_u64(header + DWELL_CHUNK_FLOOR_TICKS, chunk->floor_ticks);
	put_u32(header + DWELL_CHUNK_CRC, (uint32_t)crc32(0, header, DWELL_CHUNK_CRC));
	chunk->parts[0] = (struct iovec){header, sizeof header};
	if (listed && !writer->seek_incomplete && !reserve_seek(writer))
		writer->seek_incomplete = true;
	if (!append_write(&writer->file, chunk->parts, chunk->part_count))
		return false;
	if (listed && !writer->seek_incomplete)
		add_seek(writer, chunk, offset);
	return true;
}

/* A chunk of one part: fixed fields and text, padded by the caller's zeros. */
static bool write_small(struct trace_writer *writer, enum dwell_chunk_kind kind, uint32_t stream, const void *payload, size_t size)
{
	struct chunk chunk = {.kind = (uint16_t)kind, .stream = stream, .part_count = 1};

	add_part(&chunk, payload, size);
	return write_chunk(writer, &chunk);
}

bool trace_writer_loss(struct trace_writer *writer, const struct message_loss *loss)
{
	uint8_t payload[DWELL_LOSS_BYTES] = {0};

	put_u32(payload + DWELL_LOSS_REASON, loss->reason);
	put_u64(payload + DWELL_LOSS_COUNT, loss->count);
	put_u64(payload + DWELL_LOSS_TICKS, loss->ticks);
	return write_small(writer, DWELL_CHUNK_LOSS, loss->stream, payload, sizeof payload);
}

/* After failures, when the file takes bytes again: how many are missing. */
static void tell_unwritten(struct trace_writer *writer)
{
	uint64_t unwritten = writer->file.unwritten_bytes;
	struct message_loss loss = {.reason = DWELL_LOSS_BYTES_UNWRITTEN, .count = unwritten, .ticks = writer->last_ticks};

	if (writer->unwritten_told == unwritten)
		return;
	if (trace_writer_loss(writer, &loss)) {
		writer->unwritten_told = unwritten;
		return;
	}
	/* This chunk is none of the recording: nobody will miss it. */
	writer->file.unwritten_bytes = unwritten;
	writer->sequence--;
}

/* The fixed part of a chunk and its text, in one buffer that grows no further than STRINGS_MAX. */
struct text {
	uint8_t *data; /* zeroed */
	size_t size, capacity;
};

static bool make_text(struct text *text, size_t fixed_bytes)
{
	text->capacity = fixed_bytes + STRINGS_MAX;
	text->size = fixed_bytes;
	text->data = calloc(1, text->capacity + 8);
	return text->data;
}

/* Adds the string and its zero, or as much of it as fits. */
static void add_string(struct text *text, const char *string)
{
	size_t room = text->capacity - text->size, length = strlen(string);

	if (!room)
		return;
	if (length > room - 1)
		length = room - 1;
	memcpy(text->data + text->size, string, length);
	text->size += length + 1;
}

static bool write_text(struct trace_writer *writer, enum dwell_chunk_kind kind, uint32_t stream, struct text *text)
{
	bool written = write_small(writer, kind, stream, text->data, (text->size + 7) & ~(size_t)7);

	free(text->data);
	return written;
}

/* A declaration that memory is too short for is unwritten, like one that the disk refuses. */
static bool no_memory(struct trace_writer *writer)
{
	writer->sequence++;
	writer->file.unwritten_bytes += DWELL_CHUNK_HEADER_BYTES;
	diag_add(writer->diag, DIAG_WARN, writer->file.name, writer->file.size_bytes, "a chunk is left out: out of memory");
	return false;
}

bool trace_writer_process(struct trace_writer *writer, const struct message_process *process)
{
	struct text text;

	if (!make_text(&text, DWELL_PROCESS_STRINGS))
		return no_memory(writer);
	add_string(&text, process->path);
	for (uint32_t i = 0; i < process->argc; i++)
		add_string(&text, process->argv[i]);
	put_u32(text.data + DWELL_PROCESS_PID, process->pid);
	put_u32(text.data + DWELL_PROCESS_PARENT_PID, process->parent_pid);
	put_u32(text.data + DWELL_PROCESS_FLAGS, process->ended ? DWELL_PROCESS_ENDED : 0);
	put_u32(text.data + DWELL_PROCESS_STATUS, (uint32_t)process->status);
	put_u64(text.data + DWELL_PROCESS_START_TICKS, process->start_ticks);
	put_u32(text.data + DWELL_PROCESS_ARGC, process->argc);
	return write_text(writer, DWELL_CHUNK_PROCESS, process->process, &text);
}

bool trace_writer_module(struct trace_writer *writer, const struct message_module *module)
{
	uint32_t id_bytes = module->build_id_bytes < DWELL_MODULE_BUILD_ID_MAX ? module->build_id_bytes : DWELL_MODULE_BUILD_ID_MAX;
	struct text text;

	if (!make_text(&text, DWELL_MODULE_PATH))
		return no_memory(writer);
	add_string(&text, module->path);
	put_u64(text.data + DWELL_MODULE_LOW, module->low);
	put_u64(text.data + DWELL_MODULE_HIGH, module->high);
	put_u64(text.data + DWELL_MODULE_BIAS, module->bias);
	put_u64(text.data + DWELL_MODULE_LOAD_TICKS, module->load_ticks);
	put_u32(text.data + DWELL_MODULE_FLAGS,
		(module->hooked ? DWELL_MODULE_HOOKED : 0) | (module->unmapped ? DWELL_MODULE_UNMAPPED : 0));
	put_u32(text.data + DWELL_MODULE_BUILD_ID_BYTES, id_bytes);
	if (id_bytes)
		memcpy(text.data + DWELL_MODULE_BUILD_ID, module->build_id, id_bytes);
	return write_text(writer, DWELL_CHUNK_MODULE, module->process, &text);
}

bool trace_writer_thread(struct trace_writer *writer, const struct message_thread *thread)
{
	struct text text;

	if (!make_text(&text, DWELL_THREAD_NAME))
		return no_memory(writer);
	add_string(&text, thread->name);
	put_u32(text.data + DWELL_THREAD_PROCESS, thread->process);
	put_u32(text.data + DWELL_THREAD_TID, thread->tid);
	put_u32(text.data + DWELL_THREAD_FLAGS, (thread->ended ? DWELL_THREAD_ENDED : 0) |
							(thread->wrapped ? DWELL_THREAD_WRAPPED : 0) |
							(thread->full ? DWELL_THREAD_FULL : 0) |
							(thread->given_up ? DWELL_THREAD_GIVEN_UP : 0));
	put_u32(text.data + DWELL_THREAD_PLACE_KIND, (uint32_t)thread->place_kind);
	put_u64(text.data + DWELL_THREAD_LOST_EVENTS, thread->lost_events);
	return write_text(writer, DWELL_CHUNK_THREAD, thread->stream, &text);
}

bool trace_writer_clock(struct trace_writer *writer, const struct message_clock *clock)
{
	uint8_t payload[DWELL_CLOCK_BYTES];

	put_u64(payload + DWELL_CLOCK_TICKS, clock->ticks);
	put_u64(payload + DWELL_CLOCK_MONOTONIC_NS, clock->monotonic_ns);
	put_u64(payload + DWELL_CLOCK_UNIX_NS, clock->unix_ns);
	return write_small(writer, DWELL_CHUNK_CLOCK, 0, payload, sizeof payload);
}

bool trace_writer_switches(struct trace_writer *writer, const struct message_switches *switches)
{
	uint32_t count = switches->count < TRACE_WRITER_SWITCHES_MAX ? switches->count : TRACE_WRITER_SWITCHES_MAX;
	size_t size = DWELL_SWITCHES_ENTRIES + (size_t)count * DWELL_SWITCH_BYTES;
	struct chunk chunk = {.kind = DWELL_CHUNK_SWITCHES,
		.stream = switches->stream,
		.first_ticks = switches->from_ticks,
		.last_ticks = switches->until_ticks,
		.part_count = 1};
	uint8_t *payload = malloc(size);
	bool written;

	if (!payload)
		return no_memory(writer);
	put_u64(payload + DWELL_SWITCHES_OFF_BEFORE, switches->off_before_ticks);
	put_u64(payload + DWELL_SWITCHES_PREEMPTED_BEFORE, switches->preempted_before_ticks);
	for (uint32_t i = 0; i < count; i++) {
		const struct message_switch *from = &switches->switches[i];
		uint8_t *entry = payload + DWELL_SWITCHES_ENTRIES + (size_t)i * DWELL_SWITCH_BYTES;

		put_u64(entry + DWELL_SWITCH_OUT, from->out_ticks);
		put_u64(entry + DWELL_SWITCH_LENGTH,
			(from->in_ticks - from->out_ticks) | (from->preempted ? DWELL_SWITCH_PREEMPTED : 0));
	}
	add_part(&chunk, payload, size);
	written = write_chunk(writer, &chunk);
	free(payload);
	return written;
}

/* One fact is one line, whatever is in it. */
static void add_fact(struct text *text, const char *string, char forbidden)
{
	for (; *string && text->size < text->capacity; string++)
		text->data[text->size++] = (uint8_t)(*string == '\n' || *string == forbidden ? ' ' : *string);
}

bool trace_writer_info(struct trace_writer *writer, const struct message_info *facts, uint32_t count)
{
	struct text text;

	if (!make_text(&text, 0))
		return no_memory(writer);
	for (uint32_t i = 0; i < count; i++) {
		add_fact(&text, facts[i].key, '=');
		add_fact(&text, "=", 0);
		add_fact(&text, facts[i].value, 0);
		if (text.size < text.capacity)
			text.data[text.size++] = '\n';
	}
	return write_text(writer, DWELL_CHUNK_INFO, 0, &text);
}

/* The state of a stream; made when it is new. Null: no memory. */
static struct stream *find_stream(struct trace_writer *writer, uint32_t number)
{
	uint32_t low = 0, high = writer->stream_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (writer->streams[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < writer->stream_count && writer->streams[low].number == number)
		return &writer->streams[low];
	if (writer->stream_count == writer->stream_capacity) {
		uint32_t capacity = writer->stream_capacity ? writer->stream_capacity * 2 : 16;
		struct stream *streams = realloc(writer->streams, capacity * sizeof *streams);
		if (!streams)
			return NULL;
		writer->streams = streams;
		writer->stream_capacity = capacity;
	}
	memmove(writer->streams + low + 1, writer->streams + low, (writer->stream_count - low) * sizeof *writer->streams);
	writer->stream_count++;
	writer->streams[low] = (struct stream){.number = number};
	return &writer->streams[low];
}

static bool fill_frames(struct trace_writer *writer, const struct message_frame *frames, uint32_t count)
{
	if (count > writer->frame_capacity) {
		uint32_t capacity = count < TRACE_WRITER_FRAMES_MAX / 2 ? count * 2 : TRACE_WRITER_FRAMES_MAX;
		uint8_t *bytes = realloc(writer->frames, (size_t)capacity * DWELL_FRAME_BYTES);
		if (!bytes)
			return false;
		writer->frames = bytes;
		writer->frame_capacity = capacity;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *bytes = writer->frames + (size_t)i * DWELL_FRAME_BYTES;
		put_u64(bytes + DWELL_FRAME_PLACE, frames[i].no_place ? 0 : frames[i].place);
		put_u32(bytes + DWELL_FRAME_FLAGS,
			(frames[i].no_entry ? DWELL_FRAME_NO_ENTRY : 0) | (frames[i].no_place ? DWELL_FRAME_NO_PLACE : 0));
		put_u32(bytes + DWELL_FRAME_STACK, frames[i].stack);
		put_u64(bytes + DWELL_FRAME_ENTER_TICKS, frames[i].enter_ticks);
		put_u64(bytes + DWELL_FRAME_CHILD_TICKS, frames[i].child_ticks);
	}
	return true;
}

/* The payload in its packed form. False: it is not wanted, there is no memory for it, or it is noise that became too long. */
static bool add_packed(struct chunk *chunk, const struct trace_slots *slots, struct bytes frames)
{
	size_t unpacked = frames.size;
	struct bytes packed;

	if (!slots->packer)
		return false;
	packer_begin(slots->packer, frames);
	for (uint32_t i = 0; i < slots->piece_count; i++) {
		packer_add(slots->packer, slots->pieces[i]);
		unpacked += slots->pieces[i].size;
	}
	if (!packer_end(slots->packer, &packed) || packed.size > DWELL_CHUNK_LENGTH_MAX)
		return false;
	chunk->flags |= DWELL_CHUNK_PACKED;
	chunk->unpacked = (uint32_t)unpacked;
	add_part(chunk, packed.data, packed.size);
	return true;
}

bool trace_writer_slots(struct trace_writer *writer, const struct trace_slots *slots)
{
	uint32_t frames = slots->frame_count < TRACE_WRITER_FRAMES_MAX ? slots->frame_count : TRACE_WRITER_FRAMES_MAX;
	struct chunk chunk = {.kind = DWELL_CHUNK_SLOTS, .stream = slots->stream, .events = slots->events, .part_count = 1};
	struct stream *stream = find_stream(writer, slots->stream);
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < slots->piece_count; i++)
		bytes += slots->pieces[i].size;
	if (!stream || !fill_frames(writer, slots->frames, frames)) {
		writer->file.unwritten_bytes += bytes;
		if (stream)
			stream->sequence++;
		diag_add(writer->diag, DIAG_WARN, writer->file.name, writer->file.size_bytes,
			"a chunk of stream %u is left out: out of memory", slots->stream);
		return false;
	}
	if (slots->piece_count > TRACE_WRITER_PIECES_MAX || bytes > TRACE_WRITER_SLOTS_MAX || bytes % DWELL_SLOT_BYTES) {
		writer->file.unwritten_bytes += bytes;
		stream->sequence++;
		diag_add(writer->diag, DIAG_WARN, writer->file.name, writer->file.size_bytes,
			"a chunk of stream %u is left out: %u pieces, %llu bytes; at most %u, %u of whole slots were expected",
			slots->stream, slots->piece_count, (unsigned long long)bytes, TRACE_WRITER_PIECES_MAX,
			TRACE_WRITER_SLOTS_MAX);
		return false;
	}
	tell_unwritten(writer);
	chunk.frames = frames;
	chunk.flags = frames < slots->frame_count ? DWELL_CHUNK_FRAMES_MISSING : 0;
	chunk.first_ticks = slots->first_ticks;
	chunk.last_ticks = slots->last_ticks;
	chunk.floor_ticks = stream->last_ticks;
	chunk.sequence = stream->sequence++;
	if (slots->last_ticks > stream->last_ticks)
		stream->last_ticks = slots->last_ticks;
	if (slots->last_ticks > writer->last_ticks)
		writer->last_ticks = slots->last_ticks;
	if (!add_packed(&chunk, slots, (struct bytes){writer->frames, (size_t)frames * DWELL_FRAME_BYTES})) {
		add_part(&chunk, writer->frames, (size_t)frames * DWELL_FRAME_BYTES);
		for (uint32_t i = 0; i < slots->piece_count; i++)
			add_part(&chunk, slots->pieces[i].data, slots->pieces[i].size);
	}
	if (!write_chunk(writer, &chunk))
		return false;
	writer->events += slots->events;
	return true;
}

/* The table goes into as many chunks as it needs. */
static bool write_seek(struct trace_writer *writer)
{
	const uint64_t most = DWELL_CHUNK_LENGTH_MAX / DWELL_SEEK_ENTRY_BYTES;
	uint64_t done = 0;

	do {
		uint64_t count = writer->seek_count - done < most ? writer->seek_count - done : most;
		if (!write_small(writer, DWELL_CHUNK_SEEK, 0, writer->seek + done * DWELL_SEEK_ENTRY_BYTES,
			    count * DWELL_SEEK_ENTRY_BYTES))
			return false;
		done += count;
	} while (done < writer->seek_count);
	return true;
}

bool trace_writer_finish(struct trace_writer *writer)
{
	uint8_t payload[DWELL_END_BYTES] = {0};
	uint64_t seek_offset;

	tell_unwritten(writer);
	seek_offset = writer->file.size_bytes;
	if (writer->seek_incomplete || !write_seek(writer))
		seek_offset = 0;
	put_u64(payload + DWELL_END_SEEK_OFFSET, seek_offset);
	put_u64(payload + DWELL_END_CHUNKS, writer->seek_count);
	put_u64(payload + DWELL_END_EVENTS, writer->events);
	return write_small(writer, DWELL_CHUNK_END, 0, payload, sizeof payload) && !writer->file.unwritten_bytes;
}

bool trace_writer_is_regular(const struct trace_writer *writer)
{
	return writer->file.seekable;
}

uint64_t trace_writer_bytes(const struct trace_writer *writer)
{
	return writer->file.size_bytes;
}

uint64_t trace_writer_unwritten_bytes(const struct trace_writer *writer)
{
	return writer->file.unwritten_bytes;
}
