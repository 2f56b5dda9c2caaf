/* counts: makes the payload of a COUNTS chunk (counts.h). */
#include "writer/trace/counts.h"

#include <stdlib.h>

#include "dwell/format.h"

uint8_t *make_counts_payload(const struct message_counts *counts, struct bytes *payload)
{
	size_t size = DWELL_COUNTS_ENTRIES + (size_t)counts->count * DWELL_COUNT_BYTES;
	uint8_t *made = malloc(size), *p = made;

	if (!made)
		return NULL;
	put_u64(p + DWELL_COUNTS_WEIGHT, counts->weight);
	put_u64(p + DWELL_COUNTS_OUTSIDE, counts->outside);
	put_u64(p + DWELL_COUNTS_BEYOND, counts->beyond);
	put_u32(p + DWELL_COUNTS_BYTES, counts->bytes);
	put_u32(p + DWELL_COUNTS_FULL, counts->full);
	p += DWELL_COUNTS_ENTRIES;
	for (uint32_t i = 0; i < counts->count; i++, p += DWELL_COUNT_BYTES) {
		put_u64(p + DWELL_COUNT_ADDRESS, counts->counts[i].address);
		put_u64(p + DWELL_COUNT_COUNT, counts->counts[i].count);
	}
	*payload = (struct bytes){made, size};
	return made;
}
