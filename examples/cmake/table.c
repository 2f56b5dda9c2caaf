#include "table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a */
static size_t hash_of(const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	return (size_t)(hash ^ hash >> 32);
}

/* Where the word is, or where it belongs. */
static struct word *find_slot(const struct table *table, const char *text, size_t length)
{
	size_t at = hash_of(text, length);

	for (;; at++) {
		struct word *slot = &table->slots[at & (table->slot_count - 1)];

		if (!slot->text || (!strncmp(slot->text, text, length) && !slot->text[length]))
			return slot;
	}
}

static int grow(struct table *table)
{
	struct table larger = {NULL, table->slot_count ? 2 * table->slot_count : 64, table->word_count};

	larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
	if (!larger.slots)
		return 0;
	for (size_t i = 0; i < table->slot_count; i++)
		if (table->slots[i].text)
			*find_slot(&larger, table->slots[i].text, strlen(table->slots[i].text)) = table->slots[i];
	free(table->slots);
	*table = larger;
	return 1;
}

int table_count(struct table *table, const char *text, size_t length)
{
	struct word *slot;

	if (2 * table->word_count >= table->slot_count && !grow(table))
		return 0;
	slot = find_slot(table, text, length);
	if (!slot->text) {
		slot->text = strndup(text, length);
		if (!slot->text)
			return 0;
		table->word_count++;
	}
	slot->count++;
	return 1;
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->slot_count; i++)
		free(table->slots[i].text);
	free(table->slots);
}
