/* The reader of pprof's profiles (profile.proto), packed by gzip or not. Sums without times: paths of names with a weight.
 *
 * A profile counts several things at once. What is read is the one that it says is to be shown first, else its last, as pprof does;
 * which there are, `dwell info` tells. What the samples point to may stand behind them, so all of it is in memory, as pprof has it, too.
 * Code that nobody named is a function for each address: the profile's own program may be another one by now. */
#include <inttypes.h>
#include <protobuf-c/protobuf-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/pprof.pb-c.h"
#include "reader/format.h"
#include "reader/gunzip.h"
#include "reader/profiles/pprof_tables.h"
#include "util/array.h"

#define FIELD_SAMPLE 2
#define UNIT_BYTES 32
#define LIST_BYTES 512
#define FRAMES_A_BYTE 16

struct pprof_reader {
	struct reader_input *input;
	struct gunzip file;
	struct pprof_tables tables;
	bool cut;
	uint64_t damaged, negative, homeless; /* messages; samples below 0, samples whose places are missing */
	size_t type;       /* which is read */
	uint64_t factor;   /* its unit in ours */
	uint64_t frames_left; /* few bytes can name many, again and again: so many may be read */
	char unit[UNIT_BYTES];
	char list[LIST_BYTES]; /* of all types */
	unsigned told;     /* messages so far in front of the samples */
	size_t at;
	const char **names;
	size_t name_capacity;
};

/* Fields of a profile come in the order of their numbers, from all that write them: so it begins with what values are. */
static bool probe(struct bytes start, bool whole)
{
	uint8_t head[64];
	struct bytes bytes = {head, gunzip_start(start, head, sizeof head)};
	struct pprof_field field, inner;
	size_t at = 0, inner_at = 0;
	bool cut = false, has_type = false;

	(void)whole;
	if (!pprof_next_field(bytes, &at, &field, &cut) || field.number != 1 || !field.is_bytes || !field.bytes.size)
		return false;
	while (pprof_next_field(field.bytes, &inner_at, &inner, &cut)) {
		if (inner.number > 2 || inner.is_bytes)
			return false;
		has_type = true;
	}
	return has_type && !cut;
}

static bool text_is(struct bytes text, const char *wanted)
{
	return text.size == strlen(wanted) && !memcmp(text.data, wanted, text.size);
}

/* A text of the file, as far as it fits, without what is not plain. */
static void copy_text(char *to, size_t size, struct bytes text)
{
	size_t used = 0;

	for (size_t i = 0; i < text.size && used + 1 < size; i++)
		if (text.data[i] >= ' ' && text.data[i] < 0x7f)
			to[used++] = (char)text.data[i];
	to[used] = 0;
}

/* The type that counts, and its unit. */
static void choose_type(struct pprof_reader *reader)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} times[] = {{"nanoseconds", 1}, {"ns", 1}, {"microseconds", 1000}, {"us", 1000}, {"milliseconds", 1000000}, {"ms", 1000000},
		{"seconds", 1000000000}, {"s", 1000000000}};
	const struct pprof_tables *tables = &reader->tables;
	char name[UNIT_BYTES], unit[UNIT_BYTES];
	size_t used = 0;

	reader->type = tables->type_count - 1;
	for (size_t i = 0; i < tables->type_count; i++) {
		if (tables->default_type && tables->types[i].type == tables->default_type)
			reader->type = i;
		copy_text(name, sizeof name, pprof_get_text(tables, tables->types[i].type));
		copy_text(unit, sizeof unit, pprof_get_text(tables, tables->types[i].unit));
		if (used < LIST_BYTES)
			used += (size_t)snprintf(reader->list + used, LIST_BYTES - used, "%s%s/%s", i ? ", " : "", name, unit);
	}
	copy_text(name, sizeof name, pprof_get_text(tables, tables->types[reader->type].type));
	copy_text(unit, sizeof unit, pprof_get_text(tables, tables->types[reader->type].unit));
	reader->factor = 1;
	snprintf(reader->unit, sizeof reader->unit, "%s", !strcmp(unit, "count") || !*unit ? name : unit);
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (text_is(pprof_get_text(tables, tables->types[reader->type].unit), times[i].unit)) {
			reader->factor = times[i].ns;
			strcpy(reader->unit, "ns");
		}
}

static bool refuse(struct pprof_reader *reader, const char *why)
{
	diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), 0, "%s", why);
	return false;
}

static void rewind_pprof(void *state)
{
	struct pprof_reader *reader = state;

	reader->at = reader->told = 0;
	reader->negative = reader->homeless = 0;
	reader->frames_left = FRAMES_A_BYTE * (uint64_t)reader->file.size;
}

