#include "query/parallel/parallel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/part.h"
#include "query/parallel/plan.h"

/* Memory for a segment in progress. Segment number n uses work_items[n % work_item_count]. */
struct work_item {
	struct part *part;
	struct part_calls *part_calls; /* null: no selection */
	struct page_part *page_part; /* null: no page_calls */
	bool is_done; /* a worker has modelled the segment, or has failed; it can be joined */
};

/* Shared by the workers and the calling thread, which joins. lock protects the members after it, and is_done of each slot. */
struct crew {
	const struct parallel *how;
	struct plan plan;
	uint32_t work_item_count;
	struct work_item *work_items;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t taken, joined; /* number of segments that workers have taken, and that were joined */
	bool stops;             /* workers take no more segments */
	bool failed;            /* a chunk could not be read as expected */
	struct reader_counts counts;
};

/* ---- workers ---- */

/* The part_calls for calls outside of parts; null: no selection. */
static struct part_calls *get_part_calls(const struct parallel *how)
{
	return how->selection ? selection_get_part_calls(how->selection) : NULL;
}

/* Whether the selection has failed, so that reading on is useless. */
static bool has_selection_failed(const struct crew *crew)
{
	return crew->how->selection && selection_has_failed(crew->how->selection);
}

/* Models a segment. Each chunk is decoded to its end even if the part is no longer useful, because the counts of a chunk belong
 * to the health of the file. False: a chunk cannot be decoded, or the selection has failed. */
