/* perf_samples: collects samples of one thread with their paths; consecutive samples share the nodes of their common outer path. */
#ifndef DWELL_HOST_READER_PERF_SAMPLES_H
#define DWELL_HOST_READER_PERF_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "reader/perf/layout.h"
#include "reader/unwinder.h"

/* Zero before use: empty. */
struct perf_samples {
	uint32_t stream;
	struct message_node *nodes;
	size_t node_count, node_capacity;
	struct message_sample *list;
	size_t count, capacity;
	uint32_t *path; /* nodes of the last sample: index + 1, outermost first */
	size_t depth, path_capacity;
	struct message_node *frames; /* of the sample being added, innermost first */
	size_t frame_count, frame_capacity;
};

/* Drops the samples that were given. */
void perf_samples_begin(struct perf_samples *samples);
bool perf_samples_are_full(const struct perf_samples *samples);
/* Adds a sample. callers: in its copy of the stack; null: none. False: no memory; the sample is not added. */
bool perf_samples_add(struct perf_samples *samples, uint32_t stream, const struct perf_sample *sample,
	const struct reader_callers *callers);
struct message_samples perf_samples_get(const struct perf_samples *samples);
void perf_samples_clear(struct perf_samples *samples);

#endif
