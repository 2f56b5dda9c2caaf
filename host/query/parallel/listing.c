#include "query/parallel/listing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "query/parallel/merge.h"
#include "query/parallel/parallel.h"
#include "query/parallel/row_maker.h"
#include "writer/writer.h"

/* A chunk that somebody works on, or has finished. */
struct slot {
	struct chunk_rows *rows;
	bool is_done;
};

struct shop {
	const struct listing *listing;
	uint32_t *order; /* chunks, as they are needed */
	uint32_t count;
	struct row_maker *maker; /* the caller's own: until rows can be written by others, and when there are none */
	uint64_t mismatches;
	bool is_starved;

	pthread_t threads[PARALLEL_WORKERS_MAX];
	struct row_maker *presses[PARALLEL_WORKERS_MAX];
	uint32_t thread_count;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct slot *slots; /* as many chunks may be ahead of the caller */
	uint32_t slot_count;
	uint32_t taken, used; /* chunks, in that order */
	bool stops;
	struct chunk_rows *spare;
};

/* ---- workers ---- */

static struct chunk_rows *take_spare(struct shop *shop)
{
	struct chunk_rows *rows = shop->spare;

	if (rows)
		shop->spare = rows->next;
	return rows;
}

/* The next chunk, once there is room for it. False: no more. */
static bool take(struct shop *shop, uint32_t *number, struct chunk_rows **rows)
{
	bool good;

	pthread_mutex_lock(&shop->lock);
	while (!shop->stops && shop->taken < shop->count && shop->taken - shop->used >= shop->slot_count)
		pthread_cond_wait(&shop->changed, &shop->lock);
	good = !shop->stops && shop->taken < shop->count;
	*number = shop->taken;
	*rows = good ? take_spare(shop) : NULL;
	shop->taken += good;
	pthread_mutex_unlock(&shop->lock);
	return good;
}

struct worker {
	struct shop *shop;
	struct row_maker *maker;
};

static void *work(void *context)
{
	struct worker worker = *(struct worker *)context;
	struct shop *shop = worker.shop;
	struct chunk_rows *rows;
	uint32_t number;

	free(context);
	while (take(shop, &number, &rows)) {
		if (!rows)
			rows = calloc(1, sizeof *rows);
		if (rows)
			row_maker_read_chunk(worker.maker, shop->order[number], rows);
		pthread_mutex_lock(&shop->lock);
		shop->slots[number % shop->slot_count] = (struct slot){rows, true};
		pthread_cond_broadcast(&shop->changed);
		pthread_mutex_unlock(&shop->lock);
	}
	return NULL;
}

static bool add_worker(struct shop *shop)
{
	struct row_maker *maker = make_row_maker(shop->listing);
	struct worker *worker = malloc(sizeof *worker);

	if (worker)
		*worker = (struct worker){shop, maker};
	if (maker && worker && (!shop->listing->writer || row_maker_begin_writing(maker)) &&
		!pthread_create(&shop->threads[shop->thread_count], NULL, work, worker)) {
		shop->presses[shop->thread_count++] = maker;
		return true;
	}
	free(worker);
	free_row_maker(maker);
	return false;
}

/* Once rows are the same whoever makes them. */
static void begin_workers(struct shop *shop, uint32_t from)
{
	uint32_t slots = shop->listing->workers + 2;

	if (shop->slots || shop->count - from < 2 || (shop->listing->writer && !table_writer_can_copy(shop->listing->writer)))
		return;
	shop->slots = calloc(slots, sizeof *shop->slots);
	shop->slot_count = slots;
	shop->taken = shop->used = from;
	while (shop->slots && shop->thread_count < shop->listing->workers && add_worker(shop))
		;
}

/* ---- the caller ---- */

