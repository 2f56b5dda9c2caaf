/* texts: the texts of marks (dwell_mark), by the index that the trace gives each text. For function.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_TEXTS_H
#define DWELL_HOST_MODEL_FUNCTION_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "util/lookup.h"

/* A trace with more is hostile: an agent writes up to a thousand. */
#define TEXTS_MAX 16384u

struct texts {
	struct texts_entry {
		uint32_t index, first; /* first: index of the first equal text */
		char *text;
	} *entries; /* in order of index */
	size_t count, capacity;
	struct lookup firsts; /* text → index of the first equal text */
};

/* Copies text. The first text of an index counts; without memory, or beyond the limit, the text is left out. */
void texts_add(struct texts *texts, uint32_t index, const char *text);
void texts_clear(struct texts *texts);

/* Null: no such index. */
const char *texts_get(const struct texts *texts, uint32_t index);
/* Index of the first equal text; index itself without a text. */
uint32_t texts_first(const struct texts *texts, uint32_t index);

#endif
