/* texts: what marks say, by the index that stands for it. */
#ifndef DWELL_HOST_MODEL_FUNCTION_TEXTS_H
#define DWELL_HOST_MODEL_FUNCTION_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "model/index.h"

/* More are hostile: an agent tells a thousand. */
#define TEXTS_MAX 16384u

struct texts {
	struct texts_entry {
		uint32_t index, first; /* of those with the same text */
		char *text;
	} *entries; /* by index */
	size_t count, capacity;
	struct index firsts; /* by text: the index that it was told with first */
};

/* Copies text. The first one with an index counts; what does not fit is not there. */
void texts_add(struct texts *texts, uint32_t index, const char *text);
void texts_clear(struct texts *texts);

/* Null when nobody told it. */
const char *texts_get(const struct texts *texts, uint32_t index);
/* Of the indices with the same text the one that was told first; index itself when nobody told it. */
uint32_t texts_first(const struct texts *texts, uint32_t index);

#endif
