/* perf_records: reads the records of the file in order. The kernel's go to perf_order; perf's own are evaluated at once. */
#include "reader/perf/reader.h"

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

/* Takes a record of the kernel. A survey takes only the events of samples. */
static void put_record(struct perf_reader *reader, struct bytes record)
{
	bool is_sample = get_u32(record.data) == PERF_SAMPLE;
	uint64_t time;

	if (is_sample && !reader->choice.is_made)
		perf_layout_note_sample(&reader->head.layout, record);
	if (reader->is_surveying)
		return;
	time = perf_layout_get_time(&reader->head.layout, record, is_sample);
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

bool perf_read_record(struct perf_reader *reader)
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

