/* samples: decodes SAMPLES chunks, field by field as in FORMAT.md. */
#include "reader/dwell/samples.h"

#include <stdlib.h>

#include "dwell/format.h"
#include "util/array.h"

static const char *take_nodes(struct samples *samples, const uint8_t *p)
{
	for (uint32_t i = 0; i < samples->node_count; i++, p += DWELL_SAMPLES_NODE_BYTES) {
		uint32_t flags = get_u32(p + DWELL_SAMPLES_NODE_FLAGS), caller = get_u32(p + DWELL_SAMPLES_NODE_CALLER);

		if (caller > i)
			return "has a caller behind what it called";
		samples->nodes[i] = (struct message_node){
			.address = get_u64(p + DWELL_SAMPLES_NODE_ADDRESS),
			.caller = caller,
			.is_return = flags & DWELL_NODE_RETURN,
			.is_kernel = flags & DWELL_NODE_KERNEL,
		};
	}
	return NULL;
}

static const char *take_samples(struct samples *samples, const uint8_t *p)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < samples->count; i++, p += DWELL_SAMPLE_BYTES) {
		struct message_sample *sample = &samples->samples[i];

		*sample = (struct message_sample){
			.ticks = get_u64(p + DWELL_SAMPLE_TICKS),
			.weight = get_u64(p + DWELL_SAMPLE_WEIGHT),
			.node = get_u32(p + DWELL_SAMPLE_NODE),
			.stack = (enum dwell_sample_stack)(get_u32(p + DWELL_SAMPLE_FLAGS) & 3),
		};
		if (sample->node > samples->node_count)
			return "has a sample at a path that it does not tell";
		if (sample->weight > DWELL_SAMPLE_WEIGHT_MAX)
			return "has a sample that weighs more than 2^40";
		if (sample->ticks < before)
			return "has samples that are not in order of time";
		before = sample->ticks;
	}
	return NULL;
}

const char *samples_take(struct samples *samples, const struct raw_chunk *chunk)
{
	struct bytes payload = chunk->payload;
	const char *problem;
	uint64_t nodes, count;

	if (chunk->flags & DWELL_CHUNK_PACKED) {
		problem = plain_unpack(&samples->unpacker, chunk->payload, chunk->unpacked, &payload);
		if (problem)
			return problem;
	}
	if (payload.size < DWELL_SAMPLES_HEAD_BYTES)
		return "is shorter than its fixed part";
	nodes = get_u32(payload.data + DWELL_SAMPLES_NODES);
	count = get_u32(payload.data + DWELL_SAMPLES_COUNT);
	if (DWELL_SAMPLES_HEAD_BYTES + nodes * DWELL_SAMPLES_NODE_BYTES + count * DWELL_SAMPLE_BYTES != payload.size)
		return "has another length than its numbers of paths and samples say";
	if (!array_reserve(&samples->nodes, &samples->node_capacity, nodes + 1, sizeof *samples->nodes) ||
		!array_reserve(&samples->samples, &samples->sample_capacity, count + 1, sizeof *samples->samples))
		return "cannot be decoded: out of memory";
	samples->node_count = (uint32_t)nodes;
	samples->count = (uint32_t)count;
	problem = take_nodes(samples, payload.data + DWELL_SAMPLES_HEAD_BYTES);
	if (problem)
		return problem;
	return take_samples(samples, payload.data + DWELL_SAMPLES_HEAD_BYTES + nodes * DWELL_SAMPLES_NODE_BYTES);
}

struct message_samples samples_get(const struct samples *samples, uint32_t stream)
{
	return (struct message_samples){
		.stream = stream,
		.nodes = samples->nodes,
		.node_count = samples->node_count,
		.samples = samples->samples,
		.count = samples->count,
	};
}

void samples_clear(struct samples *samples)
{
	free(samples->nodes);
	free(samples->samples);
	plain_unpacker_clear(&samples->unpacker);
	*samples = (struct samples){0};
}
