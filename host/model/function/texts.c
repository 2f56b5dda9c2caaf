/* texts: texts by index, sorted. */
#include "model/function/texts.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* The position of the text with this index, or the position to insert it at. */
static size_t position_of(const struct texts *texts, uint32_t index)
{
	size_t low = 0, high = texts->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (texts->entries[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct texts_entry *find(const struct texts *texts, uint32_t index)
{
	size_t at = position_of(texts, index);

	return at < texts->count && texts->entries[at].index == index ? &texts->entries[at] : NULL;
}

/* Finds the index of the first equal text. Without memory, equal texts stay different. */
static void set_first(struct texts *texts, struct texts_entry *added)
{
	uint32_t hash = hash_text_seeded(added->text);

	for (uint32_t at = hash, item; (item = lookup_next(&texts->firsts, hash, &at)) != LOOKUP_NONE;)
		if (!strcmp(find(texts, item)->text, added->text)) {
			added->first = item;
			return;
		}
	lookup_put(&texts->firsts, hash, added->index);
}

void texts_add(struct texts *texts, uint32_t index, const char *text)
{
	size_t at = position_of(texts, index);
	struct texts_entry added = {index, index, NULL};

	if (find(texts, index) || texts->count >= TEXTS_MAX ||
		!array_reserve(&texts->entries, &texts->capacity, texts->count + 1, sizeof *texts->entries))
		return;
	added.text = strdup(text);
	if (!added.text)
		return;
	set_first(texts, &added);
	memmove(texts->entries + at + 1, texts->entries + at, (texts->count - at) * sizeof *texts->entries);
	texts->entries[at] = added;
	texts->count++;
}

void texts_clear(struct texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free(texts->entries[i].text);
	free(texts->entries);
	lookup_clear(&texts->firsts);
	*texts = (struct texts){0};
}

const char *texts_get(const struct texts *texts, uint32_t index)
{
	const struct texts_entry *entry = find(texts, index);

	return entry ? entry->text : NULL;
}

uint32_t texts_first(const struct texts *texts, uint32_t index)
{
	const struct texts_entry *entry = find(texts, index);

	return entry ? entry->first : index;
}
