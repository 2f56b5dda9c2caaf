/* address_set: a set of addresses, for the places of recorded functions. With record --no-pack, record looks up
 * each event in such a set. The slots are the addresses themselves, unlike those of util/lookup.h, which hold
 * indexes: a look-up takes 7 ns instead of 9, and the whole recording takes 12 % less time. */
#ifndef DWELL_HOST_RECORD_SINK_ADDRESS_SET_H
#define DWELL_HOST_RECORD_SINK_ADDRESS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The set takes no more addresses (16 MiB). A usual recording has about ten thousand. */
#define ADDRESS_SET_MAX (1u << 20)

/* Zero the set before the first use, clear it after the last. 0 is never an element. */
struct address_set {
	uint64_t *slots; /* 0: free. Their number, size, is a power of two and at least 2 × count */
	size_t size, count;
};

/* Adds an address. True: the address is new, and now in the set. False: the set has the address already, or has no room or no
 * memory for it, or the address is 0. */
bool address_set_add(struct address_set *set, uint64_t address);
/* Adds all addresses of the set more, as far as there is room. pre: more is not sorted. */
void address_set_add_all(struct address_set *set, const struct address_set *more);
bool address_set_has(const struct address_set *set, uint64_t address);
/* Sorts the addresses into slots[0 … count), rising. Afterwards only address_set_count_below and address_set_clear are allowed. */
void address_set_sort(struct address_set *set);
/* The number of addresses below address. pre: the set is sorted. */
size_t address_set_count_below(const struct address_set *set, uint64_t address);
void address_set_clear(struct address_set *set);

#endif
