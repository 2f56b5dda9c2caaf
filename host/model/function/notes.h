/* notes: a set of numbers, each with the order of its first occurrence. A share notes its lookups of functions, and the files
 * opened for them. For function.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_NOTES_H
#define DWELL_HOST_MODEL_FUNCTION_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct note {
	uint64_t order;
	uint32_t number;
};

/* Zeroed: empty. */
struct notes {
	struct note *list;
	size_t count, capacity;
	uint64_t *seen; /* a bit for each number in the list */
	size_t seen_words;
};

/* Adds a number. If the set has the number, its order stays. False: no memory. */
bool notes_add(struct notes *notes, uint32_t number, uint64_t order);
/* Empties the set, but keeps its memory. */
void notes_forget(struct notes *notes);
void notes_clear(struct notes *notes);

#endif
