/* Writes the trace file (dwell.h): makes chunks of messages and slots, field by field as in FORMAT.md. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "pack/plain.h"
#include "writer/trace/chunk_queue.h"
#include "writer/trace/chunks.h"
#include "writer/trace/counts.h"
#include "writer/trace/cpu_places.h"
#include "writer/trace/dwell.h"
#include "writer/trace/names.h"
#include "writer/trace/samples.h"
#include "writer/trace/sums.h"

#define STRINGS_MAX 65535u /* bytes of text per chunk */

struct trace_writer {
	struct chunks chunks;
	struct plain_packer packer;
	struct chunk_queue *chunk_queue; /* null: the calling thread writes the chunks */
	struct diag *diag;
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
	bytes[DWELL_HEADER_CLOCK_FLAGS] = (uint8_t)((header->clock_down ? DWELL_CLOCK_DOWN : 0) |
		(header->clock_global ? DWELL_CLOCK_GLOBAL : 0) | (header->clock_late ? DWELL_CLOCK_LATE : 0));
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
	return append_write(&writer->chunks.file, &part, 1, APPEND_LAST);
}

bool trace_writer_set_header(struct trace_writer *writer, const struct message_header *header)
{
	uint8_t bytes[DWELL_HEADER_BYTES];

	put_header(bytes, header);
	return append_overwrite(&writer->chunks.file, 0, bytes, sizeof bytes);
}

static struct trace_writer *make(const char *path, bool hidden, const struct message_header *header, struct diag *diag)
{
	struct trace_writer *writer = calloc(1, sizeof *writer);

	if (!writer) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be created: out of memory");
		return NULL;
	}
	writer->diag = diag;
	if (!chunks_open(&writer->chunks, path, hidden, diag)) {
		free(writer);
		return NULL;
	}
	if (!write_header(writer, header)) {
		chunks_report(&writer->chunks);
		diag_add(diag, DIAG_ERROR, path, 0, "the header of the trace could not be written");
		free_trace_writer(writer);
		return NULL;
	}
	return writer;
}

struct trace_writer *make_trace_writer(const char *path, const struct message_header *header, struct diag *diag)
{
	return make(path, false, header, diag);
}

struct trace_writer *make_hidden_trace_writer(const char *path, const struct message_header *header, struct diag *diag)
{
	return make(path, true, header, diag);
}

/* Writes or queues a chunk. Returns false if it is not in the file; a queued chunk counts as written. */
static bool write_chunk(struct trace_writer *writer, struct chunk *chunk)
{
	if (writer->chunk_queue) {
		chunk_queue_add(writer->chunk_queue, chunk);
		return true;
	}
	if (chunks_write(&writer->chunks, chunk))
		return true;
	chunks_report(&writer->chunks);
	return false;
}

