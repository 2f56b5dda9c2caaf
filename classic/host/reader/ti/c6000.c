/* The reader of dumps of TI's function hooks: records of twelve bytes alone, in either byte order;
 * or an image of memory, raw or a core file, with a control area that contains their address. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "classic/host/doors.h"
#include "classic/host/reader/ti/hook_dump.h"
#include "classic/host/reader/ti/hook_image.h"

#define BATCH_RECORDS 4096u
#define IMAGE_BYTES_MAX (UINT64_C(1) << 30) /* of an image from a pipe: the reader must read the pipe to the end */
/* Fewer records could be anything. */
#define PROBE_RECORDS_MIN 4u
/* One in this many records may have a wrong time. */
#define PROBE_FALSE_PART 32u
#define PROBE_RECORDS_MAX (4096 / HOOK_RECORD_BYTES)

struct c6000_reader {
	struct hook_dump dump;
	struct memory memory;
	struct hook_image image;
	bool is_image;
	uint32_t rest; /* bytes at the end that are no whole record */
};

/* Whether the records are plausible: times rise, except once where a circular buffer begins, and
 * for a few wrong times. The clock runs, so the times are not all equal, and are below years. At
 * most half of the places are 0: a function may be at address 0, but memory of zeros is no buffer. */
static bool is_plausible(const struct hook_record *list, size_t count, bool is_swapped)
{
	struct hook_doubt doubt = hook_records_doubt(list, count, is_swapped);

	return doubt.used >= PROBE_RECORDS_MIN && doubt.backward <= 1 + doubt.used / PROBE_FALSE_PART && doubt.span &&
	       doubt.latest < HOOK_TICKS_MAX && doubt.nulls <= doubt.used / 2;
}

static bool are_records(struct bytes start, bool whole)
{
	struct hook_record list[PROBE_RECORDS_MAX];
	size_t count = start.size / HOOK_RECORD_BYTES;

	if (whole && start.size % HOOK_RECORD_BYTES)
		return false;
	for (size_t i = 0; i < count; i++)
		list[i] = hook_record_at(start.data + i * HOOK_RECORD_BYTES);
	return is_plausible(list, count, false) || is_plausible(list, count, true);
}

static bool probe(struct bytes start, bool whole)
{
	bool is_big;

	if (memory_is_core(start))
		return false;
	for (size_t at = 0; at < start.size; at += 4)
		if (hook_image_is_control(start, at, &is_big))
			return true;
	return are_records(start, whole);
}

/* A core with the records alone, without a control area. */
static bool is_core_of_records(const struct memory *memory)
{
	uint8_t buffer[PROBE_RECORDS_MAX * HOOK_RECORD_BYTES];
	struct bytes start = {buffer, 0};

	if (!memory->is_core || memory->count != 1)
		return false;
	start.size = memory_read(memory, memory->spans[0].address, buffer, sizeof buffer);
	return are_records(start, start.size < sizeof buffer);
}

static bool find_any(struct source *source)
{
	struct hook_image image;
	struct memory memory;
	const char *problem;
	enum hook_image_state state = HOOK_IMAGE_NONE;
	bool any = memory_open(&memory, source, &problem);

	if (any)
		state = hook_image_find(&memory, &image);
	any = any && (state == HOOK_IMAGE_FOUND || (state == HOOK_IMAGE_ODD && memory.is_core) || is_core_of_records(&memory));
	memory_close(&memory);
	return any;
}

/* Adds count records, read as little-endian; fewer only if the file has changed. False: no memory. */
static bool take_records(struct c6000_reader *reader, uint64_t count)
{
	struct hook_record list[BATCH_RECORDS];
	size_t got;

	for (uint64_t at = 0; at < count; at += got) {
		got = count - at < BATCH_RECORDS ? (size_t)(count - at) : BATCH_RECORDS;
		got = hook_image_read(&reader->memory, &reader->image, at, list, got);
		if (!got)
			break;
		for (size_t i = 0; i < got; i++)
			if (!hook_records_add(&reader->dump.records, &list[i]))
				return false;
	}
	return true;
}

static bool is_big(const struct hook_records *records, enum reader_order order)
{
	struct hook_doubt little = hook_records_doubt(records->list, records->count, false);
	struct hook_doubt big = hook_records_doubt(records->list, records->count, true);

	return order == READER_ORDER_FOUND ? hook_doubt_is_less(&big, &little) : order == READER_ORDER_BIG;
}

static void say_image(const struct hook_dump *dump, const struct hook_image *image)
{
	const char *name = source_name(dump->input->source);
	uint64_t used = hook_image_used(image);

	if (!image->has_count)
		diag_add(dump->input->diag, DIAG_NOTE, name, image->control.offset,
			"the count of its records (at 0x%" PRIx64 ") is not in the image: where they begin is told by their times",
			image->count_at);
	else if (image->written == HOOK_COUNT_OFF && !image->has_no_clock)
		diag_add(dump->input->diag, DIAG_WARN, name, image->control.offset,
			"hook_init() was not called, or is at work: nothing was recorded");
	if (used > image->there)
		diag_add(dump->input->diag, DIAG_WARN, name, image->control.offset,
			"its buffer has %" PRIu64 " records, of which %" PRIu64 " are in the image: the others are missing", used,
			image->there);
	if (image->has_no_clock)
		diag_add(dump->input->diag, DIAG_WARN, name, image->control.offset,
			"the machine's counter does not count: nothing was recorded");
	if (image->missed)
		diag_add(dump->input->diag, DIAG_WARN, name, image->control.offset,
			"%" PRIu64 " calls of threads other than the one that called hook_init() are not recorded", image->missed);
}

