/* SPDX-License-Identifier: MIT
 *
 * Where the functions of a mapped file begin and end, by the index of its unwind tables (.eh_frame_hdr): it is mapped, sorted, complete,
 * there without symbols, and it needs no relocation. What a compiler put elsewhere (foo.cold) has an entry of its own.
 */
#ifndef DWELL_LINUX_EXTENTS_H
#define DWELL_LINUX_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

struct extent {
	uint64_t start, end;
};

struct extents {
	uint64_t index; /* of a table in the usual form */
	uint32_t count;
	struct extent *list; /* in its place; else null */
};

/* The table at index; count is 0 when its form is another, or when there is none. Context: any. */
struct extents extents_of(uint64_t index, uint64_t index_bytes) __attribute__((visibility("hidden")));
/* pre: i < count. */
struct extent extents_get(const struct extents *extents, uint32_t i) __attribute__((visibility("hidden")));
/* Where the unwind table's record of it is; 0 where that was not kept. */
uint64_t extents_record(const struct extents *extents, uint32_t i) __attribute__((visibility("hidden")));
/* The place in the table of the one that holds address; count when none does. */
uint32_t extents_find(const struct extents *extents, uint64_t address) __attribute__((visibility("hidden")));

/* The same from the unwind tables themselves, which are somewhere in [begin, end): static programs have no index. To be freed. Count is 0
 * when there are none, or no memory. */
struct extents extents_make(uint64_t begin, uint64_t end) __attribute__((visibility("hidden")));
void extents_free(struct extents *extents) __attribute__((visibility("hidden")));

#endif
