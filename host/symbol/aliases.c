/* aliases: chooses or joins the names of symbols that share an address. symbol_table_finish (table.c) calls aliases_merge for each
 * address. */
#include <stdlib.h>
#include <string.h>

#include "symbol/table.h"
#include "util/array.h"

/* Compares only so many bytes of a name: a hostile file may have a million overlapping names of a million bytes each. */
#define COMPARED_BYTES 4096
/* Limit for all joined names of a file, for the same reason. */
#define JOINED_BYTES_MAX (64u << 20)

bool raw_is_local(const struct raw_symbol *raw)
{
	return raw->rank >= RAW_SECTION || raw->rank % RAW_LABEL == RAW_LOCAL;
}

/* Returns whether a is the better name of a function. */
static bool is_preferred(const struct raw_symbol *a, const struct raw_symbol *b)
{
	size_t a_bytes, b_bytes;

	if (a->rank != b->rank)
		return a->rank < b->rank;
	if (a->name == b->name)
		return false;
	a_bytes = strnlen(a->name, COMPARED_BYTES);
	b_bytes = strnlen(b->name, COMPARED_BYTES);
	if (a_bytes != b_bytes)
		return a_bytes < b_bytes;
	return memcmp(a->name, b->name, a_bytes) < 0;
}

static int by_name(const void *a, const void *b)
{
	const struct raw_symbol *left = a, *right = b;

	return strncmp(left->name, right->name, COMPARED_BYTES);
}

/* Moves each distinct name to the front, in byte order; returns their number. */
static size_t sort_names(struct raw_symbol *group, size_t count)
{
	size_t kept = 1;

	qsort(group, count, sizeof *group, by_name);
	for (size_t i = 1; i < count; i++)
		if (by_name(&group[i], &group[kept - 1]))
			group[kept++] = group[i];
	return kept;
}

/* Returns the number of bytes for the group's joined names; any number above room: the names are too long. */
static size_t names_bytes(const struct raw_symbol *group, size_t count, size_t room)
{
	size_t bytes = 0;

	for (size_t i = 0; i < count && bytes <= room; i++)
		bytes += strnlen(group[i].name, room + 1) + strlen(SYMBOL_JOIN);
	return bytes;
}

/* Joins the group's names; the table owns the result. Null: the group
 * has only one name, the names are too long, or there is no memory. */
static const char *join_names(struct symbol_table *table, struct raw_symbol *group, size_t count)
{
	size_t room = JOINED_BYTES_MAX - table->joined_bytes, bytes = count > 1 ? names_bytes(group, count, room) : 0;
	char *joined, *end;

	if (count < 2)
		return NULL;
	if (table->unjoined || bytes > room) {
		table->unjoined++;
		return NULL;
	}
	table->joined_bytes += bytes; /* counted before the names are compared, since
				         comparing takes time in proportion to these bytes */
	count = sort_names(group, count);
	if (count < 2)
		return NULL;
	joined = malloc(bytes);
	if (!joined || !array_reserve(&table->joined, &table->joined_capacity, table->joined_count + 1, sizeof *table->joined)) {
		table->unjoined++;
		free(joined);
		return NULL;
	}
	end = stpcpy(joined, group[0].name);
	for (size_t i = 1; i < count; i++)
		end = stpcpy(stpcpy(end, SYMBOL_JOIN), group[i].name);
	table->joined[table->joined_count++] = joined;
	return joined;
}

/* With globals_only: moves the global symbols to the front, and returns their number. Without global symbols, or without
 * globals_only, returns count. */
static size_t move_globals_to_front(const struct symbol_choice *choice, struct raw_symbol *group, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; choice->globals_only && i < count; i++) {
		struct raw_symbol raw = group[i];

		if (raw_is_local(&raw))
			continue;
		group[i] = group[kept];
		group[kept++] = raw;
	}
	return kept ? kept : count;
}

bool symbol_has_name(const struct symbol_table *table, const struct symbol *symbol, const char *name)
{
	size_t bytes = strlen(name), join_bytes = strlen(SYMBOL_JOIN);

	if (!strcmp(symbol->name, name))
		return true;
	if (!table->choice.all_names)
		return false;
	for (const char *at = symbol->name, *end = at + strnlen(at, COMPARED_BYTES); at;) {
		if (!strncmp(at, name, bytes) && (!at[bytes] || !strncmp(at + bytes, SYMBOL_JOIN, join_bytes)))
			return true;
		at = memmem(at, (size_t)(end - at), SYMBOL_JOIN, join_bytes);
		at = at ? at + join_bytes : NULL;
	}
	return false;
}

struct raw_symbol aliases_merge(struct symbol_table *table, struct raw_symbol *group, size_t count)
{
	size_t wanted = move_globals_to_front(&table->choice, group, count), best = 0;
	const char *joined = NULL;
	uint64_t largest = 0;
	struct raw_symbol merged;

	for (size_t i = 0; i < count; i++) {
		if (i < wanted && is_preferred(&group[i], &group[best]))
			best = i;
		if (group[i].size > largest)
			largest = group[i].size;
	}
	merged = group[best];
	if (!merged.size)
		merged.size = largest;
	if (table->choice.all_names)
		joined = join_names(table, group, wanted);
	if (joined)
		merged.name = joined;
	return merged;
}
