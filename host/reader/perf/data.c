/* The reader of perf.data, the file of perf record: samples with their callers, by thread and in order of time, and
 * the mapped files. The file has the kernel's buffers one after the other; perf_order sorts their records by time.
 *
 * Counts the first event that is not a dummy; leaves out samples of other events, with a diag.
 * Names are not in the file but in the mapped files, which are identified by build-ids. Kernel
 * code gets no names. Callers in copied stacks (--call-graph dwarf) are not unwound. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reader/perf/reader.h"
#include "util/array.h"

#define HOLD_BYTES (UINT64_C(1) << 30) /* limit for a file that comes through a pipe */

/* perf's own records, numbered behind the kernel's. */
enum {
	RECORD_OWN = 64, RECORD_EVENT = 64, RECORD_TRACING = 66, RECORD_BUILD_ID = 67, RECORD_ROUND = 68, RECORD_AUX = 71,
	RECORD_FEATURE = 80, RECORD_PACKED = 81, RECORD_PACKED2 = 83,
};

/* Adds a diag about skipped bytes at the current offset: "what problem". */
static void report_skipped(struct perf_reader *reader, uint64_t bytes, const char *what, const char *problem)
{
	reader->input->health->bytes_skipped += bytes;
	diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->at, "%s %s", what, problem);
}

static bool probe(struct bytes start, bool whole)
{
	(void)whole;
	return start.size >= 8 && (!memcmp(start.data, PERF_MAGIC, 8) || !memcmp(start.data, PERF_MAGIC_SWAPPED, 8));
}

static bool begin(struct perf_reader *reader)
{
	const char *problem = perf_head_read(&reader->head, reader->input->source);

	reader->at = reader->head.begin;
	reader->input->health->ended_well = false;
	if (problem)
		diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), 0, "%s", problem);
	return !problem;
}

static bool open_perf(void *state, struct reader_input *input)
{
	struct perf_reader *reader = state;
	uint8_t start[16];

	reader->input = input;
	if (source_peek(input->source, start, sizeof start) == sizeof start && get_u64(start + 8) != sizeof start &&
		!source_hold(input->source, HOLD_BYTES)) {
		diag_add(input->diag, DIAG_ERROR, source_name(input->source), 0,
			"is more than 1 GiB of perf.data through a pipe: give its name, or what 'perf record -o -' writes");
		return false;
	}
	return begin(reader);
}

static void clear(struct perf_reader *reader)
{
	perf_head_clear(&reader->head);
	perf_tasks_clear(&reader->tasks);
	perf_order_clear(&reader->order);
	perf_samples_clear(&reader->samples);
	stream_unpacker_clear(&reader->unpacker);
	free(reader->queue);
}

static void close_perf(void *state)
{
	clear(state);
}

static void rewind_perf(void *state)
{
	struct perf_reader *reader = state;
	struct reader_input *input = reader->input;

	clear(reader);
	memset(reader, 0, sizeof *reader);
	reader->input = input;
	begin(reader);
}

static void put_record(struct perf_reader *reader, struct bytes record)
{
	uint64_t time = perf_layout_get_time(&reader->head.layout, record, get_u32(record.data) == PERF_SAMPLE);

	reader->no_memory |= !perf_order_put(&reader->order, record, time, reader->at);
}

