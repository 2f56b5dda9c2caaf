/* The reader of pprof's profiles (profile.proto), packed by gzip or not: paths of names with weights, without times.
 *
 * A profile counts several things at once. Without a choice of the user, the reader takes the profile's default type, or the last
 * type, as pprof does. Samples may come before the locations that they refer to, so the reader, like pprof, keeps the whole
 * profile in memory. Code without a name is one function for each address: the profile's program may have changed since. */
#include <inttypes.h>
#include <protobuf-c/protobuf-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/pprof.pb-c.h"
#include "reader/format.h"
#include "reader/gunzip.h"
#include "reader/profiles/pprof_probe.h"
#include "reader/profiles/pprof_types.h"
#include "util/array.h"
#include "util/numbers.h"
#include "util/strings.h"

/* A few bytes can demand much memory, by empty messages or by paths that repeat.
 * FRAMES_A_BYTE and MEMORY_A_BYTE limit both, per byte of the unpacked file. */
#define FRAMES_A_BYTE 16
#define MEMORY_A_BYTE 32
#define MEMORY_LEAST (UINT64_C(4) << 20)
#define MEMORY_MOST (UINT64_C(4) << 30)

struct pprof_reader {
	struct reader_input *input;
	uint64_t source_bytes, bytes; /* of the file; unpacked */
	Pprof__Profile *profile;
	struct numbers functions, locations, mappings; /* id → index + 1 */
	struct strings places;                         /* names made for code without a name */
	uint64_t negative, placeless, valueless; /* numbers of samples that are left out: below 0; missing locations; no value */
	struct pprof_types types;
	uint64_t frames_left; /* number of frames that paths may still have: see FRAMES_A_BYTE */
	unsigned step;     /* number of messages so far, up to 2: then the samples follow */
	size_t at;         /* the next sample */
	const char **names; /* the path of the current message */
	size_t name_capacity;
};

static bool refuse(struct pprof_reader *reader, const char *why)
{
	diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), 0, "%s", why);
	return false;
}

static void count_left_out(struct pprof_reader *reader)
{
	reader->input->health->entries_left_out += reader->negative + reader->placeless + reader->valueless;
	reader->negative = reader->placeless = reader->valueless = 0;
}

static void rewind_pprof(void *state)
{
	struct pprof_reader *reader = state;

	reader->at = reader->step = 0;
	count_left_out(reader);
	reader->frames_left = FRAMES_A_BYTE * reader->bytes;
}

static void *take_memory(void *left, size_t size)
{
	uint64_t *bytes = left;

	if (size + 16 > *bytes)
		return NULL;
	*bytes -= size + 16;
	return malloc(size);
}

static void give_memory(void *left, void *pointer)
{
	(void)left;
	free(pointer);
}

/* Null: the profile is damaged, or needs more memory than the limit. */
static Pprof__Profile *unpack(const struct gunzip *file)
{
	uint64_t left = MEMORY_LEAST + MEMORY_A_BYTE * (uint64_t)file->size;
	ProtobufCAllocator budget = {take_memory, give_memory, &left};

	left = left < MEMORY_MOST ? left : MEMORY_MOST;
	return file->size ? pprof__profile__unpack(&budget, file->size, file->data) : NULL;
}

/* Fills the tables by id. False: no memory. */
static bool index_all(struct pprof_reader *reader)
{
	const Pprof__Profile *profile = reader->profile;
	uint32_t *index = &(uint32_t){0};

	if ((profile->n_function | profile->n_location | profile->n_mapping) >= UINT32_MAX)
		return false;
	for (size_t i = 0; index && i < profile->n_function; i++)
		if ((index = numbers_put(&reader->functions, profile->function[i]->id)))
			*index = (uint32_t)i + 1;
	for (size_t i = 0; index && i < profile->n_location; i++)
		if ((index = numbers_put(&reader->locations, profile->location[i]->id)))
			*index = (uint32_t)i + 1;
	for (size_t i = 0; index && i < profile->n_mapping; i++)
		if ((index = numbers_put(&reader->mappings, profile->mapping[i]->id)))
			*index = (uint32_t)i + 1;
	return index;
}

static bool open_pprof(void *state, struct reader_input *input)
{
	struct pprof_reader *reader = state;
	struct gunzip file = gunzip_source(input->source, GUNZIP_BYTES_MAX);

	reader->input = input;
	input->has_events = true;
	reader->source_bytes = file.source_bytes;
	reader->bytes = file.size;
	if (file.end == GUNZIP_WHOLE)
		reader->profile = unpack(&file);
	free(file.data);
	if (file.end == GUNZIP_STARVED)
		return refuse(reader, "cannot be read: out of memory");
	if (file.end == GUNZIP_TOO_DENSE)
		return refuse(reader, GUNZIP_TOO_DENSE_TEXT);
	if (file.end == GUNZIP_TOO_LARGE)
		return refuse(reader, "is a profile of pprof of more than 1 GiB: cannot be read");
	if (!reader->profile)
		return refuse(reader, "is a profile of pprof that ends too early, or is damaged: cannot be read");
	if (!reader->profile->n_sample_type)
		return refuse(reader, "is a profile of pprof that does not say what it counts");
	if (!index_all(reader))
		return refuse(reader, "cannot be read: out of memory");
	if (!pprof_types_find(reader->profile, input, &reader->types))
		return false;
	rewind_pprof(reader);
	return true;
}

