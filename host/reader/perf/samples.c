/* perf_samples: collects samples of one thread with their paths. */
#include "reader/perf/samples.h"

#include <stdlib.h>

#include "util/array.h"

#define SAMPLES_MAX 1024u
#define NODES_MAX (1u << 16)
/* Small negative numbers among a path's addresses mark what the following addresses belong to: the kernel, the program, a guest. */
#define MARK_MIN ((uint64_t)-4095)
#define MARK_KERNEL ((uint64_t)-128)
#define MARK_USER ((uint64_t)-512)
#define KERNEL_DEPTH_MAX 127u /* the kernel's default limit for callers */

void perf_samples_begin(struct perf_samples *samples)
{
	samples->count = samples->node_count = samples->depth = 0;
}

bool perf_samples_are_full(const struct perf_samples *samples)
{
	return samples->count >= SAMPLES_MAX || samples->node_count >= NODES_MAX;
}

static bool add_frame(struct perf_samples *samples, uint64_t address, bool is_kernel, bool is_return)
{
	if (!array_reserve(&samples->frames, &samples->frame_capacity, samples->frame_count + 1, sizeof *samples->frames))
		return false;
	samples->frames[samples->frame_count++] =
		(struct message_node){.address = address, .is_return = is_return, .is_kernel = is_kernel};
	return true;
}

/* Makes the frames of the sample. Of the addresses in the sample, callers replace those outside the kernel. */
static bool take_frames(struct perf_samples *samples, const struct perf_sample *sample, const struct reader_callers *callers)
{
	bool is_kernel = sample->is_kernel, is_known = true, is_return = false;

	samples->frame_count = 0;
	for (uint64_t i = 0; i < sample->chain_count; i++) {
		uint64_t address = get_u64(sample->chain + 8 * i);

		if (address >= MARK_MIN) {
			is_kernel = address == MARK_KERNEL;
			is_known = is_kernel || address == MARK_USER;
			is_return = false; /* the next address is where the program entered the kernel */
		} else if (is_known && (is_kernel || !callers)) {
			if (!add_frame(samples, address, is_kernel, is_return))
				return false;
			is_return = true;
		}
	}
	if (callers && sample->is_kernel && !samples->frame_count && !add_frame(samples, sample->ip, true, false))
		return false; /* the sample has no callers in the kernel */
	for (uint32_t i = 0; callers && i < callers->count; i++)
		if (!add_frame(samples, callers->frames[i], false, i > 63 || !(callers->signals >> i & 1)))
			return false;
	return samples->frame_count || add_frame(samples, sample->ip, sample->is_kernel, false);
}

static bool is_same(const struct message_node *a, const struct message_node *b)
{
	return a->address == b->address && a->is_return == b->is_return && a->is_kernel == b->is_kernel;
}

static enum dwell_sample_stack state_of(const struct perf_sample *sample, const struct reader_callers *callers)
{
	if (callers)
		return callers->state;
	if (!sample->chain || !sample->event->has_callers)
		return DWELL_STACK_LEAF;
	return sample->chain_count >= KERNEL_DEPTH_MAX ? DWELL_STACK_TRUNCATED : DWELL_STACK_COMPLETE;
}

bool perf_samples_add(struct perf_samples *samples, uint32_t stream, const struct perf_sample *sample,
	const struct reader_callers *callers)
{
	size_t depth = 0;

	if (!take_frames(samples, sample, callers) ||
		!array_reserve(&samples->path, &samples->path_capacity, samples->frame_count, sizeof *samples->path) ||
		!array_reserve(&samples->nodes, &samples->node_capacity, samples->node_count + samples->frame_count,
			sizeof *samples->nodes) ||
		!array_reserve(&samples->list, &samples->capacity, samples->count + 1, sizeof *samples->list))
		return false;
	while (depth < samples->depth && depth < samples->frame_count &&
		is_same(&samples->nodes[samples->path[depth] - 1], &samples->frames[samples->frame_count - 1 - depth]))
		depth++;
	for (; depth < samples->frame_count; depth++) {
		struct message_node *node = &samples->nodes[samples->node_count++];

		*node = samples->frames[samples->frame_count - 1 - depth];
		node->caller = depth ? samples->path[depth - 1] : 0;
		samples->path[depth] = (uint32_t)samples->node_count;
	}
	samples->depth = depth;
	samples->stream = stream;
	samples->list[samples->count++] = (struct message_sample){.ticks = sample->time,
		.weight = sample->period < DWELL_SAMPLE_WEIGHT_MAX ? sample->period : DWELL_SAMPLE_WEIGHT_MAX,
		.node = samples->path[depth - 1],
		.stack = state_of(sample, callers)};
	return true;
}

struct message_samples perf_samples_get(const struct perf_samples *samples)
{
	return (struct message_samples){.stream = samples->stream,
		.nodes = samples->nodes,
		.node_count = (uint32_t)samples->node_count,
		.samples = samples->list,
		.count = (uint32_t)samples->count};
}

void perf_samples_clear(struct perf_samples *samples)
{
	free(samples->nodes);
	free(samples->list);
	free(samples->path);
	free(samples->frames);
	*samples = (struct perf_samples){0};
}
