/* notes: a set of numbers in order of occurrence. */
#include "model/function/notes.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

bool notes_add(struct notes *notes, uint32_t number, uint64_t order)
{
	size_t words = notes->seen_words;

	if (number / 64 >= words) {
		if (!array_reserve(&notes->seen, &notes->seen_words, number / 64 + 1, sizeof *notes->seen))
			return false;
		memset(notes->seen + words, 0, (notes->seen_words - words) * sizeof *notes->seen);
	}
	if (notes->seen[number / 64] >> number % 64 & 1)
		return true;
	if (!array_reserve(&notes->list, &notes->capacity, notes->count + 1, sizeof *notes->list))
		return false;
	notes->seen[number / 64] |= UINT64_C(1) << number % 64;
	notes->list[notes->count++] = (struct note){order, number};
	return true;
}

void notes_forget(struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		notes->seen[notes->list[i].number / 64] = 0;
	notes->count = 0;
}

void notes_clear(struct notes *notes)
{
	free(notes->list);
	free(notes->seen);
	*notes = (struct notes){0};
}
