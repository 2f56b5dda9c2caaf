/* address_set: addresses, each once. */
#ifndef DWELL_HOST_RECORD_SINK_ADDRESS_SET_H
#define DWELL_HOST_RECORD_SINK_ADDRESS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More are not kept: what is recorded are some ten thousand. 16 MiB */
#define ADDRESS_SET_MAX (1u << 20)

/* Zero it before the first use, clear it after the last. 0 is never in it. */
struct address_set {
	uint64_t *slots; /* 0: free; a power of two, twice as many as there are addresses at least */
	size_t size, count;
};

/* Whether it is new, and in the set now. One that there is no room for is left out. */
bool address_set_add(struct address_set *set, uint64_t address);
void address_set_add_all(struct address_set *set, const struct address_set *more);
bool address_set_has(const struct address_set *set, uint64_t address);
/* The addresses, rising, in slots[0 … count); the set can only be cleared afterwards. */
void address_set_sort(struct address_set *set);
/* How many of the addresses are below; the set is sorted. */
size_t address_set_count_below(const struct address_set *set, uint64_t address);
void address_set_clear(struct address_set *set);

#endif