/* Unpacks a record of packed records; the last one may be incomplete, and continues in the next such record. */
static void unpack(struct perf_reader *reader, struct bytes record)
{
	uint32_t head = get_u32(record.data) == RECORD_PACKED2 ? PERF_HEAD_BYTES + 8 : PERF_HEAD_BYTES;
	uint64_t bytes = record.size - PERF_HEAD_BYTES;
	const char *problem;
	size_t at = 0;

	if (head > PERF_HEAD_BYTES && record.size >= head)
		bytes = get_u64(record.data + PERF_HEAD_BYTES);
	if (reader->cannot_unpack || !bytes_have(record, head, bytes > record.size - head ? record.size - head : bytes))
		return;
	bytes = bytes > record.size - head ? record.size - head : bytes;
	problem = stream_unpack(&reader->unpacker, (struct bytes){record.data + head, (size_t)bytes});
	if (problem) {
		reader->cannot_unpack = true;
		report_skipped(reader, record.size, "a packed record", problem);
	}
	while (reader->unpacker.used - at >= PERF_HEAD_BYTES) {
		const uint8_t *inner = reader->unpacker.data + at;
		uint32_t size = get_u16(inner + 6);

		if (size < PERF_HEAD_BYTES) {
			reader->cannot_unpack = true;
			report_skipped(reader, reader->unpacker.used - at, "a packed record", "unpacks to one that is shorter than its head");
			at = reader->unpacker.used;
			break;
		}
		if (size > reader->unpacker.used - at)
			break;
		if (get_u32(inner) < RECORD_OWN)
			put_record(reader, (struct bytes){inner, size});
		at += size;
	}
	stream_take(&reader->unpacker, at);
}

/* Handles a record of the file: sorts the kernel's records by time, and evaluates perf's own records at once. */
static void dispatch_record(struct perf_reader *reader, struct bytes record)
{
	uint32_t type = get_u32(record.data);
	const char *problem = NULL;
	uint64_t more = 0;

	if (type < RECORD_OWN) {
		put_record(reader, record);
		return;
	}
	switch (type) {
	case RECORD_EVENT:
		problem = perf_head_take_event(&reader->head, record);
		break;
	case RECORD_BUILD_ID:
		problem = perf_head_take_build_id(&reader->head, record);
		break;
	case RECORD_FEATURE:
		problem = perf_head_take_feature(&reader->head, record);
		break;
	case RECORD_ROUND:
		perf_order_end_round(&reader->order, false);
		break;
	case RECORD_PACKED:
	case RECORD_PACKED2:
		unpack(reader, record);
		break;
	case RECORD_TRACING: /* the data of these follows the record */
		more = record.size >= 12 ? ((uint64_t)get_u32(record.data + 8) + 7) & ~UINT64_C(7) : 0;
		break;
	case RECORD_AUX:
		more = record.size >= 16 ? get_u64(record.data + 8) : 0;
		break;
	}
	if (problem)
		report_skipped(reader, record.size, "a record", problem);
	reader->at += more;
	if (more && !source_skip(reader->input->source, more))
		reader->at_end = true;
}

/* Reads the next record of the file, and handles it. False: none is left, or the file is cut or damaged here. */
static bool read_record(struct perf_reader *reader)
{
	struct source *source = reader->input->source;
	struct bytes record = {reader->record, 0};
	uint64_t left = reader->head.end > reader->at ? reader->head.end - reader->at : 0;
	size_t got = left < PERF_HEAD_BYTES ? 0 : source_read(source, reader->record, PERF_HEAD_BYTES);

	if (!got && (!left || reader->head.is_stream))
		return false;
	if (got == PERF_HEAD_BYTES)
		record.size = get_u16(reader->record + 6);
	if (got < PERF_HEAD_BYTES || record.size > left) {
		reader->input->health->cut = true;
		return false;
	}
	if (record.size < PERF_HEAD_BYTES) {
		report_skipped(reader, left == UINT64_MAX - reader->at ? 0 : left, "a record",
			"is shorter than its head: what comes behind it is not read");
		return false;
	}
	if (source_read(source, reader->record + PERF_HEAD_BYTES, record.size - PERF_HEAD_BYTES) < record.size - PERF_HEAD_BYTES) {
		reader->input->health->cut = true;
		return false;
	}
	dispatch_record(reader, record);
	reader->at += record.size;
	return true;
}

