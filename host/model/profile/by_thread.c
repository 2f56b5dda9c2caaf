/* by_thread: a table of figures by thread and function. */
#include "model/profile/by_thread.h"

#include <stdlib.h>

#include "util/array.h"

static uint32_t hash_of(const struct by_thread_row *row)
{
	return hash_pair(row->stream, row->function);
}

static struct by_thread_row *find(struct by_thread *table, const struct by_thread_row *key, uint32_t hash)
{
	uint32_t item;

	for (uint32_t at = hash; (item = lookup_next(&table->index, hash, &at)) != LOOKUP_NONE;)
		if (table->rows[item].stream == key->stream && table->rows[item].function == key->function)
			return &table->rows[item];
	return NULL;
}

bool by_thread_add(struct by_thread *table, const struct by_thread_row *more)
{
	uint32_t hash = hash_of(more);
	struct by_thread_row *row = find(table, more, hash);

	if (!row) {
		if (table->count >= LOOKUP_NONE ||
			!array_reserve(&table->rows, &table->capacity, table->count + 1, sizeof *table->rows) ||
			!lookup_put(&table->index, hash, (uint32_t)table->count))
			return false;
		table->rows[table->count++] = *more;
		return true;
	}
	row->calls += more->calls;
	row->made += more->made;
	row->self += more->self;
	row->self_off += more->self_off;
	row->outermost += more->outermost;
	row->below += more->below;
	return true;
}

bool by_thread_merge(struct by_thread *table, const struct by_thread *from)
{
	bool good = true;

	for (size_t i = 0; good && i < from->count; i++)
		good = by_thread_add(table, &from->rows[i]);
	return good;
}

bool by_thread_renumber(struct by_thread *table, const uint32_t *map, size_t count)
{
	struct by_thread renumbered = {0};
	bool good = true;

	for (size_t i = 0; good && i < table->count; i++) {
		struct by_thread_row row = table->rows[i];

		row.function = row.function < count ? map[row.function] : row.function;
		good = by_thread_add(&renumbered, &row);
	}
	by_thread_clear(table);
	*table = renumbered;
	return good;
}

void by_thread_empty(struct by_thread *table)
{
	lookup_clear(&table->index);
	table->count = 0;
}

void by_thread_clear(struct by_thread *table)
{
	lookup_clear(&table->index);
	free(table->rows);
	*table = (struct by_thread){0};
}
