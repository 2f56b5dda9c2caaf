/* hook order: which of the records of a buffer is the oldest, and which of them have times that cannot be true.
 *
 * Records were written one after the other, and their times do not fall. Where they do, the buffer was written round and round and begins
 * there; or a record's time is false, by a bit or by a high word that missed a wrap. False are the fewest records without which times do
 * not fall; nobody believes it of more than a quarter of all.
 *
 * That is all where the machine's counter has 64 bits: records may be any time away from the others, behind or in front of a pause.
 * Where it has 32 bits and the hooks count its rounds, one or two first or last records are false, too, when they are one or more rounds
 * away from the others, and without these no further than those are from one another. */
#ifndef DWELL_HOST_READER_TI_HOOK_ORDER_H
#define DWELL_HOST_READER_TI_HOOK_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/ti/hook_records.h"

struct hook_order {
	size_t oldest; /* its position */
	bool is_circle; /* it was written round and round: the oldest record may be half overwritten */
	size_t *false_list; /* positions of records with false times, in order of time; to be freed */
	size_t false_count;
};

/* written: how many records there were since the buffer was begun, where that is known, and the list is all of the buffer; else
 * UINT64_MAX: times tell. wraps: the counter has 32 bits. False: no memory. */
bool hook_order_find(struct hook_order *order, const struct hook_record *list, size_t count, uint64_t written, bool wraps);

#endif
