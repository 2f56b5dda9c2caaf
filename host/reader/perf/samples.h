/* perf_samples: samples of one thread, with their paths, each place that two samples after each other share told once. */
#ifndef DWELL_HOST_READER_PERF_SAMPLES_H
#define DWELL_HOST_READER_PERF_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "reader/perf/layout.h"

/* Zeroed: none. */
struct perf_samples {
	uint32_t stream;
	struct message_node *nodes;
	size_t node_count, node_capacity;
	struct message_sample *list;
	size_t count, capacity;
	uint32_t *path; /* nodes of the last sample, index + 1, outermost first */
	size_t depth, path_capacity;
	struct message_node *frames; /* of the next one, innermost first */
	size_t frame_count, frame_capacity;
};

/* Forgets what was given. */
void perf_samples_begin(struct perf_samples *samples);
bool perf_samples_are_full(const struct perf_samples *samples);
/* False: no memory, and it is not there. */
bool perf_samples_add(struct perf_samples *samples, uint32_t stream, const struct perf_sample *sample);
struct message_samples perf_samples_get(const struct perf_samples *samples);
void perf_samples_clear(struct perf_samples *samples);

#endif
