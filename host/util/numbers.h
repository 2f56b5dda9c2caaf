/* numbers: a table from numbers of 64 bits to numbers of 32. Keys come from files, and whoever made one must not be able to make them
 * collide: hence a seed. */
#ifndef DWELL_HOST_UTIL_NUMBERS_H
#define DWELL_HOST_UTIL_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbers_slot {
	uint64_t key;
	uint32_t value;
	bool is_used;
};

/* Zeroed: empty. */
struct numbers {
	struct numbers_slot *slots;
	size_t count, capacity; /* capacity: a power of two, at least twice the count */
	uint64_t seed;
};

/* 0: it is not there. */
uint32_t numbers_get(const struct numbers *numbers, uint64_t key);
/* What the key stands for, 0 at first; until the next one is put. Null: no memory. */
uint32_t *numbers_put(struct numbers *numbers, uint64_t key);
void numbers_clear(struct numbers *numbers);

#endif
