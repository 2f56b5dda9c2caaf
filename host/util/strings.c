/* strings: numbers texts (strings.h). */
#include "util/strings.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

uint32_t strings_intern(struct strings *strings, const char *text, bool *is_new)
{
	uint32_t hash = hash_text_seeded(text), number = (uint32_t)strings->count;

	*is_new = false;
	for (uint32_t at = hash, item; (item = lookup_next(&strings->lookup, hash, &at)) != LOOKUP_NONE;)
		if (!strcmp(strings->texts[item], text))
			return item;
	if (strings->count >= STRINGS_NONE ||
		!array_reserve(&strings->texts, &strings->capacity, strings->count + 1, sizeof *strings->texts))
		return STRINGS_NONE;
	strings->texts[number] = strdup(text);
	if (!strings->texts[number] || !lookup_put(&strings->lookup, hash, number)) {
		free(strings->texts[number]);
		return STRINGS_NONE;
	}
	strings->count++;
	*is_new = true;
	return number;
}

void strings_clear(struct strings *strings)
{
	for (size_t i = 0; i < strings->count; i++)
		free(strings->texts[i]);
	free(strings->texts);
	lookup_clear(&strings->lookup);
	*strings = (struct strings){0};
}
