/* behind: a queue of chunks and its writing thread (behind.h). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "writer/trace/behind.h"
#include "util/quiet_thread.h"

/* A chunk followed by its payload; refused: only a sequence number. */
struct item {
	struct item *next;
	struct chunk chunk;
	uint64_t bytes;
	bool refused;
	unsigned char payload[];
};

struct behind {
	struct chunks *chunks;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more, fewer; /* signalled for an item or at the end; and when bytes decreases */
	struct item *first, **last;
	uint64_t bytes; /* queued bytes, including those being written */
	bool writing, over;
};

static void write_item(struct behind *behind, struct item *item)
{
	if (item->refused)
		chunks_refuse(behind->chunks, item->chunk.kind, item->chunk.stream, item->bytes);
	else
		chunks_write(behind->chunks, &item->chunk);
}

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

/* Out of memory for the queue: waits for the queued chunks, then writes the item in the calling thread. */
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
