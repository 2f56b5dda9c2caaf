/* perf_order: sorts the records of perf.data by time. Each processor's records are in order, but the file has them in rounds:
 * a piece of each processor's, one behind the other. The records of a round are complete when the next round has ended. */
#ifndef DWELL_HOST_READER_PERF_ORDER_H
#define DWELL_HOST_READER_PERF_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

/* Limit for waiting records; beyond it all are released, although earlier records may still come. */
#define PERF_ORDER_BYTES_MAX ((size_t)256 << 20)

struct perf_waiting {
	uint64_t time, offset; /* offset: in the file */
	uint64_t number;       /* order of arrival */
	size_t at;
	uint32_t bytes;
};

/* Zero before use: empty. */
struct perf_order {
	uint8_t *bytes;
	size_t used, capacity;
	struct perf_waiting *list;
	size_t count, list_capacity;
	size_t taken, ready;      /* positions in the list; it is sorted by time up to ready */
	uint64_t numbers;
	uint64_t latest, earlier; /* latest time so far; latest time up to the end of the previous round */
};

/* Adds a copy of the record. False: no memory. */
bool perf_order_put(struct perf_order *order, struct bytes record, uint64_t time, uint64_t offset);
/* A round has ended. all: no more records will come. */
void perf_order_end_round(struct perf_order *order, bool all);
/* Takes the next record, valid until the next perf_order_put or perf_order_end_round. False: an earlier one may still come. */
bool perf_order_take(struct perf_order *order, struct bytes *record, uint64_t *offset);
void perf_order_clear(struct perf_order *order);

#endif
