/* throttle_list: the functions of a process that are recorded no more. One thread appends to the list, others read it meanwhile; what is in
 * it stays where it is. For throttle.c. */
#ifndef DWELL_HOST_RECORD_STAGE_THROTTLE_LIST_H
#define DWELL_HOST_RECORD_STAGE_THROTTLE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "target/port/os/linux/throttle.h"

#define THROTTLE_LIST_MAX (DWELL_THROTTLE_END - DWELL_THROTTLE_FIRST) /* of a process: its hooks have no more counters */
#define THROTTLE_LIST_BLOCK 8u

struct throttled {
	uint32_t place;
	uint32_t entry;    /* of what agents are asked for, plus 1; 0: not asked yet */
	uint64_t since_ticks;
	uint64_t until_ticks; /* its file was gone by then; UINT64_MAX: never. Atomic */
	const struct throttled *of; /* null, or the same function in the process that this one is a copy of */
	uint32_t call_sixteenths;
	uint64_t counted, cut; /* of streams that have ended */
	uint64_t told; /* calls, in the file … */
	bool told_counted; /* … and whether they are all */
};

/* Zeroed memory is an empty one. There may be one for each process that ever was, and most have few: so it takes what is in it. */
struct throttle_list {
	uint32_t count; /* atomic */
	struct throttled *blocks[(THROTTLE_LIST_MAX + THROTTLE_LIST_BLOCK - 1) / THROTTLE_LIST_BLOCK];
	uint16_t *table; /* by place: index in the list plus 1. Atomic, as its words are */
};

void throttle_list_clear(struct throttle_list *list);
/* Readers see it from here on. False: it is full, or there is no memory. */
bool throttle_list_add(struct throttle_list *list, const struct throttled *throttled);

static inline uint32_t throttle_list_count(const struct throttle_list *list)
{
	return __atomic_load_n(&list->count, __ATOMIC_ACQUIRE);
}
/* index: less than a count that was seen. */
static inline struct throttled *throttle_list_at(const struct throttle_list *list, uint32_t index)
{
	return &list->blocks[index / THROTTLE_LIST_BLOCK][index % THROTTLE_LIST_BLOCK];
}
/* Index of the function at a place at that time; THROTTLE_LIST_MAX: it is recorded. */
uint32_t throttle_list_find(const struct throttle_list *list, uint64_t place, uint64_t ticks);

#endif
