/* perf_head: decodes a perf.data's header and features. */
#include "reader/perf/head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "util/array.h"

#define HEAD_BYTES 104u
#define STREAM_HEAD_BYTES 16u
#define FLAGS 72u /* offset of 256 bits, one for each feature that the file may have */
#define FEATURE_BYTES_MAX (16u << 20)
#define FILES_MAX (1u << 16)
#define BUILD_ID_AT 12u
#define BUILD_ID_PATH_AT 36u
#define BUILD_ID_HAS_SIZE (1u << 15)

enum { FEATURE_BUILD_ID = 2, FEATURE_HOST = 3, FEATURE_SYSTEM = 4, FEATURE_VERSION = 5, FEATURE_MACHINE = 6, FEATURE_COMMAND = 11,
	FEATURE_EVENTS = 12, FEATURE_FOLDER = 24, FEATURES = 256 };

static const char starved[] = "cannot be read: out of memory";

/* ---- features ---- */

/* Reads a text: "u32 bytes, then so many bytes, padded with zeros". Appends the text to
 * *text, after a blank, and moves *at behind it. False: the data ends, or no memory. */
static bool take_text(struct bytes data, size_t *at, char **text)
{
	uint32_t bytes = bytes_have(data, *at, 4) ? get_u32(data.data + *at) : 0;
	size_t had = *text ? strlen(*text) + 1 : 0, length;
	char *grown;

	if (!bytes_have(data, *at, 4) || !bytes_have(data, *at + 4, bytes))
		return false;
	length = strnlen((const char *)data.data + *at + 4, bytes);
	grown = realloc(*text, had + length + 1);
	if (!grown)
		return false;
	if (had)
		grown[had - 1] = ' ';
	memcpy(grown + had, data.data + *at + 4, length);
	grown[had + length] = 0;
	*text = grown;
	*at += 4 + (size_t)bytes;
	return true;
}