static void say(const struct hook_dump *dump)
{
	const struct c6000_reader *reader = (const struct c6000_reader *)dump;

	if (reader->is_image)
		say_image(dump, &reader->image);
	if (!reader->rest)
		return;
	dump->input->health->bytes_skipped += reader->rest;
	diag_add(dump->input->diag, DIAG_WARN, source_name(dump->input->source), dump->records.file_bytes - reader->rest,
		"%u bytes at the end are no whole record (expected: records of %u bytes): skipped", reader->rest,
		HOOK_RECORD_BYTES);
}

static const char *order_name(const struct hook_dump *dump)
{
	return dump->is_big ? "big" : "little";
}

/* Reads the records of the buffer; *written: how many there were in
 * all, or UINT64_MAX if only times show the order. False: no memory. */
static bool read_image(struct c6000_reader *reader, uint64_t *written)
{
	const struct hook_image *image = &reader->image;
	struct hook_dump *dump = &reader->dump;
	uint64_t used = hook_image_used(image);

	reader->is_image = true;
	dump->records.room = image->capacity - used;
	dump->is_big = image->words.is_big;
	dump->records.clock_hz = image->hz;
	if (image->has_count && (used <= image->there || image->there == image->capacity))
		*written = image->written == HOOK_COUNT_OFF ? 0 : image->written;
	if (reader->memory.is_core)
		snprintf(dump->name, sizeof dump->name, "core file, records at 0x%" PRIx64 ", %s-endian", image->records, order_name(dump));
	else
		snprintf(dump->name, sizeof dump->name, "memory image at 0x%" PRIx64 ", %s-endian", image->control.address - image->control.offset,
			order_name(dump));
	dump->records.place_kind = image->place == HOOK_PLACE_RETURN ? DWELL_PLACE_WORD : DWELL_PLACE_ENTRY;
	if (image->place != HOOK_PLACE_NAME)
		return take_records(reader, used < image->there ? used : image->there);
	return hook_dump_take_names(dump, &reader->memory, image) &&
	       take_records(reader, used < image->there ? used : image->there);
}

/* Reads records without a control area: the whole file. */
static bool read_plain(struct c6000_reader *reader)
{
	struct hook_dump *dump = &reader->dump;
	const struct memory_span *span = &reader->memory.spans[0];
	bool good;

	reader->image = (struct hook_image){.records = span->address};
	good = take_records(reader, span->size / HOOK_RECORD_BYTES);
	dump->is_big = is_big(&dump->records, dump->input->order);
	reader->rest = (uint32_t)(span->size % HOOK_RECORD_BYTES);
	snprintf(dump->name, sizeof dump->name, "%sC6000 records, %s-endian", reader->memory.is_core ? "core file, " : "", order_name(dump));
	return good;
}

static bool read_records(struct c6000_reader *reader, bool is_image)
{
	struct hook_records *records = &reader->dump.records;
	uint64_t written = UINT64_MAX;
	bool good = is_image ? read_image(reader, &written) : read_plain(reader);

	for (size_t i = 0; reader->dump.is_big && i < records->count; i++)
		records->list[i] = hook_record_swapped(&records->list[i]);
	records->file_bytes = source_size(reader->memory.source);
	if (!good || !hook_records_settle(records, written))
		return hook_dump_starve(&reader->dump);
	if (!is_image)
		hook_dump_guess_places(&reader->dump);
	return true;
}

static bool refuse(const struct c6000_reader *reader, uint64_t offset, const char *why)
{
	struct reader_input *input = reader->dump.input;

	diag_add(input->diag, DIAG_ERROR, source_name(input->source), offset, "%s", why);
	return false;
}

static bool open_c6000(void *state, struct reader_input *input)
{
	struct c6000_reader *reader = state;
	enum hook_image_state found;
	const char *problem;
	char why[128];

	hook_dump_begin(&reader->dump, input, say);
	if (!source_hold(input->source, IMAGE_BYTES_MAX))
		return refuse(reader, DIAG_NO_OFFSET, "cannot be read: more than 1 GiB came through the pipe, or there is no memory for it");
	if (!memory_open(&reader->memory, input->source, &problem))
		return refuse(reader, DIAG_NO_OFFSET, problem);
	found = hook_image_find(&reader->memory, &reader->image);
	if (found == HOOK_IMAGE_ODD) {
		snprintf(why, sizeof why, "function hooks have their control area here, and none of their records (at 0x%" PRIx64 ") is in the image",
			reader->image.records);
		return refuse(reader, reader->image.control.offset, why);
	}
	if (found == HOOK_IMAGE_NONE && reader->memory.count != 1)
		return refuse(reader, DIAG_NO_OFFSET, "holds no buffer of function hooks, as far as a control area tells");
	return read_records(reader, found == HOOK_IMAGE_FOUND);
}

static void close_c6000(void *state)
{
	struct c6000_reader *reader = state;

	hook_dump_clear(&reader->dump);
	memory_close(&reader->memory);
}

const struct reader_format reader_c6000 = {
	.name = "a dump of TI's function hooks",
	.expected = "a dump of function hooks (binary, or text of Code Composer Studio)",
	.option = "c6000",
	.probe = probe,
	.find = find_any,
	.state_bytes = sizeof(struct c6000_reader),
	.open = open_c6000,
	.close = close_c6000,
	HOOK_DUMP_MEMBERS,
};
