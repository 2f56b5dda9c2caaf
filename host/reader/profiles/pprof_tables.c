#include "reader/profiles/pprof_tables.h"

#include <inttypes.h>
#include <protobuf-c/protobuf-c.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/pprof.pb-c.h"
#include "util/array.h"

/* Fields of a profile. */
enum { SAMPLE_TYPE = 1, MAPPING = 3, LOCATION = 4, FUNCTION = 5, STRING = 6, DEFAULT_SAMPLE_TYPE = 14 };
/* How a field is written. */
enum { VARINT = 0, FIXED_64 = 1, BYTES = 2, FIXED_32 = 5 };

static bool get_varint(struct bytes message, size_t *at, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 70 && *at < message.size; shift += 7) {
		uint8_t byte = message.data[(*at)++];

		if (shift < 64)
			*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* A profile of any size is taken field by field; what is in a field is protobuf-c's. */
bool pprof_next_field(struct bytes message, size_t *at, struct pprof_field *field, bool *cut)
{
	uint64_t key, size;
	bool good;

	if (*at >= message.size)
		return false;
	*cut = true;
	if (!get_varint(message, at, &key) || key >> 3 == 0 || key >> 3 > UINT32_MAX)
		return false;
	*field = (struct pprof_field){.number = (uint32_t)(key >> 3), .is_bytes = (key & 7) == BYTES};
	if ((key & 7) == VARINT) {
		good = get_varint(message, at, &field->value);
	} else {
		size = (key & 7) == FIXED_64 ? 8 : (key & 7) == FIXED_32 ? 4 : 0;
		good = size || (field->is_bytes && get_varint(message, at, &size));
		good = good && bytes_have(message, *at, size);
		if (good)
			field->bytes = bytes_part(message, *at, size);
		*at += good ? size : 0;
	}
	*cut = !good;
	return good;
}

static struct pprof_row *add_row(struct pprof_list *list, uint64_t id)
{
	if (!array_reserve(&list->rows, &list->capacity, list->count + 1, sizeof *list->rows))
		return NULL;
	list->rows[list->count] = (struct pprof_row){.id = id};
	return &list->rows[list->count++];
}

/* Each of these: false when there is no memory for what was read. *good: it could be read. */
static bool take_type(struct pprof_tables *tables, struct bytes bytes, bool *good)
{
	Pprof__ValueType *type = pprof__value_type__unpack(NULL, bytes.size, bytes.data);
	bool has_room = array_reserve(&tables->types, &tables->type_capacity, tables->type_count + 1, sizeof *tables->types);

	*good = type;
	if (type && has_room)
		tables->types[tables->type_count++] = (struct pprof_type){type->type, type->unit};
	pprof__value_type__free_unpacked(type, NULL);
	return has_room;
}

static bool take_mapping(struct pprof_tables *tables, struct bytes bytes, bool *good)
{
	Pprof__Mapping *mapping = pprof__mapping__unpack(NULL, bytes.size, bytes.data);
	struct pprof_row *row = mapping ? add_row(&tables->mappings, mapping->id) : NULL;

	*good = mapping;
	if (row)
		row->value = (uint64_t)mapping->filename;
	if (mapping)
		pprof__mapping__free_unpacked(mapping, NULL);
	return row || !*good;
}

static bool take_function(struct pprof_tables *tables, struct bytes bytes, bool *good)
{
	Pprof__Function *function = pprof__function__unpack(NULL, bytes.size, bytes.data);
	struct pprof_row *row = function ? add_row(&tables->functions, function->id) : NULL;

	*good = function;
	if (row)
		row->value = (uint64_t)(function->name ? function->name : function->system_name);
	if (function)
		pprof__function__free_unpacked(function, NULL);
	return row || !*good;
}

static bool take_lines(struct pprof_tables *tables, const Pprof__Location *location)
{
	struct pprof_row *row = add_row(&tables->locations, location->id);

	if (!row || location->n_line > UINT32_MAX ||
		!array_reserve(&tables->lines, &tables->line_capacity, tables->line_count + location->n_line, sizeof *tables->lines) ||
		!array_reserve(&tables->places, &tables->place_capacity, tables->place_count + 1, sizeof *tables->places))
		return false;
	row->lines = tables->line_count;
	row->line_count = (uint32_t)location->n_line;
	row->value = tables->place_count;
	tables->places[tables->place_count++] = (struct pprof_place){location->mapping_id, location->address};
	for (size_t i = 0; i < location->n_line; i++)
		tables->lines[tables->line_count++] = location->line[i]->function_id;
	return true;
}

static bool take_location(struct pprof_tables *tables, struct bytes bytes, bool *good)
{
	Pprof__Location *location = pprof__location__unpack(NULL, bytes.size, bytes.data);
	bool has_room = !location || take_lines(tables, location);

	*good = location;
	if (location)
		pprof__location__free_unpacked(location, NULL);
	return has_room;
}

static bool take_text(struct pprof_tables *tables, struct bytes bytes)
{
	if (!array_reserve(&tables->texts, &tables->text_capacity, tables->text_count + 1, sizeof *tables->texts))
		return false;
	tables->texts[tables->text_count++] = bytes;
	return true;
}

static bool take_field(struct pprof_tables *tables, const struct pprof_field *field, bool *good)
{
	*good = true;
	if (!field->is_bytes) {
		if (field->number == DEFAULT_SAMPLE_TYPE)
			tables->default_type = (int64_t)field->value;
		return true;
	}
	if (field->number != STRING && field->bytes.size > PPROF_MESSAGE_BYTES_MAX) {
		*good = false;
		return true;
	}
	switch (field->number) {
	case SAMPLE_TYPE:
		return take_type(tables, field->bytes, good);
	case MAPPING:
		return take_mapping(tables, field->bytes, good);
	case LOCATION:
		return take_location(tables, field->bytes, good);
	case FUNCTION:
		return take_function(tables, field->bytes, good);
	case STRING:
		return take_text(tables, field->bytes);
	default:
		return true;
	}
}

static int by_id(const void *a, const void *b)
{
	const struct pprof_row *left = a, *right = b;

	return left->id < right->id ? -1 : left->id > right->id;
}

static void sort(struct pprof_list *list)
{
	if (list->count)
		qsort(list->rows, list->count, sizeof *list->rows, by_id);
}

bool pprof_tables_read(struct pprof_tables *tables, struct bytes profile, uint64_t *damaged, bool *cut)
{
	struct pprof_field field;
	size_t at = 0;
	bool good;

	while (pprof_next_field(profile, &at, &field, cut)) {
		if (!take_field(tables, &field, &good))
			return false;
		*damaged += !good;
	}
	sort(&tables->functions);
	sort(&tables->locations);
	sort(&tables->mappings);
	return true;
}

static void clear_list(struct pprof_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->rows[i].name);
	free(list->rows);
}