static bool model_segment(const struct crew *crew, const struct segment *segment, struct reader_decoder *decoder, struct part *part)
{
	struct message message;

	part_begin(part, &crew->plan.threads[segment->thread], segment->is_first);
	for (uint32_t chunk = segment->first; chunk != PLAN_NONE; chunk = crew->plan.next_chunk[chunk]) {
		if (has_selection_failed(crew) || !reader_decoder_load(decoder, chunk))
			return false;
		part_at_chunk(part, chunk, reader_get_chunk(crew->how->reader, chunk).offset);
		for (reader_decoder_next(decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(decoder, &message))
			part_feed(part, &message);
	}
	part_end(part);
	return true;
}

/* Waits for a free slot and takes the next segment. False: there are no more segments. */
static bool take_segment(struct crew *crew, uint32_t *segment)
{
	pthread_mutex_lock(&crew->lock);
	while (!crew->stops && crew->taken < crew->plan.segment_count && crew->taken - crew->joined >= crew->work_item_count)
		pthread_cond_wait(&crew->changed, &crew->lock);
	*segment = crew->taken;
	if (crew->stops || crew->taken == crew->plan.segment_count) {
		pthread_mutex_unlock(&crew->lock);
		return false;
	}
	crew->taken++;
	pthread_mutex_unlock(&crew->lock);
	return true;
}

/* Reports a segment as done. good: the result of model_segment. */
static void report_done(struct crew *crew, uint32_t segment, bool good)
{
	pthread_mutex_lock(&crew->lock);
	crew->work_items[segment % crew->work_item_count].is_done = true;
	crew->failed |= !good;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

static void add_counts(struct crew *crew, struct reader_counts counts)
{
	pthread_mutex_lock(&crew->lock);
	crew->counts.events += counts.events;
	crew->counts.holes += counts.holes;
	crew->counts.late_stamps += counts.late_stamps;
	crew->counts.unknown_tags += counts.unknown_tags;
	crew->counts.odd |= counts.odd;
	pthread_mutex_unlock(&crew->lock);
}

static void *work(void *context)
{
	struct crew *crew = context;
	struct reader_decoder *decoder = make_reader_decoder(crew->how->reader);
	uint32_t segment;

	if (decoder && !get_part_calls(crew->how) && !crew->how->page_calls && !model_get_header(crew->how->model)->clock_late)
		reader_decoder_want_packed(decoder);
	while (take_segment(crew, &segment)) {
		struct part *part = crew->work_items[segment % crew->work_item_count].part;

		report_done(crew, segment, decoder && model_segment(crew, &crew->plan.segments[segment], decoder, part));
	}
	if (decoder)
		add_counts(crew, reader_decoder_get_counts(decoder));
	free_reader_decoder(decoder);
	return NULL;
}

/* ---- joining ---- */

/* Waits until the segment is done. False: a worker has failed, with this segment or another segment. */
static bool wait_for_segment(struct crew *crew, uint32_t segment)
{
	bool good;

	pthread_mutex_lock(&crew->lock);
	while (!crew->work_items[segment % crew->work_item_count].is_done)
		pthread_cond_wait(&crew->changed, &crew->lock);
	good = !crew->failed;
	pthread_mutex_unlock(&crew->lock);
	return good;
}

/* Frees the segment's slot for a later segment. */
static void release_segment(struct crew *crew, uint32_t segment)
{
	pthread_mutex_lock(&crew->lock);
	crew->work_items[segment % crew->work_item_count].is_done = false;
	crew->joined = segment + 1;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

/* Feeds the segment to the model directly, because its part cannot be joined. False: a chunk cannot be decoded. */
static bool feed_segment(const struct crew *crew, const struct segment *segment, struct reader_decoder *decoder)
{
	struct model *model = crew->how->model;
	struct message message;

	for (uint32_t chunk = segment->first; chunk != PLAN_NONE; chunk = crew->plan.next_chunk[chunk]) {
		if (!reader_decoder_load(decoder, chunk))
			return false;
		model_at_chunk(model, chunk, reader_get_chunk(crew->how->reader, chunk).offset, chunk == segment->first);
		for (reader_decoder_next(decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(decoder, &message))
			model_feed(model, &message);
	}
	return true;
}

/* Joins the segment's part with the model. Keeps the part's calls if the part was joined, else drops them. A selection does not
 * survive a part with PART_OFF_CPU_MIXED: calls that began before the part would have wrong times off the CPU. */
static enum part_joined join_segment(struct crew *crew, const struct segment *segment, struct work_item *work_item)
{
	const struct parallel *how = crew->how;
	enum part_joined joined;
	enum part_off_cpu off;

	if (!work_item->part_calls) {
		joined = model_join(how->model, work_item->part);
		if (work_item->page_part && joined == PART_JOINED)
			page_calls_keep(how->page_calls, work_item->page_part);
		else if (work_item->page_part)
			page_calls_drop(work_item->page_part);
		return joined;
	}
	off = segment->is_first ? PART_OFF_CPU_MIXED : model_get_part_off_cpu(how->model, work_item->part);
	joined = model_join(how->model, work_item->part);
	if (joined == PART_JOINED && !segment->is_first && off == PART_OFF_CPU_MIXED)
		joined = PART_SERIAL;
	if (joined == PART_JOINED) {
		if (!segment->is_first)
			part_calls_set_off_unknown(work_item->part_calls, off == PART_OFF_CPU_UNKNOWN);
		selection_keep(how->selection, work_item->part_calls);
	}
	selection_drop(how->selection, work_item->part_calls);
	return joined;
}

static bool join_all(struct crew *crew)
{
	struct model *model = crew->how->model;
	struct reader_decoder *decoder = make_reader_decoder(crew->how->reader);
	bool good = decoder;

	for (uint32_t i = 0; good && i < crew->plan.segment_count; i++) {
		const struct segment *segment = &crew->plan.segments[i];
		enum part_joined joined;

		good = wait_for_segment(crew, i);
		if (!good)
			break;
		joined = join_segment(crew, segment, &crew->work_items[i % crew->work_item_count]);
		release_segment(crew, i);
		if (crew->how->refed_count)
			*crew->how->refed_count += joined == PART_REFEED;
		good = joined == PART_JOINED || (joined == PART_REFEED && feed_segment(crew, segment, decoder));
		if (crew->how->selection)
			selection_keep(crew->how->selection, get_part_calls(crew->how));
		if (crew->how->page_calls) /* calls of segments that were fed again */
			page_calls_keep(crew->how->page_calls, &crew->how->page_calls->own);
		if (segment->is_last)
			plan_feed_late(&crew->plan, crew->how->model, segment->thread);
		if (segment->is_last)
			model_end_stream(model, crew->plan.threads[segment->thread].stream);
		if (crew->how->progress)
			progress_update(crew->how->progress, reader_get_chunk(crew->how->reader, segment->last).offset);
		good = good && !(crew->how->progress && progress_is_cancelled(crew->how->progress));
	}
	for (uint32_t i = 0; i < crew->plan.declared_thread_count; i++)
		plan_feed_late(&crew->plan, model, i); /* threads without any event */
	free_reader_decoder(decoder);
	return good;
}

static void stop_workers(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->stops = true;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

static bool make_work_items(struct crew *crew)
{
	bool good;

	crew->work_item_count = crew->how->workers + 2;
	crew->work_items = calloc(crew->work_item_count, sizeof *crew->work_items);
	good = crew->work_items;
	for (uint32_t i = 0; good && i < crew->work_item_count; i++) {
		crew->work_items[i].part = make_part(crew->how->model);
		good = crew->work_items[i].part;
		if (good && get_part_calls(crew->how)) {
			crew->work_items[i].part_calls = make_part_calls(get_part_calls(crew->how)->owner);
			part_set_context(crew->work_items[i].part, crew->work_items[i].part_calls);
			good = crew->work_items[i].part_calls;
		}
		if (good && crew->how->page_calls) {
			crew->work_items[i].page_part = make_page_part(crew->how->page_calls);
			part_set_context(crew->work_items[i].part, crew->work_items[i].page_part);
			good = crew->work_items[i].page_part;
		}
	}
	return good;
}

/* Starts the workers, joins all segments, and waits for the workers. False: failed. */
static bool run_workers(struct crew *crew)
{
	pthread_t threads[PARALLEL_WORKERS_MAX];
	uint32_t count = 0;
	bool good = false;

	while (count < crew->how->workers && !pthread_create(&threads[count], NULL, work, crew))
		count++;
	if (count)
		good = join_all(crew);
	stop_workers(crew);
	for (uint32_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return good && !crew->failed;
}

static void clear_crew(struct crew *crew)
{
	for (uint32_t i = 0; crew->work_items && i < crew->work_item_count; i++)
		free_part(crew->work_items[i].part);
	for (uint32_t i = 0; crew->work_items && i < crew->work_item_count; i++)
		free_part_calls(crew->work_items[i].part_calls);
	for (uint32_t i = 0; crew->work_items && i < crew->work_item_count; i++)
		free_page_part(crew->work_items[i].page_part);
	free(crew->work_items);
	plan_clear(&crew->plan);
	pthread_mutex_destroy(&crew->lock);
	pthread_cond_destroy(&crew->changed);
}

/* Ends all parts. Function ids change, so the kept calls get the new ids. Calls that model_end_parts reports have the new ids
 * already. */
static bool end_parts(const struct parallel *how)
{
	uint32_t *map = NULL;
	size_t count = 0;
	bool good = model_end_parts(how->model, get_part_calls(how) || how->page_calls ? &map : NULL, &count);

	if (good && how->selection)
		selection_renumber(how->selection, map, count);
	if (good && how->page_calls)
		page_calls_renumber(how->page_calls, map, count);
	free(map);
	return good;
}

/* The rank of a stream: its first chunk, as in entry_order. */
static uint32_t rank_of(const void *context, uint32_t stream)
{
	const struct crew *crew = context;
	uint32_t index = model_find_thread(crew->how->model, stream);

	return index < crew->plan.declared_thread_count ? crew->plan.declared_thread[index].first : PLAN_NONE;
}

/* Calls on several stacks of one thread have no common order by depth. */
static bool has_stacks(const struct model *model)
{
	bool any = false;

	for (uint32_t i = 0; i < model_thread_count(model); i++)
		any |= model_stack_count(model, model_get_thread(model, i).stream) > 1;
	return any;
}

static bool has_selected(const struct model *model)
{
	bool any = false;

	for (uint32_t i = 0; i < model_thread_count(model); i++)
		any |= model_get_thread(model, i).selected;
	return any;
}

/* Checks that the result is usable, before any diag is written. */
static bool can_finish(const struct parallel *how)
{
	if (get_part_calls(how) && (!has_selected(how->model) || has_stacks(how->model)))
		return false;
	return !how->selection || selection_can_finish(how->selection, how->model);
}

static void finish(const struct crew *crew)
{
	const struct parallel *how = crew->how;

	model_finish(how->model);
	if (!how->selection)
		return;
	selection_keep(how->selection, get_part_calls(how));
	selection_sort(how->selection, rank_of, crew);
}

bool parallel_read(const struct parallel *how)
{
	struct crew crew = {.how = how};
	bool good = reader_survey(how->reader) && plan_declare(&crew.plan, how->reader, how->model) &&
		    reader_begin_decoding(how->reader);

	pthread_mutex_init(&crew.lock, NULL);
	pthread_cond_init(&crew.changed, NULL);
	if (good && how->selection)
		selection_begin(how->selection, how->model);
	if (good && how->page_calls)
		page_calls_begin(how->page_calls, how->model, how->reader);
	good = good && plan_cut(&crew.plan, how->reader, how->model, how->workers, how->segment_chunks) &&
	       model_begin_parts(how->model);
	good = good && make_work_items(&crew) && run_workers(&crew);
	good = good && can_finish(how) && end_parts(how) && reader_end_decoding(how->reader, &crew.counts);
	if (good)
		finish(&crew);
	clear_crew(&crew);
	return good && !(how->selection && selection_has_failed(how->selection));
}