/* Writes a chunk of one part: fixed fields and text, padded with zeros by the caller. */
static bool write_small(struct trace_writer *writer, enum dwell_chunk_kind kind, uint32_t stream, const void *payload, size_t size)
{
	struct chunk chunk = {.kind = (uint16_t)kind, .stream = stream, .part_count = 1};

	chunk_add(&chunk, payload, size);
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

/* The payload of a chunk with strings: the fixed part, then at most STRINGS_MAX bytes of text. */
struct text {
	uint8_t *data;
	size_t size, capacity;
};

/* Starts a payload, which write_text frees. The caller fills in the fixed part, which is zeroed. Returns false if out of memory. */
static bool make_text(struct text *text, size_t fixed_bytes)
{
	text->capacity = fixed_bytes + STRINGS_MAX;
	text->size = fixed_bytes;
	text->data = malloc(text->capacity + 8);
	return text->data && memset(text->data, 0, fixed_bytes);
}

/* Adds the string with a terminating zero, or as much as fits. */
static void add_string(struct text *text, const char *string)
{
	size_t room = text->capacity - text->size, length = strlen(string);

	if (!room)
		return;
	length = length < room ? length : room - 1;
	memcpy(text->data + text->size, string, length);
	text->data[text->size + length] = 0;
	text->size += length + 1;
}

/* Writes the payload as a chunk, padded with zeros to a multiple of 8, and frees it. */
static bool write_text(struct trace_writer *writer, enum dwell_chunk_kind kind, uint32_t stream, struct text *text)
{
	bool written;

	memset(text->data + text->size, 0, 7);
	written = write_small(writer, kind, stream, text->data, (text->size + 7) & ~(size_t)7);
	free(text->data);
	return written;
}

/* Counts a chunk that could not be made for lack of memory, as if the disk had refused it. Returns false. */
static bool no_memory(struct trace_writer *writer, uint16_t kind, uint32_t stream, uint64_t bytes)
{
	if (writer->chunk_queue) {
		chunk_queue_refuse(writer->chunk_queue, kind, stream, bytes);
		return false;
	}
	chunks_refuse(&writer->chunks, kind, stream, bytes);
	chunks_report(&writer->chunks);
	return false;
}

bool trace_writer_throttle(struct trace_writer *writer, const struct message_throttle *throttle)
{
	size_t bytes = (size_t)throttle->count * DWELL_THROTTLED_BYTES;
	uint8_t *payload = throttle->count <= TRACE_WRITER_THROTTLED_MAX ? calloc(1, bytes + 1) : NULL;
	bool written;

	if (!payload)
		return no_memory(writer, DWELL_CHUNK_THROTTLE, throttle->process, bytes);
	for (uint32_t i = 0; i < throttle->count; i++) {
		const struct message_throttled *throttled = &throttle->list[i];
		uint8_t *at = payload + (size_t)i * DWELL_THROTTLED_BYTES;
		uint64_t seen = throttled->seen_ticks >> 16;

		put_u64(at + DWELL_THROTTLED_PLACE, throttled->place);
		put_u64(at + DWELL_THROTTLED_SINCE, throttled->since_ticks);
		put_u64(at + DWELL_THROTTLED_UNTIL, throttled->until_ticks);
		put_u64(at + DWELL_THROTTLED_CALLS, throttled->calls);
		put_u32(at + DWELL_THROTTLED_COST, throttled->call_sixteenths);
		put_u16(at + DWELL_THROTTLED_FLAGS, throttled->is_counted ? DWELL_THROTTLED_COUNTED : 0);
		put_u16(at + DWELL_THROTTLED_SHARE, throttled->share);
		put_u32(at + DWELL_THROTTLED_SEEN, seen < UINT32_MAX ? (uint32_t)seen : UINT32_MAX);
		put_u32(at + DWELL_THROTTLED_CUT, throttled->cut);
	}
	written = write_small(writer, DWELL_CHUNK_THROTTLE, throttle->process, payload, bytes);
	free(payload);
	return written;
}

bool trace_writer_cpu_places(struct trace_writer *writer, const struct message_cpu_places *cpu_places)
{
	size_t bytes = 0;
	uint8_t *payload = cpu_places->count <= TRACE_WRITER_CPU_PLACES_MAX ? make_cpu_places_payload(cpu_places, &bytes) : NULL;
	bool written = payload && write_small(writer, DWELL_CHUNK_CPU_PLACES, 0, payload, bytes);

	free(payload);
	return payload ? written : no_memory(writer, DWELL_CHUNK_CPU_PLACES, 0, bytes);
}

void trace_writer_skip_slots(struct trace_writer *writer, uint32_t stream)
{
	if (writer->chunk_queue)
		chunk_queue_refuse(writer->chunk_queue, DWELL_CHUNK_SLOTS, stream, 0);
	else
		chunks_refuse(&writer->chunks, DWELL_CHUNK_SLOTS, stream, 0);
}

bool trace_writer_process(struct trace_writer *writer, const struct message_process *process)
{
	struct text text;

	if (!make_text(&text, DWELL_PROCESS_STRINGS))
		return no_memory(writer, DWELL_CHUNK_PROCESS, 0, DWELL_CHUNK_HEADER_BYTES);
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
		return no_memory(writer, DWELL_CHUNK_MODULE, 0, DWELL_CHUNK_HEADER_BYTES);
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
		return no_memory(writer, DWELL_CHUNK_THREAD, 0, DWELL_CHUNK_HEADER_BYTES);
	add_string(&text, thread->name);
	put_u32(text.data + DWELL_THREAD_PROCESS, thread->process);
	put_u32(text.data + DWELL_THREAD_TID, thread->tid);
	put_u32(text.data + DWELL_THREAD_FLAGS, (thread->ended ? DWELL_THREAD_ENDED : 0) |
							(thread->wrapped ? DWELL_THREAD_WRAPPED : 0) |
							(thread->full ? DWELL_THREAD_FULL : 0) |
							(thread->is_copy ? DWELL_THREAD_COPIED : 0) |
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

/* Writes what the chunk is about, and frees it. payload null: memory ran out. */
static bool write_aside(struct trace_writer *writer, struct chunk chunk, uint8_t *payload, size_t bytes)
{
	bool written;

	chunk_add(&chunk, payload, bytes);
	written = payload ? write_chunk(writer, &chunk) : no_memory(writer, chunk.kind, 0, DWELL_CHUNK_HEADER_BYTES);
	free(payload);
	return written;
}

bool trace_writer_switches(struct trace_writer *writer, const struct message_switches *switches)
{
	size_t bytes;
	uint8_t *payload = make_switches_payload(switches, &bytes);

	return write_aside(writer, (struct chunk){.kind = DWELL_CHUNK_SWITCHES, .stream = switches->stream, .part_count = 1,
		.first_ticks = switches->from_ticks, .last_ticks = switches->until_ticks}, payload, bytes);
}

bool trace_writer_faults(struct trace_writer *writer, const struct message_faults *faults)
{
	size_t bytes;
	uint8_t *payload = make_faults_payload(faults, &bytes);

	return write_aside(writer, (struct chunk){.kind = DWELL_CHUNK_FAULTS, .stream = faults->stream, .part_count = 1,
		.first_ticks = faults->from_ticks, .last_ticks = faults->until_ticks}, payload, bytes);
}

bool trace_writer_sampling(struct trace_writer *writer, const struct message_sampling *sampling)
{
	uint8_t payload[DWELL_SAMPLING_BYTES] = {0};

	put_u32(payload + DWELL_SAMPLING_ENGINE, sampling->engine);
	put_u32(payload + DWELL_SAMPLING_UNIT, sampling->unit);
	put_u32(payload + DWELL_SAMPLING_FLAGS,
		(sampling->jittered ? DWELL_SAMPLING_JITTERED : 0) | (sampling->has_stacks ? DWELL_SAMPLING_STACKS : 0) |
			(sampling->has_kernel ? DWELL_SAMPLING_KERNEL : 0) | (sampling->is_wall ? DWELL_SAMPLING_WALL : 0));
	put_u64(payload + DWELL_SAMPLING_PERIOD, sampling->period);
	put_u64(payload + DWELL_SAMPLING_HZ, sampling->millihertz);
	put_u64(payload + DWELL_SAMPLING_CPU, sampling->cpu);
	return write_small(writer, DWELL_CHUNK_SAMPLING, 0, payload, sizeof payload);
}

/* Packs the payload if packing saves space, writes the chunk, and frees the payload. */
static bool write_plain(struct trace_writer *writer, struct chunk *chunk, uint8_t *take_made, struct bytes plain)
{
	size_t packed_bytes;
	uint8_t *packed = make_plain_packed(&writer->packer, plain, &packed_bytes);
	bool written;

	if (packed) {
		chunk->flags = DWELL_CHUNK_PACKED;
		chunk->unpacked = (uint32_t)plain.size;
	}
	chunk_add(chunk, packed ? packed : take_made, packed ? packed_bytes : plain.size);
	written = write_chunk(writer, chunk);
	free(packed);
	free(take_made);
	return written;
}

bool trace_writer_samples(struct trace_writer *writer, const struct message_samples *samples)
{
	struct chunk chunk = {.kind = DWELL_CHUNK_SAMPLES, .stream = samples->stream, .part_count = 1};
	struct bytes plain;
	uint8_t *made;

	if (samples->count > TRACE_WRITER_SAMPLES_MAX || samples->node_count > TRACE_WRITER_NODES_MAX ||
		!(made = make_samples_payload(samples, &plain)))
		return no_memory(writer, DWELL_CHUNK_SAMPLES, samples->stream, DWELL_CHUNK_HEADER_BYTES);
	if (samples->count) {
		chunk.first_ticks = samples->samples[0].ticks;
		chunk.last_ticks = samples->samples[samples->count - 1].ticks;
	}
	return write_plain(writer, &chunk, made, plain);
}

bool trace_writer_counts(struct trace_writer *writer, const struct message_counts *counts)
{
	struct chunk chunk = {.kind = DWELL_CHUNK_COUNTS,
		.stream = counts->stream,
		.first_ticks = counts->from_ticks,
		.last_ticks = counts->until_ticks,
		.part_count = 1};
	struct bytes plain;
	uint8_t *made;

	if (counts->count > TRACE_WRITER_COUNTS_MAX || !(made = make_counts_payload(counts, &plain)))
		return no_memory(writer, DWELL_CHUNK_COUNTS, counts->stream, DWELL_CHUNK_HEADER_BYTES);
	return write_plain(writer, &chunk, made, plain);
}

bool trace_writer_sums(struct trace_writer *writer, const struct message_sums *sums)
{
	struct chunk chunk = {.kind = DWELL_CHUNK_SUMS,
		.stream = sums->stream,
		.first_ticks = sums->first_ticks,
		.last_ticks = sums->last_ticks,
		.part_count = 1};
	struct bytes plain;
	uint8_t *made;

	if (sums->node_count > TRACE_WRITER_SUMS_MAX || sums->function_count > TRACE_WRITER_SUMS_MAX ||
		sums->frame_count > TRACE_WRITER_SUMS_MAX || sums->bucket_count > TRACE_WRITER_SUMS_MAX * 4 ||
		!(made = make_sums_payload(sums, &plain)))
		return no_memory(writer, DWELL_CHUNK_SUMS, sums->stream, DWELL_CHUNK_HEADER_BYTES);
	return write_plain(writer, &chunk, made, plain);
}

bool trace_writer_names(struct trace_writer *writer, const struct message_names *names)
{
	for (uint32_t first = 0; first < names->count;) {
		struct chunk chunk = {.kind = DWELL_CHUNK_NAMES, .part_count = 1};
		struct bytes plain;
		uint8_t *made = make_names_payload(names, &first, &plain);

		if (!made)
			return no_memory(writer, DWELL_CHUNK_NAMES, 0, DWELL_CHUNK_HEADER_BYTES);
		if (!write_plain(writer, &chunk, made, plain))
			return false;
	}
	return true;
}

/* A fact is one line: replaces line breaks and the forbidden character. */
static void add_fact(struct text *text, const char *string, char forbidden)
{
	for (; *string && text->size < text->capacity; string++)
		text->data[text->size++] = (uint8_t)(*string == '\n' || *string == forbidden ? ' ' : *string);
}

bool trace_writer_text(struct trace_writer *writer, const struct message_text *message)
{
	struct text text;

	if (!make_text(&text, DWELL_TEXT_TEXT))
		return no_memory(writer, DWELL_CHUNK_TEXT, 0, DWELL_CHUNK_HEADER_BYTES);
	put_u32(text.data + DWELL_TEXT_INDEX, message->index);
	add_string(&text, message->text);
	return write_text(writer, DWELL_CHUNK_TEXT, 0, &text);
}

bool trace_writer_info(struct trace_writer *writer, const struct message_info *facts, uint32_t count)
{
	struct text text;

	if (!make_text(&text, 0))
		return no_memory(writer, DWELL_CHUNK_INFO, 0, DWELL_CHUNK_HEADER_BYTES);
	for (uint32_t i = 0; i < count; i++) {
		add_fact(&text, facts[i].key, '=');
		add_fact(&text, "=", 0);
		add_fact(&text, facts[i].value, 0);
		if (text.size < text.capacity)
			text.data[text.size++] = '\n';
	}
	return write_text(writer, DWELL_CHUNK_INFO, 0, &text);
}

/* Encodes the checkpoint for the file. Returns null if out of memory. */
static uint8_t *make_frames(const struct message_frame *frames, uint32_t count)
{
	uint8_t *all = malloc((size_t)count * DWELL_FRAME_BYTES + 1);

	for (uint32_t i = 0; all && i < count; i++) {
		uint8_t *bytes = all + (size_t)i * DWELL_FRAME_BYTES;
		put_u64(bytes + DWELL_FRAME_PLACE, frames[i].no_place ? 0 : frames[i].place);
		put_u32(bytes + DWELL_FRAME_FLAGS,
			(frames[i].no_entry ? DWELL_FRAME_NO_ENTRY : 0) | (frames[i].no_place ? DWELL_FRAME_NO_PLACE : 0) |
				(frames[i].is_piece ? DWELL_FRAME_PIECE : 0));
		put_u32(bytes + DWELL_FRAME_STACK, frames[i].stack);
		put_u64(bytes + DWELL_FRAME_ENTER_TICKS, frames[i].enter_ticks);
		put_u64(bytes + DWELL_FRAME_CHILD_TICKS, frames[i].child_ticks);
	}
	return all;
}

/* Adds the payload in packed form. Returns false if there is no packer or no memory, or if incompressible data became too long. */
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
	chunk->flags |= DWELL_CHUNK_PACKED | (packer_is_in_parts(slots->packer) ? DWELL_CHUNK_PARTS : 0);
	chunk->unpacked = (uint32_t)unpacked;
	chunk_add(chunk, packed.data, packed.size);
	return true;
}

bool trace_writer_slots(struct trace_writer *writer, const struct trace_slots *slots)
{
	uint32_t frame_count = slots->frame_count < TRACE_WRITER_FRAMES_MAX ? slots->frame_count : TRACE_WRITER_FRAMES_MAX;
	struct chunk chunk = {
		.kind = DWELL_CHUNK_SLOTS,
		.flags = frame_count < slots->frame_count ? DWELL_CHUNK_FRAMES_MISSING : 0,
		.stream = slots->stream,
		.events = slots->events,
		.frames = frame_count,
		.first_ticks = slots->first_ticks,
		.last_ticks = slots->last_ticks,
		.part_count = 1,
	};
	struct bytes frames = {0};
	uint64_t bytes = 0;
	uint8_t *made;
	bool written;

	for (uint32_t i = 0; i < slots->piece_count; i++)
		bytes += slots->pieces[i].size;
	if (slots->piece_count > TRACE_WRITER_PIECES_MAX || bytes > TRACE_WRITER_SLOTS_MAX || bytes % DWELL_SLOT_BYTES) {
		diag_add(writer->diag, DIAG_WARN, writer->chunks.file.name, DIAG_NO_OFFSET,
			"a chunk of stream %u is left out: %u pieces, %llu bytes; at most %u, %u of whole slots were expected",
			slots->stream, slots->piece_count, (unsigned long long)bytes, TRACE_WRITER_PIECES_MAX,
			TRACE_WRITER_SLOTS_MAX);
		return no_memory(writer, DWELL_CHUNK_SLOTS, slots->stream, bytes);
	}
	made = make_frames(slots->frames, frame_count);
	if (!made)
		return no_memory(writer, DWELL_CHUNK_SLOTS, slots->stream, bytes);
	frames = (struct bytes){made, (size_t)frame_count * DWELL_FRAME_BYTES};
	if (!add_packed(&chunk, slots, frames)) {
		chunk_add(&chunk, frames.data, frames.size);
		for (uint32_t i = 0; i < slots->piece_count; i++)
			chunk_add(&chunk, slots->pieces[i].data, slots->pieces[i].size);
	}
	written = write_chunk(writer, &chunk);
	free(made);
	return written;
}

bool trace_writer_start_thread(struct trace_writer *writer)
{
	if (!writer->chunk_queue)
		writer->chunk_queue = make_chunk_queue(&writer->chunks);
	return writer->chunk_queue;
}

bool trace_writer_is_full(struct trace_writer *writer)
{
	return writer->chunk_queue && chunk_queue_is_full(writer->chunk_queue);
}

void trace_writer_wait(struct trace_writer *writer)
{
	if (writer->chunk_queue)
		chunk_queue_wait(writer->chunk_queue);
}

/* Waits until the queue, if any, is written, and ends its thread. From here on the calling thread writes the chunks. */
static void catch_up(struct trace_writer *writer)
{
	free_chunk_queue(writer->chunk_queue);
	writer->chunk_queue = NULL;
	chunks_report(&writer->chunks);
}

void trace_writer_end_begins(struct trace_writer *writer)
{
	catch_up(writer);
	writer->chunks.ending = true;
}

void free_trace_writer(struct trace_writer *writer)
{
	if (!writer)
		return;
	catch_up(writer);
	chunks_close(&writer->chunks);
	plain_packer_clear(&writer->packer);
	free(writer);
}

bool trace_writer_finish(struct trace_writer *writer)
{
	bool whole;

	catch_up(writer);
	whole = chunks_finish(&writer->chunks);
	chunks_report(&writer->chunks);
	return whole;
}

bool trace_writer_publish(struct trace_writer *writer)
{
	return append_publish(&writer->chunks.file);
}

bool trace_writer_is_regular(const struct trace_writer *writer)
{
	return writer->chunks.file.seekable;
}

uint64_t trace_writer_bytes(const struct trace_writer *writer)
{
	return writer->chunks.file.size_bytes;
}

uint64_t trace_writer_unwritten_bytes(const struct trace_writer *writer)
{
	return writer->chunks.file.unwritten_bytes + writer->chunks.starved_bytes;
}
