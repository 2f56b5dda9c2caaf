/* perf_order: sorts perf's records by time. */
#include "reader/perf/order.h"

#include <stdlib.h>

#include "util/array.h"

/* Drops the records that were taken. */
static void close_up(struct perf_order *order)
{
	size_t used = 0;

	if (!order->taken)
		return;
	if (order->taken == order->count) {
		order->used = order->count = 0;
	} else {
		uint8_t *kept = malloc(order->used);

		if (!kept) /* the taken records stay and only use memory */
			return;
		for (size_t i = order->taken; i < order->count; i++) {
			struct perf_waiting *waiting = &order->list[i];

			memcpy(kept + used, order->bytes + waiting->at, waiting->bytes);
			waiting->at = used;
			used += waiting->bytes;
		}
		free(order->bytes);
		order->bytes = kept;
		order->capacity = order->used;
		order->used = used;
		order->count -= order->taken;
		memmove(order->list, order->list + order->taken, order->count * sizeof *order->list);
	}
	order->taken = order->ready = 0;
}

static int by_time(const void *a, const void *b)
{
	const struct perf_waiting *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static void release(struct perf_order *order, uint64_t until)
{
	close_up(order);
	if (order->count)
		qsort(order->list, order->count, sizeof *order->list, by_time);
	while (order->ready < order->count && order->list[order->ready].time <= until)
		order->ready++;
}

bool perf_order_put(struct perf_order *order, struct bytes record, uint64_t time, uint64_t offset)
{
	if (order->taken == order->count)
		close_up(order);
	if (!array_reserve(&order->list, &order->list_capacity, order->count + 1, sizeof *order->list) ||
		!array_reserve(&order->bytes, &order->capacity, order->used + record.size, 1))
		return false;
	memcpy(order->bytes + order->used, record.data, record.size);
	order->list[order->count++] = (struct perf_waiting){time, offset, order->numbers++, order->used, (uint32_t)record.size};
	order->used += record.size;
	order->latest = time > order->latest ? time : order->latest;
	if (order->used > PERF_ORDER_BYTES_MAX)
		release(order, UINT64_MAX);
	return true;
}

void perf_order_end_round(struct perf_order *order, bool all)
{
	release(order, all ? UINT64_MAX : order->earlier);
	order->earlier = order->latest;
}

bool perf_order_take(struct perf_order *order, struct bytes *record, uint64_t *offset)
{
	const struct perf_waiting *waiting;

	if (order->taken >= order->ready)
		return false;
	waiting = &order->list[order->taken++];
	*record = (struct bytes){order->bytes + waiting->at, waiting->bytes};
	*offset = waiting->offset;
	return true;
}

void perf_order_clear(struct perf_order *order)
{
	free(order->bytes);
	free(order->list);
	*order = (struct perf_order){0};
}
