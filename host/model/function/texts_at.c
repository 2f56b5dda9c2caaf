/* texts_at: texts by process and address. */
#include "model/function/texts_at.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static uint32_t hash_of(uint32_t process, uint64_t address)
{
	return hash_number(address ^ (uint64_t)process << 40);
}

const char *texts_at_get(const struct texts_at *texts, uint32_t process, uint64_t address)
{
	uint32_t hash = hash_of(process, address), item;

	if (!texts->count)
		return NULL;
	for (uint32_t at = hash; (item = lookup_next(&texts->index, hash, &at)) != LOOKUP_NONE;)
		if (texts->entries[item].address == address && texts->entries[item].process == process)
			return texts->entries[item].text;
	return NULL;
}

void texts_at_add(struct texts_at *texts, uint32_t process, uint64_t address, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy;

	if (texts->count >= TEXTS_AT_MAX || bytes > TEXTS_AT_BYTES_MAX - texts->bytes || texts_at_get(texts, process, address) ||
		!array_reserve(&texts->entries, &texts->capacity, texts->count + 1, sizeof *texts->entries))
		return;
	copy = strdup(text);
	if (!copy || !lookup_put(&texts->index, hash_of(process, address), (uint32_t)texts->count)) {
		free(copy);
		return;
	}
	texts->entries[texts->count++] = (struct texts_at_entry){process, address, copy};
	texts->bytes += bytes;
}

void texts_at_clear(struct texts_at *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free(texts->entries[i].text);
	free(texts->entries);
	lookup_clear(&texts->index);
	*texts = (struct texts_at){0};
}
