/* samples: makes the payload of a SAMPLES chunk (samples.h). */
#include "writer/trace/samples.h"

#include <stdlib.h>

#include "dwell/format.h"

uint8_t *make_samples_payload(const struct message_samples *samples, struct bytes *payload)
{
	size_t size = DWELL_SAMPLES_HEAD_BYTES + (size_t)samples->node_count * DWELL_SAMPLES_NODE_BYTES +
		      (size_t)samples->count * DWELL_SAMPLE_BYTES;
	uint8_t *made = malloc(size), *p = made;

	if (!made)
		return NULL;
	put_u32(p + DWELL_SAMPLES_NODES, samples->node_count);
	put_u32(p + DWELL_SAMPLES_COUNT, samples->count);
	p += DWELL_SAMPLES_HEAD_BYTES;
	for (uint32_t i = 0; i < samples->node_count; i++, p += DWELL_SAMPLES_NODE_BYTES) {
		const struct message_node *node = &samples->nodes[i];

		put_u64(p + DWELL_SAMPLES_NODE_ADDRESS, node->address);
		put_u32(p + DWELL_SAMPLES_NODE_CALLER, node->caller);
		put_u32(p + DWELL_SAMPLES_NODE_FLAGS,
			(node->is_return ? DWELL_NODE_RETURN : 0) | (node->is_kernel ? DWELL_NODE_KERNEL : 0));
	}
	for (uint32_t i = 0; i < samples->count; i++, p += DWELL_SAMPLE_BYTES) {
		const struct message_sample *sample = &samples->samples[i];

		put_u64(p + DWELL_SAMPLE_TICKS, sample->ticks);
		put_u64(p + DWELL_SAMPLE_WEIGHT,
			sample->weight < DWELL_SAMPLE_WEIGHT_MAX ? sample->weight : DWELL_SAMPLE_WEIGHT_MAX);
		put_u32(p + DWELL_SAMPLE_NODE, sample->node);
		put_u32(p + DWELL_SAMPLE_FLAGS, sample->stack);
	}
	*payload = (struct bytes){made, size};
	return made;
}
