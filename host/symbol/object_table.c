/* object_table: the table of a program's variables: filling it and looking addresses up. */
#include <stdlib.h>
#include <string.h>

#include "symbol/object.h"
#include "symbol/object_inner.h"
#include "util/array.h"
#include "util/sorted.h"

bool object_table_add(struct object_table *table, const struct object *object)
{
	char *name = strdup(object->name);

	if (name && array_reserve(&table->list, &table->capacity, table->count + 1, sizeof *table->list)) {
		table->list[table->count] = *object;
		table->list[table->count++].name = name;
		return true;
	}
	free(name);
	return false;
}

void free_object_table(struct object_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++)
		free(table->list[i].name);
	free(table->list);
	free(table);
}

size_t object_spans(const struct object_table *table, struct symbol_span *spans, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < table->count && room; i++) {
		const struct object *object = &table->list[i];
		uint64_t room_left = UINT64_MAX - object->address;
		uint64_t high = object->address + (object->size < room_left ? object->size : room_left);

		if (count && (object->address <= spans[count - 1].high || count == room)) {
			if (high > spans[count - 1].high)
				spans[count - 1].high = high;
		} else if (object->size) {
			spans[count++] = (struct symbol_span){.low = object->address, .high = high, .is_writable = true};
		}
	}
	return count;
}

const char *object_find(const struct object_table *table, uint64_t address, uint64_t *offset)
{
	size_t count = SORTED_UP_TO(struct object, address, table->list, table->count, address);
	const struct object *object;

	if (!count)
		return NULL;
	object = &table->list[count - 1];
	*offset = address - object->address;
	return !*offset || *offset < object->size ? object->name : NULL;
}
