/* numbers: a map from 64-bit keys to 32-bit values, such as address → index. Keys cannot be removed. */
#ifndef DWELL_HOST_UTIL_NUMBERS_H
#define DWELL_HOST_UTIL_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "util/lookup.h"

/* Zeroed: empty. */
struct numbers {
	struct numbers_pair {
		uint64_t key;
		uint32_t value;
	} *pairs; /* in order of insertion */
	size_t count, capacity;
	struct lookup lookup; /* key → position */
};

/* Returns 0 if the key is missing. */
uint32_t numbers_get(const struct numbers *numbers, uint64_t key);
/* Returns where the key's value is stored; the value of a new key is 0. The pointer is valid until the next numbers_put. Null: out
 * of memory. */
uint32_t *numbers_put(struct numbers *numbers, uint64_t key);
void numbers_clear(struct numbers *numbers);

#endif
