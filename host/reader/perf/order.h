/* perf_order: records of perf.data in order of time. Each processor's are in order, but they come in rounds, a piece of each processor's
 * behind the other; what a round has brought is complete when the next one ends. */
#ifndef DWELL_HOST_READER_PERF_ORDER_H
#define DWELL_HOST_READER_PERF_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

/* Of records that wait; more are let through in the order in which they came. */
#define PERF_ORDER_BYTES_MAX ((size_t)256 << 20)

struct perf_waiting {
	uint64_t time, offset; /* of the file */
	uint64_t number;       /* in which it came */
	size_t at;
	uint32_t bytes;
};

/* Zeroed: empty. */
struct perf_order {
	uint8_t *bytes;
	size_t used, capacity;
	struct perf_waiting *list;
	size_t count, list_capacity;
	size_t taken, ready;      /* of the list, which is sorted up to there */
	uint64_t numbers;
	uint64_t latest, earlier; /* time of all so far, and when the last round ended */
};

/* A copy of it. False: no memory. */
bool perf_order_put(struct perf_order *order, struct bytes record, uint64_t time, uint64_t offset);
/* A round has ended; all: no more will come. */
void perf_order_end_round(struct perf_order *order, bool all);
/* The next one, valid until the next perf_order_put. False: none is known to be the next. */
bool perf_order_take(struct perf_order *order, struct bytes *record, uint64_t *offset);
void perf_order_clear(struct perf_order *order);

#endif
