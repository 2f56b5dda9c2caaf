/* inlines: see inlines.h. */
#include "model/function/inlines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/function/module.h"
#include "model/index.h"
#include "symbol/debug/inline.h"
#include "util/array.h"

struct inlines {
	struct functions *functions;
	struct diag *diag;
	struct inline_table **tables; /* by number of the file; null: not opened yet */
	size_t table_count, table_capacity;
	struct inlines_place {
		uint64_t address; /* link-time */
		uint32_t file;
		uint32_t count;
		size_t first; /* in ids */
	} *places;
	size_t place_count, place_capacity;
	struct index index; /* (file, address) → position in places */
	uint32_t *ids;
	size_t id_count, id_capacity;
};

struct inlines *make_inlines(struct functions *functions, struct diag *diag)
{
	struct inlines *inlines = calloc(1, sizeof *inlines);

	if (inlines)
		*inlines = (struct inlines){.functions = functions, .diag = diag};
	return inlines;
}

void free_inlines(struct inlines *inlines)
{
	if (!inlines)
		return;
	for (size_t i = 0; i < inlines->table_count; i++)
		free_inline_table(inlines->tables[i]);
	free(inlines->tables);
	free(inlines->places);
	free(inlines->ids);
	index_clear(&inlines->index);
	free(inlines);
}

static struct inline_table *get_table(struct inlines *inlines, uint32_t file)
{
	struct modules *modules = functions_get_modules(inlines->functions);
	size_t count = inlines->table_count;
	struct symbol_want want = {0};
	uint32_t build_id_bytes;

	if (file >= count) {
		if (!array_reserve(&inlines->tables, &inlines->table_capacity, (size_t)file + 1, sizeof *inlines->tables))
			return NULL;
		memset(inlines->tables + count, 0, ((size_t)file + 1 - count) * sizeof *inlines->tables);
		inlines->table_count = (size_t)file + 1;
	}
	if (!inlines->tables[file]) {
		modules_get_symbols(modules, file); /* what is wrong with the file is said by who reads names from it */
		want.build_id = modules_get_build_id(modules, file, &build_id_bytes);
		want.build_id_bytes = build_id_bytes;
		inlines->tables[file] = make_inline_table(modules_get_path(modules, file), &want, inlines->diag);
	}
	return inlines->tables[file];
}

static bool ask(struct inlines *inlines, struct inlines_place *place)
{
	struct inline_table *table = get_table(inlines, place->file);
	struct inline_frame frames[INLINE_DEPTH_MAX];
	uint32_t count = table ? inline_table_find(table, place->address, frames) : 0;

	place->first = inlines->id_count;
	if (!table || !array_reserve(&inlines->ids, &inlines->id_capacity, inlines->id_count + count, sizeof *inlines->ids))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = functions_find_inlined(inlines->functions, place->file, frames[i].name, frames[i].declared);

		if (id == FUNCTION_NONE)
			return false;
		inlines->ids[inlines->id_count++] = id;
	}
	place->count = count;
	return true;
}

uint32_t inlines_find(struct inlines *inlines, uint32_t process, uint64_t address, uint64_t ticks, const uint32_t **ids)
{
	struct module_match match = modules_find(functions_get_modules(inlines->functions), process,
		(struct place){DWELL_PLACE_ADDRESS, address}, ticks, UINT64_MAX);
	struct inlines_place place = {.address = match.address - match.bias, .file = match.file};
	uint32_t hash = index_hash(place.address ^ (uint64_t)place.file << 40), item;

	*ids = NULL;
	if (match.file == MODULE_FILE_NONE)
		return 0;
	for (uint32_t at = index_first(&inlines->index, hash); (item = index_item(&inlines->index, at, hash)) != INDEX_END;
		at = index_next(&inlines->index, at))
		if (item != INDEX_OTHER && inlines->places[item].address == place.address && inlines->places[item].file == place.file) {
			*ids = inlines->places[item].count ? inlines->ids + inlines->places[item].first : NULL;
			return inlines->places[item].count;
		}
	if (!ask(inlines, &place) ||
		!array_reserve(&inlines->places, &inlines->place_capacity, inlines->place_count + 1, sizeof *inlines->places) ||
		!index_put(&inlines->index, hash, (uint32_t)inlines->place_count))
		return UINT32_MAX;
	inlines->places[inlines->place_count++] = place;
	*ids = place.count ? inlines->ids + place.first : NULL;
	return place.count;
}

#define LISTED_MAX 4u

/* Once for all files: of a usual program it is those of the system. */
void inlines_finish(struct inlines *inlines)
{
	struct modules *modules = functions_get_modules(inlines->functions);
	uint64_t known = 0, unknown = 0;
	char list[1024] = "";
	size_t used = 0;

	for (uint32_t file = 0; file < inlines->table_count; file++) {
		const struct inline_table *table = inlines->tables[file];
		const char *path = modules_get_path(modules, file);

		if (!table || path[0] == '[') /* the kernel's own */
			continue;
		if (inline_table_is_spent(table))
			diag_add(inlines->diag, DIAG_WARN, path, DIAG_NO_OFFSET,
				"its debug information says more than a file of its size has room for: what was inlined is not known of all of it");
		if (inline_table_has_units(table)) {
			known++;
			continue;
		}
		if (unknown++ < LISTED_MAX && used < sizeof list)
			used += (size_t)snprintf(list + used, sizeof list - used, "%s%.200s", unknown > 1 ? ", " : "", path);
	}
	if (!unknown)
		return;
	if (unknown > LISTED_MAX && used < sizeof list)
		snprintf(list + used, sizeof list - used, " and %" PRIu64 " more", unknown - LISTED_MAX);
	if (known)
		diag_add(inlines->diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET,
			"without debug information, what is inlined there counts as the function that it is in: %s", list);
	else
		diag_add(inlines->diag, DIAG_WARN, NULL, DIAG_NO_OFFSET,
			"--inlines: nothing is known of what is inlined, as there is no debug information (compiled without -g?), nor a debug file: %s", list);
}