void pprof_tables_clear(struct pprof_tables *tables)
{
	clear_list(&tables->functions);
	clear_list(&tables->locations);
	clear_list(&tables->mappings);
	free(tables->lines);
	free(tables->places);
	free(tables->texts);
	free(tables->types);
	*tables = (struct pprof_tables){0};
}

struct bytes pprof_get_text(const struct pprof_tables *tables, int64_t index)
{
	return index >= 0 && (uint64_t)index < tables->text_count ? tables->texts[index] : (struct bytes){0};
}

static struct pprof_row *find(const struct pprof_list *list, uint64_t id)
{
	const struct pprof_row wanted = {.id = id};

	return list->count ? bsearch(&wanted, list->rows, list->count, sizeof *list->rows, by_id) : NULL;
}

const struct pprof_row *pprof_find_location(const struct pprof_tables *tables, uint64_t id)
{
	return find(&tables->locations, id);
}

/* Of code that nobody named: "0x401136 (app)". */
static char *make_place_name(const struct pprof_tables *tables, const struct pprof_place *place)
{
	const struct pprof_row *mapping = find(&tables->mappings, place->mapping);
	struct bytes file = pprof_get_text(tables, mapping ? (int64_t)mapping->value : -1);
	const uint8_t *slash = file.size ? memrchr(file.data, '/', file.size) : NULL;
	char *name;

	if (slash) {
		file.size -= (size_t)(slash + 1 - file.data);
		file.data = slash + 1;
	}
	if (file.size > 4096)
		file.size = 4096;
	return asprintf(&name, file.size ? "0x%" PRIx64 " (%.*s)" : "0x%" PRIx64, place->address, (int)file.size,
		       file.size ? (const char *)file.data : "") < 0
		       ? NULL
		       : name;
}

/* Whether there is one; names are kept. */
static const char *get_function_name(const struct pprof_tables *tables, struct pprof_row *function)
{
	struct bytes text = pprof_get_text(tables, (int64_t)function->value);

	if (!function->name && text.size)
		function->name = strndup((const char *)text.data, text.size);
	else if (!function->name)
		function->name = strdup("?");
	return function->name;
}

const char *pprof_get_name(struct pprof_tables *tables, const struct pprof_row *location, uint32_t line)
{
	struct pprof_row *row = (struct pprof_row *)location; /* which is one of ours */
	struct pprof_row *function = line < row->line_count ? find(&tables->functions, tables->lines[row->lines + line]) : NULL;

	if (function)
		return get_function_name(tables, function);
	if (!row->name)
		row->name = make_place_name(tables, &tables->places[row->value]);
	return row->name;
}
