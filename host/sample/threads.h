/* threads: the threads of the sampled processes. Each is a stream of the trace. */
#ifndef DWELL_HOST_SAMPLE_THREADS_H
#define DWELL_HOST_SAMPLE_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/batch.h"
#include "sample/code/images.h"
#include "util/numbers.h"

/* A thread. Another program in the process (exec) begins a new thread. */
struct sampled_thread {
	uint32_t tid, stream;
	struct image *image;
	uint64_t image_changes; /* the image's changes when the batch began */
	uint64_t begin_ns;      /* when the batch began */
	uint64_t last_ns;       /* time of the thread's last sample */
	char name[64];
	bool ended;
	struct batch batch;
};

struct sampled_threads {
	struct sampled_thread **list;
	size_t count, capacity;
	struct numbers latest; /* tid → index plus 1 of the last thread with that number: the kernel reuses numbers */
	uint64_t samples, starved; /* numbers of samples taken; of threads that were left out for lack of memory */
};

/* Finds a thread. A new one is declared in the trace. Null: no memory. */
struct sampled_thread *sampled_threads_find(
	struct sampled_threads *threads, struct images *images, uint32_t pid, uint32_t tid, uint64_t ns);
/* Whether a thread with that number exists and has not ended. */
bool sampled_threads_has(const struct sampled_threads *threads, uint32_t tid);
/* Sets the thread's name, and writes the thread to the trace again if the name is new. */
void sampled_threads_name(struct images *images, struct sampled_thread *thread, const char *name);
/* Notes the end of the thread: writes the batch and the end. Ignores an unknown thread. */
void sampled_threads_end(struct sampled_threads *threads, struct images *images, uint32_t pid, uint32_t tid);
/* Writes the thread's batch as a SAMPLES chunk, unless it is empty. */
void sampled_thread_flush(struct sampled_thread *thread, struct trace_writer *writer);
/* The number of threads with samples in no chunk yet. */
size_t sampled_threads_count_unwritten(const struct sampled_threads *threads);
/* Writes all batches that began before older_than_ns. */
void sampled_threads_flush(struct sampled_threads *threads, struct trace_writer *writer, uint64_t older_than_ns);
void sampled_threads_clear(struct sampled_threads *threads);

#endif
