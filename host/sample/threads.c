/* threads: see threads.h. */
#include "sample/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static void tell(struct images *images, const struct sampled_thread *thread)
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

static bool grow(struct sampled_threads *threads)
{
	size_t size = threads->latest_size ? threads->latest_size * 2 : 1024;
	uint32_t *latest = calloc(size, sizeof *latest);

	if (!latest)
		return false;
	for (size_t i = 0; i < threads->count; i++) {
		size_t at = threads->list[i]->tid & (size - 1);

		while (latest[at] && threads->list[latest[at] - 1]->tid != threads->list[i]->tid)
			at = (at + 1) & (size - 1);
		latest[at] = (uint32_t)i + 1;
	}
	free(threads->latest);
	threads->latest = latest;
	threads->latest_size = size;
	return true;
}

/* Where the number of the last thread with that id is, or would be. */
static uint32_t *find_slot(const struct sampled_threads *threads, uint32_t tid)
{
	size_t at = tid & (threads->latest_size - 1);

	while (threads->latest[at] && threads->list[threads->latest[at] - 1]->tid != tid)
		at = (at + 1) & (threads->latest_size - 1);
	return &threads->latest[at];
}

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
	struct sampled_thread *thread = NULL;
	struct image *image = images_find(images, pid, ns);
	uint32_t *slot;

	if (!image || (threads->latest_size < 2 * (threads->count + 1) && !grow(threads))) {
		threads->starved++;
		return NULL;
	}
	slot = find_slot(threads, tid);
	if (*slot)
		thread = threads->list[*slot - 1];
	if (thread && thread->image == image && !thread->ended)
		return thread;
	if (!array_reserve(&threads->list, &threads->capacity, threads->count + 1, sizeof(*threads->list)) ||
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
	*slot = (uint32_t)threads->count;
	tell(images, thread);
	return thread;
}

bool sampled_threads_has(const struct sampled_threads *threads, uint32_t tid)
{
	uint32_t slot = threads->latest_size ? *find_slot(threads, tid) : 0;

	return slot && !threads->list[slot - 1]->ended;
}

void sampled_threads_name(struct images *images, struct sampled_thread *thread, const char *name)
{
	if (!strncmp(thread->name, name, sizeof thread->name - 1))
		return;
	snprintf(thread->name, sizeof thread->name, "%s", name);
	tell(images, thread);
}

void sampled_threads_end(struct sampled_threads *threads, struct images *images, uint32_t pid, uint32_t tid)
{
	uint32_t *slot = threads->latest_size ? find_slot(threads, tid) : NULL;
	struct sampled_thread *thread = slot && *slot ? threads->list[*slot - 1] : NULL;

	if (!thread || thread->ended || thread->image->pid != pid)
		return;
	sampled_thread_flush(thread, images->writer);
	batch_clear(&thread->batch);
	thread->ended = true;
	if (thread->image->threads)
		thread->image->threads--;
	tell(images, thread);
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

size_t sampled_threads_count_kept(const struct sampled_threads *threads)
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
	free(threads->latest);
	*threads = (struct sampled_threads){0};
}
