/* strings: stores each different text once, and numbers the texts from 0 on in order of first use (interning). */
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

/* Returns the number of an equal text; without one, adds a copy of the text, and sets *is_new. STRINGS_NONE: out of memory. */
uint32_t strings_intern(struct strings *strings, const char *text, bool *is_new);
void strings_clear(struct strings *strings);

#endif
