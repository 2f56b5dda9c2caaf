/* batch: the samples of one thread for its next SAMPLES chunk, and the nodes of the call paths, each once. */
#ifndef DWELL_HOST_SAMPLE_BATCH_H
#define DWELL_HOST_SAMPLE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/lookup.h"

#define BATCH_SAMPLES_MAX 4096u
#define BATCH_NODES_MAX 65536u

/* Zero it before the first use, clear it after the last. */
struct batch {
	struct message_node *nodes;
	size_t node_count, node_capacity;
	struct message_sample *samples;
	size_t count, capacity;
	struct lookup lookup; /* (caller, address) → index of a node */
};

/* Returns the index plus 1 of the node with this address below caller, which is such a number, too (0: outermost). Adds a new node.
 * 0: no memory, or the batch is full. */
uint32_t batch_node(struct batch *batch, uint32_t caller, uint64_t address, bool is_return, bool is_kernel);
/* Whether to write the batch before adding more samples. */
bool batch_is_full(const struct batch *batch);
/* Adds a sample. False: no memory. pre: the batch is not full. */
bool batch_add(struct batch *batch, const struct message_sample *sample);
/* Removes all samples and nodes; keeps the memory. */
void batch_empty(struct batch *batch);
void batch_clear(struct batch *batch);

#endif
