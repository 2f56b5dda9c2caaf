/* threads: of the processes that are sampled; each is a stream of the trace. */
#ifndef DWELL_HOST_SAMPLE_THREADS_H
#define DWELL_HOST_SAMPLE_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/batch.h"
#include "sample/code/images.h"

struct sampled_thread {
	uint32_t tid, stream;
	struct image *image;
	uint64_t image_changes; /* of the image when the batch began */
	uint64_t begin_ns;      /* of the batch */
	uint64_t last_ns;       /* of its last sample */
	char name[64];
	bool ended;
	struct batch batch;
};

struct sampled_threads {
	struct sampled_thread **list;
	size_t count, capacity;
	uint32_t *latest; /* tid → index of its last thread plus 1, by tid modulo the size; 0: none */
	size_t latest_size;
	uint64_t samples, starved;
};

/* The thread, made when it is new, and declared in the trace. Null: no memory. */
struct sampled_thread *sampled_threads_find(
	struct sampled_threads *threads, struct images *images, uint32_t pid, uint32_t tid, uint64_t ns);
/* Whether a thread of that number is known and has not ended. */
bool sampled_threads_has(const struct sampled_threads *threads, uint32_t tid);
/* It has that name from now on. */
void sampled_threads_name(struct images *images, struct sampled_thread *thread, const char *name);
/* It has ended: what is in no chunk yet is written. */
void sampled_threads_end(struct sampled_threads *threads, struct images *images, uint32_t pid, uint32_t tid);
/* Writes what is in no chunk yet. */
void sampled_thread_flush(struct sampled_thread *thread, struct trace_writer *writer);
/* Threads of which something is in no chunk yet. */
size_t sampled_threads_count_kept(const struct sampled_threads *threads);
/* Of all threads, what is older. */
void sampled_threads_flush(struct sampled_threads *threads, struct trace_writer *writer, uint64_t older_than_ns);
void sampled_threads_clear(struct sampled_threads *threads);

#endif
