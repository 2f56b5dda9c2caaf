/* strings: texts, each stored once, with numbers from 0 on in order of first use. */
#ifndef DWELL_HOST_UTIL_STRINGS_H
#define DWELL_HOST_UTIL_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/lookup.h"

#define STRINGS_NONE UINT32_MAX

/* Zeroed: empty. */
struct strings {
	char **texts; /* by number */
	size_t count, capacity;
	struct lookup lookup; /* text → number */
};

/* Returns the text's number; *is_new: the text is new. STRINGS_NONE: out of memory. */
uint32_t strings_find(struct strings *strings, const char *text, bool *is_new);
void strings_clear(struct strings *strings);

#endif