/* Sets reader->held to the next record in order of time. False: none is left. */
static bool next_record(struct perf_reader *reader)
{
	if (reader->pending.size)
		return true;
	while (!perf_order_take(&reader->order, &reader->pending, &reader->pending_offset)) {
		if (reader->at_end)
			return false;
		if (!read_record(reader) || reader->no_memory) {
			reader->at_end = true;
			perf_order_end_round(&reader->order, true);
		}
	}
	return true;
}

static void report_count(struct perf_reader *reader, uint64_t count, const char *what)
{
	if (count)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET, "%" PRIu64 " %s", count, what);
}

static void finish(struct perf_reader *reader)
{
	struct reader_health *health = reader->input->health;

	if (!reader->finished) {
		report_count(reader, reader->other_samples, "samples are of other events than the first one: they are left out");
		report_count(reader, reader->damaged, "records end before their fields do, or are of an event that is not told: they are left out");
		health->entries_left_out += reader->other_samples + reader->damaged;
		report_count(reader, reader->copied,
			"samples have a copy of their stack (--call-graph dwarf), in which callers are not looked for: 'perf script' may, and its stacks can be read when they are folded");
		if (reader->kernel)
			diag_add(reader->input->diag, DIAG_NOTE, source_name(reader->input->source), DIAG_NO_OFFSET,
				"samples in the kernel, of whose functions it has no names (what 'perf script' prints may have): %" PRIu64,
				reader->kernel);
		if (reader->no_memory)
			diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), reader->at,
				"cannot be read further: out of memory");
		if (health->cut)
			diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->at,
				"ends within a record, or where another was expected: what comes behind that is missing");
		health->ended_well = !health->cut && !reader->no_memory;
		health->bytes_total = health->bytes_total > reader->at ? health->bytes_total : reader->at;
	}
	reader->finished = true;
}

static void push_header(struct perf_reader *reader)
{
	struct message *message = perf_push_message(reader, MESSAGE_HEADER);

	if (message)
		message->header = (struct message_header){.format = "perf.data",
			.has_events = true,
			.clock_hz = PERF_NS_A_SECOND,
			.clock_bits = 64,
			.clock_global = true,
			.pointer_bytes = reader->head.pointer_bytes ? reader->head.pointer_bytes : 8,
			.unit = ""};
	for (uint32_t i = 0; i < reader->head.fact_count; i++) {
		message = perf_push_message(reader, MESSAGE_INFO);
		if (message)
			message->info = (struct message_info){reader->head.facts[i].key, reader->head.facts[i].value};
	}
	reader->header_written = true;
}

/* Puts the next messages into the queue. The queue stays empty at the end of the file. */
static void fill_queue(struct perf_reader *reader)
{
	if (!reader->header_written) {
		push_header(reader);
		return;
	}
	while (!reader->queued && next_record(reader)) {
		if (!perf_take_record(reader, reader->pending))
			break;
		reader->pending.size = 0;
		if (reader->queued)
			return;
	}
	if (!reader->queued && reader->samples.count) {
		struct message *message = perf_push_message(reader, MESSAGE_SAMPLES);

		if (message)
			message->samples = perf_samples_get(&reader->samples);
		perf_samples_begin(&reader->samples);
	} else if (!reader->queued && !reader->sampling_written) {
		perf_push_sampling(reader);
	}
}

static void next_perf(void *state, struct message *message)
{
	struct perf_reader *reader = state;

	if (reader->dequeued == reader->queued) {
		reader->dequeued = reader->queued = 0;
		fill_queue(reader);
	}
	if (reader->dequeued < reader->queued) {
		*message = reader->queue[reader->dequeued++];
		return;
	}
	finish(reader);
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->at};
}

const struct reader_format reader_perf_data = {
	.name = "perf.data",
	.probe = probe,
	.state_bytes = sizeof(struct perf_reader),
	.open = open_perf,
	.close = close_perf,
	.next = next_perf,
	.rewind = rewind_perf,
};
