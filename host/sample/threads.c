/* threads: finds the sampled threads by number, and writes their batches. */
#include "sample/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* Writes the thread to the trace. */
static void declare_thread(struct images *images, const struct sampled_thread *thread)
{
	const struct message_thread message = {
		.stream = thread->stream,
		.process = thread->image->process,
		.tid = thread->tid,
		.ended = thread->ended,
		.place_kind = DWELL_PLACE_ADDRESS,
		.name = thread->name,
	};

	trace_writer_thread(images->writer, &message);
}

/* The latest thread with the number tid, ended or not. Null: none. */
static struct sampled_thread *find_latest(const struct sampled_threads *threads, uint32_t tid)
{
	uint32_t number = numbers_get(&threads->latest, tid);

	return number ? threads->list[number - 1] : NULL;
}

/* Reads the thread's present name from /proc; none if the thread has ended. */
static void read_name(struct sampled_thread *thread, uint32_t pid)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof path, "/proc/%u/task/%u/comm", pid, thread->tid);
	file = fopen(path, "r");
	if (file && fgets(thread->name, sizeof thread->name, file))
		thread->name[strcspn(thread->name, "\n")] = 0;
	if (file)
		fclose(file);
}

struct sampled_thread *sampled_threads_find(
	struct sampled_threads *threads, struct images *images, uint32_t pid, uint32_t tid, uint64_t ns)
{
	struct sampled_thread *thread = find_latest(threads, tid);
	struct image *image = images_find(images, pid, ns);
	uint32_t *number;

	if (image && thread && thread->image == image && !thread->ended)
		return thread;
	if (!image || !(number = numbers_put(&threads->latest, tid)) ||
		!array_reserve(&threads->list, &threads->capacity, threads->count + 1, sizeof(*threads->list)) ||
		!(thread = calloc(1, sizeof *thread))) {
		threads->starved++;
		return NULL;
	}
	thread->tid = tid;
	thread->stream = (uint32_t)threads->count;
	thread->image = image;
	image->threads++;
	read_name(thread, pid);
	threads->list[threads->count++] = thread;
	*number = (uint32_t)threads->count;
	declare_thread(images, thread);
	return thread;
}

bool sampled_threads_has(const struct sampled_threads *threads, uint32_t tid)
{
	const struct sampled_thread *thread = find_latest(threads, tid);

	return thread && !thread->ended;
}

void sampled_threads_name(struct images *images, struct sampled_thread *thread, const char *name)
{
	if (!strncmp(thread->name, name, sizeof thread->name - 1))
		return;
	snprintf(thread->name, sizeof thread->name, "%s", name);
	declare_thread(images, thread);
}

void sampled_threads_end(struct sampled_threads *threads, struct images *images, uint32_t pid, uint32_t tid)
{
	struct sampled_thread *thread = find_latest(threads, tid);

	if (!thread || thread->ended || thread->image->pid != pid)
		return;
	sampled_thread_flush(thread, images->writer);
	batch_clear(&thread->batch);
	thread->ended = true;
	if (thread->image->threads)
		thread->image->threads--;
	declare_thread(images, thread);
}

void sampled_thread_flush(struct sampled_thread *thread, struct trace_writer *writer)
{
	const struct message_samples samples = {
		.stream = thread->stream,
		.nodes = thread->batch.nodes,
		.node_count = (uint32_t)thread->batch.node_count,
		.samples = thread->batch.samples,
		.count = (uint32_t)thread->batch.count,
	};

	if (samples.count)
		trace_writer_samples(writer, &samples);
	batch_empty(&thread->batch);
}

size_t sampled_threads_count_unwritten(const struct sampled_threads *threads)
{
	size_t count = 0;

	for (size_t i = 0; i < threads->count; i++)
		count += threads->list[i]->batch.count > 0;
	return count;
}

void sampled_threads_flush(struct sampled_threads *threads, struct trace_writer *writer, uint64_t older_than_ns)
{
	for (size_t i = 0; i < threads->count; i++)
		if (threads->list[i]->batch.count && threads->list[i]->begin_ns < older_than_ns)
			sampled_thread_flush(threads->list[i], writer);
}

void sampled_threads_clear(struct sampled_threads *threads)
{
	for (size_t i = 0; i < threads->count; i++) {
		batch_clear(&threads->list[i]->batch);
		free(threads->list[i]);
	}
	free(threads->list);
	numbers_clear(&threads->latest);
	*threads = (struct sampled_threads){0};
}
