/* chunk_queue: queues copies of chunks, and runs the thread that writes them to the trace file (chunk_queue.h). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "writer/trace/chunk_queue.h"
#include "util/no_signal_thread.h"

/* An entry of the queue: a chunk and a copy of its payload. If refused is set, the chunk is not
 * written: its turn only uses up its sequence number. */
struct item {
	struct item *next;
	struct chunk chunk;
	uint64_t bytes; /* size of the payload; if refused, the size that chunk_queue_refuse got */
	bool refused;
	unsigned char payload[];
};

struct chunk_queue {
	struct chunks *chunks;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t item_added, item_written; /* signalled when an item was added, or the queue ends; when an item was written */
	struct item *first, **last; /* last: where to link the next item */
	uint64_t bytes; /* size of the payloads in the queue, including the one being written */
	bool writing, is_over; /* the thread writes an item, without the lock; no item will be added any more */
};

static void write_item(struct chunk_queue *chunk_queue, struct item *item)
{
	if (item->refused)
		chunks_refuse(chunk_queue->chunks, item->chunk.kind, item->chunk.stream, item->bytes);
	else
		chunks_write(chunk_queue->chunks, &item->chunk);
}

/* The thread: writes the items in the order of the queue, until the queue is over and empty. */
static void *write_items(void *context)
{
	struct chunk_queue *chunk_queue = context;
	struct item *item;

	pthread_mutex_lock(&chunk_queue->lock);
	for (;;) {
		while (!chunk_queue->first && !chunk_queue->is_over)
			pthread_cond_wait(&chunk_queue->item_added, &chunk_queue->lock);
		item = chunk_queue->first;
		if (!item)
			break;
		chunk_queue->first = item->next;
		if (!chunk_queue->first)
			chunk_queue->last = &chunk_queue->first;
		chunk_queue->writing = true;
		pthread_mutex_unlock(&chunk_queue->lock);
		write_item(chunk_queue, item);
		pthread_mutex_lock(&chunk_queue->lock);
		chunk_queue->writing = false;
		chunk_queue->bytes -= item->refused ? 0 : item->bytes;
		pthread_cond_broadcast(&chunk_queue->item_written);
		free(item);
	}
	pthread_mutex_unlock(&chunk_queue->lock);
	return NULL;
}

struct chunk_queue *make_chunk_queue(struct chunks *chunks)
{
	struct chunk_queue *chunk_queue = calloc(1, sizeof *chunk_queue);

	if (!chunk_queue)
		return NULL;
	chunk_queue->chunks = chunks;
	chunk_queue->last = &chunk_queue->first;
	pthread_mutex_init(&chunk_queue->lock, NULL);
	pthread_cond_init(&chunk_queue->item_added, NULL);
	pthread_cond_init(&chunk_queue->item_written, NULL);
	if (no_signal_thread_begin(&chunk_queue->thread, write_items, chunk_queue))
		return chunk_queue;
	free(chunk_queue);
	return NULL;
}

void free_chunk_queue(struct chunk_queue *chunk_queue)
{
	if (!chunk_queue)
		return;
	pthread_mutex_lock(&chunk_queue->lock);
	chunk_queue->is_over = true;
	pthread_cond_signal(&chunk_queue->item_added);
	pthread_mutex_unlock(&chunk_queue->lock);
	pthread_join(chunk_queue->thread, NULL);
	pthread_mutex_destroy(&chunk_queue->lock);
	pthread_cond_destroy(&chunk_queue->item_added);
	pthread_cond_destroy(&chunk_queue->item_written);
	free(chunk_queue);
}

/* For an item without memory for a copy: waits until the queue is empty, then writes the item in the calling thread. */
static void write_in_caller(struct chunk_queue *chunk_queue, struct item *item)
{
	pthread_mutex_lock(&chunk_queue->lock);
	while (chunk_queue->first || chunk_queue->writing)
		pthread_cond_wait(&chunk_queue->item_written, &chunk_queue->lock);
	write_item(chunk_queue, item);
	pthread_mutex_unlock(&chunk_queue->lock);
}

static void add(struct chunk_queue *chunk_queue, struct item *item)
{
	pthread_mutex_lock(&chunk_queue->lock);
	chunk_queue->bytes += item->refused ? 0 : item->bytes;
	*chunk_queue->last = item;
	chunk_queue->last = &item->next;
	pthread_cond_signal(&chunk_queue->item_added);
	pthread_mutex_unlock(&chunk_queue->lock);
}

void chunk_queue_add(struct chunk_queue *chunk_queue, struct chunk *chunk)
{
	struct item at_once = {.chunk = *chunk}, *item;
	size_t bytes = 0, used = 0;

	for (int i = 1; i < chunk->part_count; i++)
		bytes += chunk->parts[i].iov_len;
	item = malloc(sizeof *item + bytes);
	if (!item) {
		write_in_caller(chunk_queue, &at_once);
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
	add(chunk_queue, item);
}

void chunk_queue_refuse(struct chunk_queue *chunk_queue, uint16_t kind, uint32_t stream, uint64_t bytes)
{
	struct item at_once = {.chunk = {.kind = kind, .stream = stream}, .bytes = bytes, .refused = true},
		    *item = malloc(sizeof *item);

	if (!item) {
		write_in_caller(chunk_queue, &at_once);
		return;
	}
	*item = at_once;
	add(chunk_queue, item);
}

bool chunk_queue_is_full(struct chunk_queue *chunk_queue)
{
	bool full;

	pthread_mutex_lock(&chunk_queue->lock);
	full = chunk_queue->bytes >= CHUNK_QUEUE_BYTES_MAX;
	pthread_mutex_unlock(&chunk_queue->lock);
	return full;
}

void chunk_queue_wait(struct chunk_queue *chunk_queue)
{
	pthread_mutex_lock(&chunk_queue->lock);
	while (chunk_queue->bytes >= CHUNK_QUEUE_BYTES_MAX)
		pthread_cond_wait(&chunk_queue->item_written, &chunk_queue->lock);
	pthread_mutex_unlock(&chunk_queue->lock);
}
