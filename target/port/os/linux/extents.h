/* SPDX-License-Identifier: MIT
 *
 * Finds where the functions of a mapped file begin and end, by the index of the file's unwind tables (.eh_frame_hdr). The index is
 * mapped, sorted, complete, present without symbols, and needs no relocation. Code that a compiler moved away (foo.cold) has an
 * entry of its own.
 */
#ifndef DWELL_LINUX_EXTENTS_H
#define DWELL_LINUX_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

struct extent {
	uint64_t start, end;
};

struct extents {
	uint64_t index; /* address of an index in the usual form */
	uint32_t count;
	struct extent *list; /* replaces the index; null: not used */
};

/* Opens the index at this address. count is 0 if there is no index, or if the index has another form. Reads the mapped file, so the
 * result is valid only while the file is mapped. Context: any. */
struct extents extents_of(uint64_t index, uint64_t index_bytes) __attribute__((visibility("hidden")));
/* Returns where extent i starts. Unlike extents_get, it does not read the unwind record, whose page may not be in memory. pre: i <
 * count. */
uint64_t extents_start(const struct extents *extents, uint32_t i) __attribute__((visibility("hidden")));
/* pre: i < count. */
struct extent extents_get(const struct extents *extents, uint32_t i) __attribute__((visibility("hidden")));
/* Returns the address of the extent's unwind record; 0: extents_make has made the extents, and keeps no records. pre: i < count. */
uint64_t extents_record(const struct extents *extents, uint32_t i) __attribute__((visibility("hidden")));
/* Returns the index of the extent that holds address; count: none does. */
uint32_t extents_find(const struct extents *extents, uint64_t address) __attribute__((visibility("hidden")));

/* Makes the list from the unwind tables themselves, which are somewhere in [begin, end): static programs have no index. Free the
 * result with extents_free. count is 0 if there are no tables, or no memory. */
struct extents extents_make(uint64_t begin, uint64_t end) __attribute__((visibility("hidden")));
void extents_free(struct extents *extents) __attribute__((visibility("hidden")));

#endif