static void starve(struct shop *shop)
{
	if (!shop->is_starved)
		diag_add(shop->listing->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: calls are missing");
	shop->is_starved = true;
}

static struct chunk_rows *wait_for(struct shop *shop, uint32_t number)
{
	struct slot *slot = &shop->slots[number % shop->slot_count];
	struct chunk_rows *rows;

	pthread_mutex_lock(&shop->lock);
	while (!slot->is_done)
		pthread_cond_wait(&shop->changed, &shop->lock);
	rows = slot->rows;
	*slot = (struct slot){0};
	shop->used = number + 1;
	pthread_cond_broadcast(&shop->changed);
	pthread_mutex_unlock(&shop->lock);
	return rows;
}

static struct chunk_rows *make_alone(struct shop *shop, uint32_t number)
{
	struct chunk_rows *rows = calloc(1, sizeof *rows);

	if (!shop->maker)
		shop->maker = make_row_maker(shop->listing);
	if (shop->maker && rows) {
		row_maker_read_chunk(shop->maker, shop->order[number], rows);
		return rows;
	}
	free(rows);
	return NULL;
}

/* The rows of the next chunk. Null: they are missing, and it was said. */
static struct chunk_rows *get_sheet(struct shop *shop, uint32_t number)
{
	const struct listing *listing = shop->listing;
	uint64_t offset = reader_get_chunk(listing->reader, shop->order[number]).offset;
	struct chunk_rows *rows;

	begin_workers(shop, number);
	rows = shop->thread_count ? wait_for(shop, number) : make_alone(shop, number);
	progress_update(listing->progress, offset);
	if (!rows || rows->is_starved)
		starve(shop);
	else if (rows->is_missing)
		diag_add(listing->diag, DIAG_WARN, listing->path, offset,
			"the chunk cannot be read a second time: its calls are missing");
	shop->mismatches += rows ? rows->mismatches : 0;
	return rows;
}

static void give_back(struct shop *shop, struct chunk_rows *rows)
{
	if (!rows->is_written) { /* the only kind that workers use is the other */
		chunk_rows_clear(rows);
		free(rows);
		return;
	}
	pthread_mutex_lock(&shop->lock);
	rows->next = shop->spare;
	shop->spare = rows;
	pthread_mutex_unlock(&shop->lock);
}

/* Rows [from, from + count) of the rows. */
static void put_rows(const struct listing *listing, struct chunk_rows *rows, size_t from, size_t count)
{
	size_t begin = from ? rows->is_written ? rows->ends[from - 1] : 0 : 0;

	if (count > calls_left(listing->calls))
		count = calls_left(listing->calls);
	if (!count)
		return;
	if (rows->is_written) {
		table_writer_put_rows(listing->writer, rows->bytes.bytes + begin, rows->ends[from + count - 1] - begin, count);
		calls_count(listing->calls, count);
		return;
	}
	for (size_t i = from; i < from + count; i++) {
		rows->calls[i].values = listing->wants_values ? &rows->values[i] : NULL;
		calls_write(listing->calls, &rows->calls[i]);
	}
}

static bool is_wanted(const struct listing *listing, const struct call *call)
{
	return call_filter_takes(listing->filter, model_get_clock(listing->model), call);
}

/* As it stands in the file, and then what is open at the end. */
static void write_by_exit(struct shop *shop)
{
	const struct listing *listing = shop->listing;
	const struct part_call *ends;
	size_t count;

	for (uint32_t i = 0; i < shop->count && !calls_is_done(listing->calls); i++) {
		struct chunk_rows *rows = get_sheet(shop, i);

		if (!rows)
			continue;
		put_rows(listing, rows, 0, rows->count);
		give_back(shop, rows);
	}
	ends = crossings_get_ends(listing->crossings, crossings_chunk_count(listing->crossings), &count);
	for (size_t i = 0; i < count; i++)
		if (is_wanted(listing, &ends[i].call))
			calls_write(listing->calls, &ends[i].call);
}

static void write_orphan(const struct listing *listing, const struct call *call)
{
	if (is_wanted(listing, call))
		calls_write(listing->calls, call);
}

static void write_by_entry(struct shop *shop)
{
	const struct listing *listing = shop->listing;
	struct merge *merge = make_merge(listing->reader, listing->model, listing->crossings);
	uint32_t next = 0;

	if (!merge) {
		starve(shop);
		return;
	}
	while (!calls_is_done(listing->calls)) {
		struct merge_run run = merge_take(merge, next < shop->count ? shop->order[next] : CROSSINGS_NO_CHUNK);

		if (run.orphan)
			write_orphan(listing, run.orphan);
		else if (run.rows)
			put_rows(listing, run.rows, run.from, run.count);
		else if (next == shop->count)
			break;
		else
			merge_add(merge, shop->order[next], get_sheet(shop, next));
		next += !run.orphan && !run.rows;
		for (struct chunk_rows *rows; (rows = merge_get_used(merge));)
			give_back(shop, rows);
	}
	for (struct chunk_rows *rows; (rows = merge_get_left(merge));)
		give_back(shop, rows);
	free_merge(merge);
}

/* ---- all of it ---- */

static int by_need(const void *left, const void *right, void *context)
{
	const struct crossings *crossings = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return merge_compare(crossings, a, b);
}

static bool make_order(struct shop *shop)
{
	const struct crossings *crossings = shop->listing->crossings;
	uint32_t chunks = crossings_chunk_count(crossings);

	shop->order = malloc((chunks + (size_t)1) * sizeof *shop->order);
	if (!shop->order)
		return false;
	for (uint32_t chunk = 0; chunk < chunks; chunk++)
		if (crossings_get_chunk(crossings, chunk)->is_selected)
			shop->order[shop->count++] = chunk;
	if (!shop->listing->by_exit && shop->count)
		qsort_r(shop->order, shop->count, sizeof *shop->order, by_need, (void *)crossings);
	return true;
}

static void stop(struct shop *shop)
{
	pthread_mutex_lock(&shop->lock);
	shop->stops = true;
	pthread_cond_broadcast(&shop->changed);
	pthread_mutex_unlock(&shop->lock);
	for (uint32_t i = 0; i < shop->thread_count; i++)
		pthread_join(shop->threads[i], NULL);
	for (uint32_t i = 0; i < shop->thread_count; i++)
		free_row_maker(shop->presses[i]);
	for (uint32_t i = 0; shop->slots && i < shop->slot_count; i++)
		if (shop->slots[i].rows)
			give_back(shop, shop->slots[i].rows);
	for (struct chunk_rows *rows; (rows = take_spare(shop));) {
		chunk_rows_clear(rows);
		free(rows);
	}
}

void listing_write(const struct listing *listing)
{
	struct shop shop = {.listing = listing};

	pthread_mutex_init(&shop.lock, NULL);
	pthread_cond_init(&shop.changed, NULL);
	if (!make_order(&shop))
		starve(&shop);
	else if (listing->by_exit)
		write_by_exit(&shop);
	else
		write_by_entry(&shop);
	stop(&shop);
	if (shop.mismatches)
		diag_add(listing->diag, DIAG_WARN, NULL, DIAG_NO_OFFSET, "the trace changed while it was read: %llu calls have no duration",
			(unsigned long long)shop.mismatches);
	free_row_maker(shop.maker);
	free(shop.slots);
	free(shop.order);
	pthread_mutex_destroy(&shop.lock);
	pthread_cond_destroy(&shop.changed);
}
