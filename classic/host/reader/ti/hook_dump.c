#include "classic/host/reader/ti/hook_dump.h"

#include <stdlib.h>
#include <string.h>

void hook_dump_begin(struct hook_dump *dump, struct reader_input *input, void (*say)(const struct hook_dump *dump))
{
	dump->input = input;
	dump->say = say;
	dump->records.place_kind = input->places_are_names     ? DWELL_PLACE_STRING
				   : input->places_are_returns ? DWELL_PLACE_WORD
							       : DWELL_PLACE_ENTRY;
	input->is_bare = true;
}

bool hook_dump_take_names(struct hook_dump *dump, const struct memory *memory, const struct hook_image *image)
{
	dump->records.place_kind = DWELL_PLACE_STRING;
	dump->memory = memory;
	return hook_image_names(memory, image, &dump->names, &dump->name_count);
}

static bool is_of(const struct hook_record *record, uint32_t type)
{
	return (record->place & HOOK_RECORD_TYPE_MASK) == type;
}

static int compare_places(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/* Whether the exit of a function directly follows the entry, by the places; calls without callees usually show such a pair. */
static bool has_leaf(const struct hook_records *records)
{
	for (size_t i = 1; i < records->count; i++)
		if (is_of(&records->list[i - 1], HOOK_RECORD_ENTRY) &&
			records->list[i].place == (records->list[i - 1].place | HOOK_RECORD_EXIT))
			return true;
	return false;
}

/* Whether any exit has the place of an entry. Also true if there are
 * no entries or no exits, or no memory: then nothing contradicts. */
static bool has_pair(const struct hook_records *records)
{
	uint32_t *entered = malloc((records->count ? records->count : 1) * sizeof *entered), place;
	size_t count = 0, left = 0;
	bool found = !entered;

	for (size_t i = 0; entered && i < records->count; i++)
		if (is_of(&records->list[i], HOOK_RECORD_ENTRY))
			entered[count++] = records->list[i].place;
	if (count)
		qsort(entered, count, sizeof *entered, compare_places);
	for (size_t i = 0; !found && i < records->count; i++) {
		if (!is_of(&records->list[i], HOOK_RECORD_EXIT))
			continue;
		left++;
		place = records->list[i].place & ~(uint32_t)HOOK_RECORD_TYPE_MASK;
		found = count && bsearch(&place, entered, count, sizeof place, compare_places);
	}
	free(entered);
	return found || !count || !left;
}

void hook_dump_guess_places(struct hook_dump *dump)
{
	if (dump->records.place_kind == DWELL_PLACE_ENTRY && !has_leaf(&dump->records) && !has_pair(&dump->records))
		dump->records.place_kind = DWELL_PLACE_WORD;
}

void hook_dump_clear(struct hook_dump *dump)
{
	hook_records_clear(&dump->records);
	free(dump->names);
}

bool hook_dump_starve(const struct hook_dump *dump)
{
	diag_add(dump->input->diag, DIAG_ERROR, source_name(dump->input->source), DIAG_NO_OFFSET, "cannot be read: out of memory");
	return false;
}

void hook_dump_rewind(void *state)
{
	struct hook_dump *dump = state;

	dump->header_written = false;
	dump->name_next = 0;
	dump->cursor = (struct hook_cursor){0};
}

/* Sends the next name that is a text. */
static bool tell_name(struct hook_dump *dump, struct message *message)
{
	while (dump->name_next < dump->name_count) {
		uint32_t address = dump->names[dump->name_next++];
		size_t got = memory_read(dump->memory, address, dump->text, sizeof dump->text);

		if (!got || !*dump->text || !memchr(dump->text, 0, got))
			continue;
		*message = (struct message){.kind = MESSAGE_STRING, .string = {.address = address, .text = dump->text}};
		return true;
	}
	return false;
}

void hook_dump_next(void *state, struct message *message)
{
	struct hook_dump *dump = state;

	if (!dump->header_written) {
		dump->header_written = true;
		*message = (struct message){
			.kind = MESSAGE_HEADER,
			.header = {.format = dump->name,
				.has_events = true,
				.clock_hz = dump->records.clock_hz,
				.clock_bits = 64,
				.clock_global = true,
				.big_endian = dump->is_big,
				.pointer_bytes = 4},
		};
		return;
	}
	if (tell_name(dump, message))
		return;
	if (hook_records_next(&dump->records, &dump->cursor, message))
		return;
	hook_records_report(&dump->records, dump->input);
	dump->say(dump);
	*message = (struct message){.kind = MESSAGE_END, .offset = dump->records.file_bytes};
}

/* ---- chunks: each stream is one ---- */

uint64_t hook_dump_chunk_count(const void *state)
{
	return ((const struct hook_dump *)state)->records.task_count;
}

struct reader_chunk hook_dump_get_chunk(const void *state, uint64_t chunk)
{
	const struct hook_records *records = &((const struct hook_dump *)state)->records;
	const struct hook_task *task = &records->tasks[chunk];

	return (struct reader_chunk){
		.first_ticks = records->slices[task->first_slice].in_ticks,
		.last_ticks = records->slices[task->last_slice].out_ticks,
		.stream = (uint32_t)chunk,
		.events = task->events,
	};
}

struct hook_decoder {
	const struct hook_records *records;
	struct hook_cursor cursor;
	bool loaded;
};

void *make_hook_decoder(const void *state)
{
	struct hook_decoder *decoder = calloc(1, sizeof *decoder);

	if (decoder)
		decoder->records = &((const struct hook_dump *)state)->records;
	return decoder;
}

bool hook_decoder_load(void *state, uint64_t chunk)
{
	struct hook_decoder *decoder = state;

	decoder->loaded = chunk < decoder->records->task_count;
	if (decoder->loaded)
		decoder->cursor = (struct hook_cursor){.is_one = true, .slice = decoder->records->tasks[chunk].first_slice};
	return decoder->loaded;
}

void hook_decoder_next(void *state, struct message *message)
{
	struct hook_decoder *decoder = state;

	if (!decoder->loaded || !hook_records_next(decoder->records, &decoder->cursor, message))
		*message = (struct message){.kind = MESSAGE_END};
}

struct reader_counts hook_decoder_get_counts(const void *state)
{
	(void)state;
	return (struct reader_counts){0}; /* the reader counted all records when it opened the file */
}
