/* behind: queues copies of chunks, and runs the thread that writes them to the trace file (behind.h). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "writer/trace/behind.h"
#include "util/quiet_thread.h"

/* An entry of the queue: a chunk and a copy of its payload. If refused is set, the chunk could not be
 * made, and only its sequence number is used up. */
struct item {
	struct item *next;
	struct chunk chunk;
	uint64_t bytes; /* size of the payload; if refused, the size that behind_refuse got */
	bool refused;
	unsigned char payload[];
};

struct behind {
	struct chunks *chunks;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more, fewer; /* signalled when an item was added, or the queue ends; when an item was written */
	struct item *first, **last; /* last: where to link the next item */
	uint64_t bytes; /* size of the payloads in the queue, including the one being written */
	bool writing, over; /* the thread writes an item, without the lock; no item will be added any more */
};

static void write_item(struct behind *behind, struct item *item)
{
	if (item->refused)
		chunks_refuse(behind->chunks, item->chunk.kind, item->chunk.stream, item->bytes);
	else
		chunks_write(behind->chunks, &item->chunk);
}

/* The thread: writes the items in the order of the queue, until the queue is over and empty. */
static void *run(void *context)
{
	struct behind *behind = context;
	struct item *item;

	pthread_mutex_lock(&behind->lock);
	for (;;) {
		while (!behind->first && !behind->over)
			pthread_cond_wait(&behind->more, &behind->lock);
		item = behind->first;
		if (!item)
			break;
		behind->first = item->next;
		if (!behind->first)
			behind->last = &behind->first;
		behind->writing = true;
		pthread_mutex_unlock(&behind->lock);
		write_item(behind, item);
		pthread_mutex_lock(&behind->lock);
		behind->writing = false;
		behind->bytes -= item->refused ? 0 : item->bytes;
		pthread_cond_broadcast(&behind->fewer);
		free(item);
	}
	pthread_mutex_unlock(&behind->lock);
	return NULL;
}

struct behind *make_behind(struct chunks *chunks)
{
	struct behind *behind = calloc(1, sizeof *behind);

	if (!behind)
		return NULL;
	behind->chunks = chunks;
	behind->last = &behind->first;
	pthread_mutex_init(&behind->lock, NULL);
	pthread_cond_init(&behind->more, NULL);
	pthread_cond_init(&behind->fewer, NULL);
	if (quiet_thread_begin(&behind->thread, run, behind))
		return behind;
	free(behind);
	return NULL;
}

void free_behind(struct behind *behind)
{
	if (!behind)
		return;
	pthread_mutex_lock(&behind->lock);
	behind->over = true;
	pthread_cond_signal(&behind->more);
	pthread_mutex_unlock(&behind->lock);
	pthread_join(behind->thread, NULL);
	pthread_mutex_destroy(&behind->lock);
	pthread_cond_destroy(&behind->more);
	pthread_cond_destroy(&behind->fewer);
	free(behind);
}

/* For an item without memory for a copy: waits until the queue is empty, then writes the item in the calling thread. */
static void add_at_once(struct behind *behind, struct item *item)
{
	pthread_mutex_lock(&behind->lock);
	while (behind->first || behind->writing)
		pthread_cond_wait(&behind->fewer, &behind->lock);
	write_item(behind, item);
	pthread_mutex_unlock(&behind->lock);
}

static void add(struct behind *behind, struct item *item)
{
	pthread_mutex_lock(&behind->lock);
	behind->bytes += item->refused ? 0 : item->bytes;
	*behind->last = item;
	behind->last = &item->next;
	pthread_cond_signal(&behind->more);
	pthread_mutex_unlock(&behind->lock);
}

void behind_add(struct behind *behind, struct chunk *chunk)
{
	struct item at_once = {.chunk = *chunk}, *item;
	size_t bytes = 0, used = 0;

	for (int i = 1; i < chunk->part_count; i++)
		bytes += chunk->parts[i].iov_len;
	item = malloc(sizeof *item + bytes);
	if (!item) {
		add_at_once(behind, &at_once);
		return;
	}
	*item = at_once;
	item->bytes = bytes;
	for (int i = 1; i < chunk->part_count; i++) {
		memcpy(item->payload + used, chunk->parts[i].iov_base, chunk->parts[i].iov_len);
		used += chunk->parts[i].iov_len;
	}
	item->chunk.part_count = 1;
	chunk_add(&item->chunk, item->payload, bytes);
	add(behind, item);
}

void behind_refuse(struct behind *behind, uint16_t kind, uint32_t stream, uint64_t bytes)
{
	struct item at_once = {.chunk = {.kind = kind, .stream = stream}, .bytes = bytes, .refused = true},
		    *item = malloc(sizeof *item);

	if (!item) {
		add_at_once(behind, &at_once);
		return;
	}
	*item = at_once;
	add(behind, item);
}

bool behind_is_full(struct behind *behind)
{
	bool full;

	pthread_mutex_lock(&behind->lock);
	full = behind->bytes >= BEHIND_BYTES_MAX;
	pthread_mutex_unlock(&behind->lock);
	return full;
}

void behind_wait(struct behind *behind)
{
	pthread_mutex_lock(&behind->lock);
	while (behind->bytes >= BEHIND_BYTES_MAX)
		pthread_cond_wait(&behind->fewer, &behind->lock);
	pthread_mutex_unlock(&behind->lock);
}