static void add_fact(struct perf_head *head, const char *key, struct bytes data, bool is_list)
{
	uint32_t count = is_list && bytes_have(data, 0, 4) ? get_u32(data.data) : !is_list;
	size_t at = is_list ? 4 : 0;
	char *text = NULL;

	for (uint32_t i = 0; i < count && take_text(data, &at, &text); i++)
		;
	for (char *c = text; c && *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	if (text && head->fact_count < PERF_FACTS_MAX) {
		head->facts[head->fact_count].key = key;
		head->facts[head->fact_count++].value = text;
	} else {
		free(text);
	}
}

static void note_machine(struct perf_head *head, struct bytes data)
{
	const struct cpu *cpu;
	char *text = NULL;
	size_t at = 0;

	if (take_text(data, &at, &text))
		head->pointer_bytes = strstr(text, "64") || !strcmp(text, "s390x") ? 8 : 4;
	cpu = text ? cpu_find_system_name(text) : NULL;
	if (text)
		head->machine = cpu ? cpu->elf_machine : 0;
	free(text);
}

/* Reads the events' names. Data: number of events, bytes of attributes;
 * then for each event attributes, number of ids, name, ids. */
static void name_events(struct perf_head *head, struct bytes data)
{
	uint32_t count = bytes_have(data, 0, 8) ? get_u32(data.data) : 0, attr_bytes = count ? get_u32(data.data + 4) : 0, ids;
	size_t at = 8;

	for (uint32_t i = 0; i < count && i < head->layout.count; i++) {
		char *name = NULL;

		if (!bytes_have(data, at, (uint64_t)attr_bytes + 4))
			return;
		at += attr_bytes;
		ids = get_u32(data.data + at);
		at += 4;
		if (take_text(data, &at, &name))
			snprintf(head->layout.events[i].name, sizeof head->layout.events[i].name, "%s", name);
		free(name);
		if (!bytes_have(data, at, 8 * (uint64_t)ids))
			return;
		at += 8 * (size_t)ids;
	}
}

/* Adds a build-id. An entry has the form of a record: u32 type, u16 flags, u16
 * size, i32 process, 20 bytes of id, number of valid bytes, path of the file. */
static const char *take_build_id(struct perf_head *head, struct bytes entry)
{
	uint32_t flags = get_u16(entry.data + 4), bytes = 20;
	struct bytes path = bytes_part(entry, BUILD_ID_PATH_AT, entry.size - BUILD_ID_PATH_AT);
	struct perf_build_id *row;

	if (head->build_id_count >= FILES_MAX)
		return NULL;
	if (!array_reserve(&head->build_ids, &head->build_id_capacity, head->build_id_count + 1, sizeof *head->build_ids))
		return starved;
	if (flags & BUILD_ID_HAS_SIZE)
		bytes = entry.data[BUILD_ID_AT + 20] < 20 ? entry.data[BUILD_ID_AT + 20] : 20;
	row = &head->build_ids[head->build_id_count];
	*row = (struct perf_build_id){.path = strndup((const char *)path.data, path.size), .bytes = bytes};
	if (!row->path)
		return starved;
	memcpy(row->id, entry.data + BUILD_ID_AT, bytes);
	head->build_id_count++;
	return NULL;
}

static const char *take_build_ids(struct perf_head *head, struct bytes data)
{
	for (size_t at = 0, size; bytes_have(data, at, BUILD_ID_PATH_AT + 1); at += size) {
		const char *problem;

		size = get_u16(data.data + at + 6);
		if (size <= BUILD_ID_PATH_AT || !bytes_have(data, at, size))
			return "has a build-id that ends behind its list";
		problem = take_build_id(head, (struct bytes){data.data + at, size});
		if (problem)
			return problem;
	}
	return NULL;
}

static const char *take_feature(struct perf_head *head, uint64_t feature, struct bytes data)
{
	switch (feature) {
	case FEATURE_BUILD_ID:
		return take_build_ids(head, data);
	case FEATURE_HOST:
		add_fact(head, "host", data, false);
		break;
	case FEATURE_SYSTEM:
		add_fact(head, "kernel", data, false);
		break;
	case FEATURE_VERSION:
		add_fact(head, "perf", data, false);
		break;
	case FEATURE_MACHINE:
		note_machine(head, data);
		break;
	case FEATURE_COMMAND:
		add_fact(head, "command", data, true);
		break;
	case FEATURE_EVENTS:
		name_events(head, data);
		break;
	}
	return NULL;
}

const char *perf_head_take_feature(struct perf_head *head, struct bytes record)
{
	if (record.size < PERF_HEAD_BYTES + 8)
		return "is shorter than its fixed part";
	return take_feature(head, get_u64(record.data + 8), bytes_part(record, 16, record.size - 16));
}

const char *perf_head_take_build_id(struct perf_head *head, struct bytes record)
{
	return record.size <= BUILD_ID_PATH_AT ? "is shorter than its fixed part" : take_build_id(head, record);
}

const char *perf_head_take_event(struct perf_head *head, struct bytes record)
{
	struct bytes attr = bytes_part(record, PERF_HEAD_BYTES, record.size - PERF_HEAD_BYTES);
	uint32_t size = attr.size >= PERF_ATTR_BYTES_MIN ? get_u32(attr.data + 4) : 0;

	if (size < PERF_ATTR_BYTES_MIN || size > attr.size)
		return "has attributes of an event that end behind it";
	if (!perf_layout_add_event(&head->layout, attr))
		return starved;
	for (size_t at = size; bytes_have(attr, at, 8); at += 8)
		if (!perf_layout_add_id(&head->layout, get_u64(attr.data + at), (uint32_t)head->layout.count - 1))
			return starved;
	return NULL;
}

/* ---- the file's own head ---- */

/* Reads a part of the file into new memory. Null: the part is empty, too large or not all in the file, or there is no memory. */
static uint8_t *make_part(struct source *source, uint64_t offset, uint64_t bytes, uint64_t limit)
{
	uint8_t *data;

	if (!bytes || bytes > limit || offset > source_size(source) || bytes > source_size(source) - offset)
		return NULL;
	data = malloc(bytes);
	if (data && source_read_at(source, offset, data, bytes) != bytes) {
		free(data);
		return NULL;
	}
	return data;
}

static const char *read_ids(struct perf_head *head, struct source *source, uint64_t offset, uint64_t bytes)
{
	uint8_t *data = make_part(source, offset, bytes, (uint64_t)PERF_IDS_MAX * 8);
	bool good = true;

	for (uint64_t at = 0; data && good && at + 8 <= bytes; at += 8)
		good = perf_layout_add_id(&head->layout, get_u64(data + at), (uint32_t)head->layout.count - 1);
	free(data);
	return good ? NULL : starved;
}

/* Adds the events. The file has attributes of `each` bytes; the last 16 of them are the place of the event's ids. */
static const char *read_events(struct perf_head *head, struct source *source, const uint8_t *file)
{
	uint64_t each = get_u64(file + 16), offset = get_u64(file + 24), bytes = get_u64(file + 32);
	uint8_t *data = make_part(source, offset, bytes, FEATURE_BYTES_MAX);
	const char *problem = data ? NULL : "does not tell its events: they are not all there";

	if (each < PERF_ATTR_BYTES_MIN + 16)
		problem = "has attributes of events that are shorter than their first version";
	for (uint64_t at = 0; !problem && bytes - at >= each; at += each) {
		const uint8_t *ids = data + at + each - 16;

		if (!perf_layout_add_event(&head->layout, (struct bytes){data + at, (size_t)each - 16}))
			problem = starved;
		else
			problem = read_ids(head, source, get_u64(ids), get_u64(ids + 8));
	}
	free(data);
	return problem;
}

static bool has_feature(const uint8_t *file, uint32_t feature)
{
	return file[FLAGS + feature / 8] >> feature % 8 & 1;
}

/* Reads the features. A table behind the records has an offset and a size for each feature whose bit is set. */
static const char *read_features(struct perf_head *head, struct source *source, const uint8_t *file)
{
	const char *problem = NULL;
	uint8_t place[16];
	uint64_t at = head->end;

	for (uint32_t i = 0; i < FEATURES && !problem; i++) {
		uint8_t *data;

		if (!has_feature(file, i))
			continue;
		if (source_read_at(source, at, place, sizeof place) < sizeof place) {
			head->lacks_features = true;
			break;
		}
		at += sizeof place;
		data = make_part(source, get_u64(place), get_u64(place + 8), FEATURE_BYTES_MAX);
		if (data)
			problem = take_feature(head, i, (struct bytes){data, (size_t)get_u64(place + 8)});
		head->lacks_features |= !data && get_u64(place + 8);
		free(data);
	}
	return problem;
}

const char *perf_head_read(struct perf_head *head, struct source *source)
{
	uint8_t file[HEAD_BYTES];
	const char *problem;
	uint64_t bytes;

	if (source_read(source, file, STREAM_HEAD_BYTES) < STREAM_HEAD_BYTES)
		return "ends within its header";
	if (!memcmp(file, PERF_MAGIC_SWAPPED, 8))
		return "is of a machine with another byte order: only 'perf script' there can read it";
	head->is_stream = get_u64(file + 8) == STREAM_HEAD_BYTES;
	head->begin = STREAM_HEAD_BYTES;
	head->end = UINT64_MAX;
	if (head->is_stream)
		return NULL;
	if (source_read(source, file + STREAM_HEAD_BYTES, HEAD_BYTES - STREAM_HEAD_BYTES) < HEAD_BYTES - STREAM_HEAD_BYTES)
		return "ends within its header";
	if (has_feature(file, FEATURE_FOLDER))
		return "is one file of a folder (perf record --threads), and its samples are in the others: record without --threads, "
		       "or fold the output of 'perf script -i FOLDER'";
	head->begin = get_u64(file + 40);
	bytes = get_u64(file + 48);
	if (head->begin < HEAD_BYTES || head->begin > source_size(source))
		return "has its records outside of it";
	/* Size 0: perf was killed. The records are there nevertheless. */
	head->end = bytes && bytes <= UINT64_MAX - head->begin ? head->begin + bytes : source_size(source);
	problem = read_events(head, source, file);
	if (!problem && bytes)
		problem = read_features(head, source, file);
	return problem ? problem : source_skip(source, head->begin - HEAD_BYTES) ? NULL : "ends in front of its records";
}

const struct perf_build_id *perf_head_find_build_id(const struct perf_head *head, const char *path)
{
	for (size_t i = 0; i < head->build_id_count; i++)
		if (!strcmp(head->build_ids[i].path, path))
			return &head->build_ids[i];
	return NULL;
}

void perf_head_clear(struct perf_head *head)
{
	perf_layout_clear(&head->layout);
	for (size_t i = 0; i < head->build_id_count; i++)
		free(head->build_ids[i].path);
	for (uint32_t i = 0; i < head->fact_count; i++)
		free(head->facts[i].value);
	free(head->build_ids);
	*head = (struct perf_head){0};
}
