/* strings: texts, each kept once, and the numbers that they are known by: from 0, in the order in which they were first seen. */
#ifndef DWELL_HOST_UTIL_STRINGS_H
#define DWELL_HOST_UTIL_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRINGS_NONE UINT32_MAX

/* Zeroed: empty. */
struct strings {
	char **texts; /* by number */
	size_t count, capacity;
	uint32_t *slots; /* number + 1, 0: free; a power of two of them */
	size_t slot_count;
};

/* Its number; new: it is seen for the first time. STRINGS_NONE: no memory. */
uint32_t strings_find(struct strings *strings, const char *text, bool *is_new);
void strings_clear(struct strings *strings);

#endif