static void close_pprof(void *state)
{
	static ProtobufCAllocator plain = {NULL, give_memory, NULL};
	struct pprof_reader *reader = state;

	pprof__profile__free_unpacked(reader->profile, &plain);
	numbers_clear(&reader->functions);
	numbers_clear(&reader->locations);
	numbers_clear(&reader->mappings);
	strings_clear(&reader->places);
	free(reader->names);
}

/* Returns a name for code without one: "0x401136 (app)". Null: no memory. */
static const char *get_place_name(struct pprof_reader *reader, const Pprof__Location *location)
{
	uint32_t mapping = numbers_get(&reader->mappings, location->mapping_id), number;
	const char *path = pprof_get_text(reader->profile, mapping ? reader->profile->mapping[mapping - 1]->filename : -1);
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	char name[4200];
	bool is_new;

	snprintf(name, sizeof name, *file ? "0x%" PRIx64 " (%.4096s)" : "0x%" PRIx64, location->address, file);
	number = strings_intern(&reader->places, name, &is_new);
	return number == STRINGS_NONE ? NULL : reader->places.texts[number];
}

static const char *get_name(struct pprof_reader *reader, const Pprof__Location *location, size_t line)
{
	uint32_t at = line < location->n_line ? numbers_get(&reader->functions, location->line[line]->function_id) : 0;
	const Pprof__Function *function = at ? reader->profile->function[at - 1] : NULL;
	const char *name;

	if (!function)
		return get_place_name(reader, location);
	name = pprof_get_text(reader->profile, function->name ? function->name : function->system_name);
	return *name ? name : "?";
}

/* The path of a sample without locations, such as Go's runtime writes for threads that no Go code started. False: no memory. */
static bool take_no_stack(struct pprof_reader *reader, uint32_t *depth)
{
	if (!array_reserve(&reader->names, &reader->name_capacity, 1, sizeof *reader->names))
		return false;
	reader->names[0] = "(no stack)";
	*depth = 1;
	return true;
}

/* Collects the sample's path, outermost first. False: locations are missing, the path is too long, or there is no memory. */
static bool take_path(struct pprof_reader *reader, const Pprof__Sample *sample, uint32_t *depth)
{
	if (!sample->n_location_id)
		return take_no_stack(reader, depth);
	*depth = 0;
	for (size_t i = sample->n_location_id; i--;) {
		uint32_t at = numbers_get(&reader->locations, sample->location_id[i]);
		const Pprof__Location *location = at ? reader->profile->location[at - 1] : NULL;
		size_t count = location && location->n_line ? location->n_line : 1;

		if (!location || count > reader->frames_left ||
			!array_reserve(&reader->names, &reader->name_capacity, *depth + count, sizeof *reader->names))
			return false;
		reader->frames_left -= count;
		for (size_t line = count; line--;) {
			reader->names[*depth] = get_name(reader, location, line);
			if (!reader->names[(*depth)++])
				return false;
		}
	}
	return *depth;
}

/* Returns whether the sample counts; then fills weight. */
static bool take_sample(struct pprof_reader *reader, const Pprof__Sample *sample, struct message_weight *weight)
{
	int64_t value;
	uint32_t depth;

	if (reader->types.index >= sample->n_value) {
		reader->valueless++;
		return false;
	}
	value = sample->value[reader->types.index];
	if (!value)
		return false;
	if (value < 0) {
		reader->negative++;
		return false;
	}
	if (!take_path(reader, sample, &depth)) {
		reader->placeless++;
		return false;
	}
	*weight = (struct message_weight){.names = reader->names, .depth = depth};
	if (__builtin_mul_overflow((uint64_t)value, reader->types.factor, &weight->weight))
		weight->weight = UINT64_MAX;
	return true;
}

static void report_count(struct pprof_reader *reader, uint64_t count, const char *what)
{
	if (count)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET, "%s: %" PRIu64, what, count);
}

static void finish(struct pprof_reader *reader)
{
	report_count(reader, reader->negative, "samples below 0, as of a difference of profiles, that are left out");
	report_count(reader, reader->placeless, "samples without a place in code that is known, or more than there may be, that are left out");
	report_count(reader, reader->valueless, "samples without a value of the type that is shown, that are left out");
	count_left_out(reader);
	reader->input->health->bytes_total = reader->source_bytes;
	reader->input->health->ended_well = true;
}

static void next_pprof(void *state, struct message *message)
{
	struct pprof_reader *reader = state;

	switch (reader->step++) {
	case 0:
		*message = (struct message){
			.kind = MESSAGE_HEADER,
			.header = {.format = "a profile of pprof", .has_weights = true, .unit = reader->types.unit, .counted = reader->types.counted}};
		return;
	case 1:
		*message = (struct message){.kind = MESSAGE_INFO, .info = {.key = "counts", .value = reader->types.list}};
		return;
	}
	reader->step = 2;
	*message = (struct message){.kind = MESSAGE_WEIGHT};
	while (reader->at < reader->profile->n_sample)
		if (take_sample(reader, reader->profile->sample[reader->at++], &message->weight))
			return;
	finish(reader);
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->source_bytes};
}

const struct reader_format reader_pprof = {
	.name = "profile of pprof",
	.probe = pprof_probe,
	.state_bytes = sizeof(struct pprof_reader),
	.open = open_pprof,
	.close = close_pprof,
	.next = next_pprof,
	.rewind = rewind_pprof,
};
