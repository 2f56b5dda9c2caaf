/* batch: collects the samples of one thread, and stores each call path once. */
#include "sample/batch.h"

#include <stdlib.h>

#include "util/array.h"

uint32_t batch_node(struct batch *batch, uint32_t caller, uint64_t address, bool is_return, bool is_kernel)
{
	uint32_t hash = hash_pair(caller, hash_number(address));

	if (batch->node_count == BATCH_NODES_MAX)
		return 0;
	for (uint32_t at = hash, item; (item = lookup_next(&batch->lookup, hash, &at)) != LOOKUP_NONE;) {
		const struct message_node *node = &batch->nodes[item];

		if (node->caller == caller && node->address == address && node->is_return == is_return &&
			node->is_kernel == is_kernel)
			return item + 1;
	}
	if (!array_reserve(&batch->nodes, &batch->node_capacity, batch->node_count + 1, sizeof *batch->nodes) ||
		!lookup_put(&batch->lookup, hash, (uint32_t)batch->node_count))
		return 0;
	batch->nodes[batch->node_count++] =
		(struct message_node){.address = address, .caller = caller, .is_return = is_return, .is_kernel = is_kernel};
	return (uint32_t)batch->node_count;
}

/* Full: no samples fit, or nodes for the next stack may not fit. A stack has less than a quarter of all nodes. */
bool batch_is_full(const struct batch *batch)
{
	return batch->count == BATCH_SAMPLES_MAX || batch->node_count > BATCH_NODES_MAX * 3 / 4;
}

bool batch_add(struct batch *batch, const struct message_sample *sample)
{
	if (!array_reserve(&batch->samples, &batch->capacity, batch->count + 1, sizeof *batch->samples))
		return false;
	batch->samples[batch->count++] = *sample;
	return true;
}

void batch_empty(struct batch *batch)
{
	batch->count = 0;
	batch->node_count = 0;
	lookup_reset(&batch->lookup);
}

void batch_clear(struct batch *batch)
{
	free(batch->nodes);
	free(batch->samples);
	lookup_clear(&batch->lookup);
	*batch = (struct batch){0};
}