static bool open_pprof(void *state, struct reader_input *input)
{
	struct pprof_reader *reader = state;

	reader->input = input;
	reader->file = gunzip_source(input->source, GUNZIP_BYTES_MAX);
	if (reader->file.end == GUNZIP_STARVED)
		return refuse(reader, "cannot be read: out of memory");
	if (reader->file.end == GUNZIP_TOO_DENSE)
		return refuse(reader, GUNZIP_TOO_DENSE_TEXT);
	if (reader->file.end == GUNZIP_TOO_LARGE)
		return refuse(reader, "is a profile of pprof of more than 1 GiB: cannot be read");
	if (!pprof_tables_read(&reader->tables, (struct bytes){reader->file.data, reader->file.size}, &reader->damaged, &reader->cut))
		return refuse(reader, "cannot be read: out of memory");
	reader->cut |= reader->file.end == GUNZIP_CUT;
	if (!reader->tables.type_count)
		return refuse(reader, "is a profile of pprof that does not say what it counts");
	choose_type(reader);
	rewind_pprof(reader);
	return true;
}

static void close_pprof(void *state)
{
	struct pprof_reader *reader = state;

	pprof_tables_clear(&reader->tables);
	free(reader->file.data);
	free(reader->names);
}

/* The sample's path, outermost first. False: places are missing, or there is no memory. */
static bool take_path(struct pprof_reader *reader, const Pprof__Sample *sample, uint32_t *depth)
{
	*depth = 0;
	for (size_t i = sample->n_location_id; i--;) {
		const struct pprof_row *location = pprof_find_location(&reader->tables, sample->location_id[i]);
		uint32_t count = location && location->line_count ? location->line_count : 1;

		if (!location || count > reader->frames_left ||
			!array_reserve(&reader->names, &reader->name_capacity, *depth + (size_t)count, sizeof *reader->names))
			return false;
		reader->frames_left -= count;
		for (uint32_t line = count; line--;) {
			reader->names[*depth] = pprof_get_name(&reader->tables, location, line);
			if (!reader->names[(*depth)++])
				return false;
		}
	}
	return *depth;
}

/* Whether the sample counts. */
static bool take_sample(struct pprof_reader *reader, const Pprof__Sample *sample, struct message_weight *weight)
{
	int64_t value = reader->type < sample->n_value ? sample->value[reader->type] : 0;
	uint32_t depth;

	if (!value)
		return false;
	if (value < 0) {
		reader->negative++;
		return false;
	}
	if (!take_path(reader, sample, &depth)) {
		reader->homeless++;
		return false;
	}
	*weight = (struct message_weight){.names = reader->names, .depth = depth};
	if (__builtin_mul_overflow((uint64_t)value, reader->factor, &weight->weight))
		weight->weight = UINT64_MAX;
	return true;
}

static bool next_weight(struct pprof_reader *reader, struct message *message)
{
	struct bytes file = {reader->file.data, reader->file.size};
	struct pprof_field field;
	bool cut, counts;

	while (pprof_next_field(file, &reader->at, &field, &cut)) {
		Pprof__Sample *sample = NULL;

		if (field.number != FIELD_SAMPLE || !field.is_bytes)
			continue;
		if (field.bytes.size <= PPROF_MESSAGE_BYTES_MAX)
			sample = pprof__sample__unpack(NULL, field.bytes.size, field.bytes.data);
		*message = (struct message){.kind = MESSAGE_WEIGHT};
		counts = sample && take_sample(reader, sample, &message->weight);
		reader->damaged += !sample;
		if (sample)
			pprof__sample__free_unpacked(sample, NULL);
		if (counts)
			return true;
	}
	return false;
}

static void say(struct pprof_reader *reader, uint64_t count, const char *what)
{
	if (count)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET, "%s: %" PRIu64, what, count);
}

static void finish(struct pprof_reader *reader)
{
	struct reader_health *health = reader->input->health;

	say(reader, reader->damaged, "messages that cannot be read, and are left out");
	say(reader, reader->negative, "samples below 0, as of a difference of profiles, that are left out");
	say(reader, reader->homeless, "samples without a place in code that is known, or more than there may be, that are left out");
	if (reader->cut)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET,
			"ends too early, or is damaged: what comes behind that is missing");
	reader->damaged = reader->negative = reader->homeless = 0;
	health->bytes_total = reader->file.source_bytes;
	health->ended_well = !reader->cut;
	health->cut = reader->cut;
}

static void next_pprof(void *state, struct message *message)
{
	struct pprof_reader *reader = state;

	switch (reader->told++) {
	case 0:
		*message = (struct message){
			.kind = MESSAGE_HEADER, .header = {.format = "a profile of pprof", .has_weights = true, .unit = reader->unit}};
		return;
	case 1:
		*message = (struct message){.kind = MESSAGE_INFO, .info = {.key = "counts", .value = reader->list}};
		return;
	}
	reader->told = 2;
	if (next_weight(reader, message))
		return;
	finish(reader);
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->file.source_bytes};
}

const struct reader_format reader_pprof = {
	.name = "profile of pprof",
	.probe = probe,
	.state_bytes = sizeof(struct pprof_reader),
	.open = open_pprof,
	.close = close_pprof,
	.next = next_pprof,
	.rewind = rewind_pprof,
};
