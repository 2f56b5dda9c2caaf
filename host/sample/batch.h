/* batch: the samples of one thread that are in no chunk yet, with the paths they are at, each path once. */
#ifndef DWELL_HOST_SAMPLE_BATCH_H
#define DWELL_HOST_SAMPLE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"

#define BATCH_SAMPLES_MAX 4096u
#define BATCH_NODES_MAX 65536u

/* Zero it before the first use, clear it after the last. */
struct batch {
	struct message_node *nodes;
	size_t node_count, node_capacity;
	struct message_sample *samples;
	size_t count, capacity;
	uint32_t *table; /* hash of (caller, address, flags) → number of the node, 0: free; a power of two, twice the nodes at least */
	size_t table_size;
};

/* The node below caller (0: outermost); made when it is new. 0: no memory, or full. */
uint32_t batch_node(struct batch *batch, uint32_t caller, uint64_t address, bool is_return, bool is_kernel);
/* Whether it is to be written before anything is added. */
bool batch_is_full(const struct batch *batch);
/* False: no memory. pre: not full. */
bool batch_add(struct batch *batch, const struct message_sample *sample);
void batch_empty(struct batch *batch);
void batch_clear(struct batch *batch);

#endif
