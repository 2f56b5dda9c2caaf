/* batch: see batch.h. */
#include "sample/batch.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static size_t first_slot(const struct batch *batch, uint32_t caller, uint64_t address)
{
	uint64_t hash = (address ^ (uint64_t)caller * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

	return (size_t)(hash >> 32) & (batch->table_size - 1);
}

static void put(struct batch *batch, uint32_t number)
{
	const struct message_node *node = &batch->nodes[number - 1];
	size_t at = first_slot(batch, node->caller, node->address);

	while (batch->table[at])
		at = (at + 1) & (batch->table_size - 1);
	batch->table[at] = number;
}

static bool reserve(struct batch *batch)
{
	size_t size = batch->table_size ? batch->table_size * 2 : 1024;
	uint32_t *table;

	if (!array_reserve(&batch->nodes, &batch->node_capacity, batch->node_count + 1, sizeof *batch->nodes))
		return false;
	if (batch->table_size >= 2 * (batch->node_count + 1))
		return true;
	table = calloc(size, sizeof *table);
	if (!table)
		return false;
	free(batch->table);
	batch->table = table;
	batch->table_size = size;
	for (uint32_t i = 1; i <= batch->node_count; i++)
		put(batch, i);
	return true;
}

uint32_t batch_node(struct batch *batch, uint32_t caller, uint64_t address, bool is_return, bool is_kernel)
{
	if (batch->node_count == BATCH_NODES_MAX || !reserve(batch))
		return 0;
	for (size_t at = first_slot(batch, caller, address); batch->table[at]; at = (at + 1) & (batch->table_size - 1)) {
		const struct message_node *node = &batch->nodes[batch->table[at] - 1];

		if (node->caller == caller && node->address == address && node->is_return == is_return && node->is_kernel == is_kernel)
			return batch->table[at];
	}
	batch->nodes[batch->node_count++] =
		(struct message_node){.address = address, .caller = caller, .is_return = is_return, .is_kernel = is_kernel};
	put(batch, (uint32_t)batch->node_count);
	return (uint32_t)batch->node_count;
}

/* A stack has less than a quarter of all nodes. */
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
	if (batch->table)
		memset(batch->table, 0, batch->table_size * sizeof *batch->table);
}

void batch_clear(struct batch *batch)
{
	free(batch->nodes);
	free(batch->samples);
	free(batch->table);
	*batch = (struct batch){0};
}
