/* wire list: counts of a segment, sorted by counter. For wire_client.c. */
#ifndef DWELL_CLASSIC_HOST_IO_WIRE_LIST_H
#define DWELL_CLASSIC_HOST_IO_WIRE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire_count {
	uint32_t at; /* index of the counter in the segment */
	uint64_t count;
};

/* Zeroed: none. list is to be freed. */
struct wire_list {
	struct wire_count *list;
	size_t count, capacity;
};

/* Appends a counter's count. False: no memory. pre: at is above all in the list. */
bool wire_list_append(struct wire_list *list, uint32_t at, uint64_t count);
/* Appends the sum of lists a and b to sum. False: no memory. */
bool wire_list_add(struct wire_list *sum, const struct wire_list *a, const struct wire_list *b);

#endif
