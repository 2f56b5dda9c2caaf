#include "util/strings.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* Names come from hostile files, but who makes them collide waits for the result alone: no secret in it. */
static uint64_t hash(const char *text)
{
	uint64_t value = 0xcbf29ce484222325u;

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 0x100000001b3u;
	return value ^ value >> 32;
}

static size_t find_slot(const struct strings *strings, const char *text)
{
	size_t at = hash(text) & (strings->slot_count - 1);

	while (strings->slots[at] && strcmp(strings->texts[strings->slots[at] - 1], text))
		at = (at + 1) & (strings->slot_count - 1);
	return at;
}

/* Half of the slots stay free. */
static bool make_room(struct strings *strings)
{
	size_t slot_count = strings->slot_count ? 2 * strings->slot_count : 64;
	uint32_t *slots;

	if (2 * (strings->count + 1) <= strings->slot_count)
		return true;
	slots = strings->count < UINT32_MAX / 4 ? calloc(slot_count, sizeof *slots) : NULL;
	if (!slots)
		return false;
	free(strings->slots);
	strings->slots = slots;
	strings->slot_count = slot_count;
	for (size_t i = 0; i < strings->count; i++)
		slots[find_slot(strings, strings->texts[i])] = (uint32_t)i + 1;
	return true;
}

uint32_t strings_find(struct strings *strings, const char *text, bool *is_new)
{
	size_t slot;

	*is_new = false;
	if (!make_room(strings) || !array_reserve(&strings->texts, &strings->capacity, strings->count + 1, sizeof *strings->texts))
		return STRINGS_NONE;
	slot = find_slot(strings, text);
	if (strings->slots[slot])
		return strings->slots[slot] - 1;
	strings->texts[strings->count] = strdup(text);
	if (!strings->texts[strings->count])
		return STRINGS_NONE;
	*is_new = true;
	strings->slots[slot] = (uint32_t)++strings->count;
	return (uint32_t)strings->count - 1;
}

void strings_clear(struct strings *strings)
{
	for (size_t i = 0; i < strings->count; i++)
		free(strings->texts[i]);
	free(strings->texts);
	free(strings->slots);
	*strings = (struct strings){0};
}
