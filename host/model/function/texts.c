#include "model/function/texts.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* Where the text with this index is, or would be. */
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

/* Without memory, a text that is told twice is two. */
static void tell_first(struct texts *texts, struct texts_entry *added)
{
	uint32_t hash = index_hash_text(added->text);

	for (uint32_t at = index_first(&texts->firsts, hash), item; (item = index_item(&texts->firsts, at, hash)) != INDEX_END;
		at = index_next(&texts->firsts, at))
		if (item != INDEX_OTHER && !strcmp(find(texts, item)->text, added->text)) {
			added->first = item;
			return;
		}
	index_put(&texts->firsts, hash, added->index);
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
	tell_first(texts, &added);
	memmove(texts->entries + at + 1, texts->entries + at, (texts->count - at) * sizeof *texts->entries);
	texts->entries[at] = added;
	texts->count++;
}

void texts_clear(struct texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free(texts->entries[i].text);
	free(texts->entries);
	index_clear(&texts->firsts);
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
