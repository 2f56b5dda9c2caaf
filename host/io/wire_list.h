/* wire list: counts of a segment, in order of counters. For wire_client.c. */
#ifndef DWELL_HOST_IO_WIRE_LIST_H
#define DWELL_HOST_IO_WIRE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire_count {
	uint32_t at; /* which counter of the segment */
	uint64_t count;
};

/* Zeroed: none. list is to be freed. */
struct wire_list {
	struct wire_count *list;
	size_t count, capacity;
};

/* Both: false when there is no memory. at: behind those that are there. */
bool wire_list_append(struct wire_list *list, uint32_t at, uint64_t count);
/* The sum of two, behind what is in a third. */
bool wire_list_add(struct wire_list *sum, const struct wire_list *a, const struct wire_list *b);

#endif
