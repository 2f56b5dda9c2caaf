/* names: looks up addresses in the symbols of their files, when a trace gets its names. */
#include "record/sink/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/symbol.h"
#include "util/array.h"

uint32_t names_file(struct names *names, const char *path, const char *from, const uint8_t *build_id, uint32_t build_id_bytes)
{
	struct names_file *file;

	build_id_bytes = build_id_bytes < sizeof file->build_id ? build_id_bytes : sizeof file->build_id;
	for (size_t i = 0; i < names->count; i++) {
		file = &names->files[i];
		if (file->build_id_bytes == build_id_bytes && !strcmp(file->path, path) &&
			(!build_id_bytes || !memcmp(file->build_id, build_id, build_id_bytes)))
			return (uint32_t)i;
	}
	if (names->count >= UINT32_MAX || !array_reserve(&names->files, &names->capacity, names->count + 1, sizeof *names->files))
		return UINT32_MAX;
	file = &names->files[names->count];
	*file = (struct names_file){.path = strdup(path), .from = from ? strdup(from) : NULL, .build_id_bytes = build_id_bytes};
	if (!file->path)
		return UINT32_MAX;
	if (build_id_bytes)
		memcpy(file->build_id, build_id, build_id_bytes);
	return (uint32_t)names->count++;
}

void names_add(struct names *names, uint32_t file, uint64_t address)
{
	if (file < names->count)
		address_set_add(&names->files[file].addresses, address);
}

/* Names to write, in order of address, except that a whole function comes behind the part of it that was recorded. */
struct list {
	struct message_name *names;
	size_t count, capacity;
};

static bool add(struct list *list, uint64_t address, uint64_t size, const char *name)
{
	if (!array_reserve(&list->names, &list->capacity, list->count + 1, sizeof *list->names))
		return false;
	list->names[list->count++] = (struct message_name){address, size, name};
	return true;
}

/* Adds the function at the address, unless the last call added that function. An odd address outside all functions stands for the
 * byte before it, since a function may be a single byte. *behind: the end of the last added function. pre: the address is not below
 * that of the last call. False: no memory. */
static bool add_function_at(struct list *list, const struct symbol_table *table, uint64_t address, uint64_t *behind)
{
	const struct symbol *symbol, *whole;
	const struct symbol_extent *extent;

	if (address < *behind)
		return true;
	if (address & 1 && !symbol_find(table, address) && !symbol_extent_find(table, address))
		address--;
	symbol = symbol_find(table, address);
	extent = symbol ? NULL : symbol_extent_find(table, address);
	if (extent) {
		*behind = extent->address + extent->size;
		return add(list, extent->address, extent->size, "");
	}
	if (!symbol)
		return true;
	*behind = symbol->address + symbol->size;
	whole = symbol_is_part(symbol) ? symbol_find_whole(table, symbol) : symbol;
	return add(list, symbol->address, symbol->size, symbol->name) &&
	       (whole == symbol || add(list, whole->address, whole->size, whole->name));
}

/* Writes the names of one file. discarded: gets the errors found in the file; the caller drops these errors. */
static void write_file(struct names_file *file, struct trace_writer *writer, struct diag *discarded)
{
	const struct symbol_request want = {.build_id = file->build_id, .build_id_bytes = file->build_id_bytes};
	struct symbol_table *table = make_symbol_table(file->from ? file->from : file->path, &want, discarded);
	struct list list = {0};
	uint64_t behind = 0;
	bool good = true;

	address_set_sort(&file->addresses);
	for (size_t i = 0; good && i < file->addresses.count; i++)
		good = add_function_at(&list, table, file->addresses.slots[i], &behind);
	if (list.count)
		trace_writer_names(writer, &(struct message_names){.path = file->path,
						   .build_id = file->build_id,
						   .build_id_bytes = file->build_id_bytes,
						   .names = list.names,
						   .count = (uint32_t)list.count});
	free(list.names);
	free_symbol_table(table);
}

void names_write(struct names *names, struct trace_writer *writer)
{
	for (size_t i = 0; i < names->count; i++) {
		struct diag *discarded = make_diag();

		if (discarded && names->files[i].addresses.count)
			write_file(&names->files[i], writer, discarded);
		free_diag(discarded);
	}
}

void names_clear(struct names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		address_set_clear(&names->files[i].addresses);
		free(names->files[i].path);
		free(names->files[i].from);
	}
	free(names->files);
	*names = (struct names){0};
}
