#include "query/parallel/parallel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/part.h"
#include "query/parallel/plan.h"

#define SEGMENT_CHUNKS_MAX 64u
#define SEGMENTS_OF_A_WORKER 8u /* so that all end at about the same time */

/* A segment in flight. */
struct slot {
	struct part *part;
	struct crop *crop; /* null: no harvest */
	struct gathering *gathering; /* null: no gather */
	bool is_done;
};

struct crew {
	const struct parallel *how;
	struct plan plan;
	uint32_t slot_count;
	struct slot *slots;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t taken, joined; /* segments */
	bool stops;
	bool failed;            /* a chunk could not be read as expected */
	struct reader_counts counts;
};

/* ---- workers ---- */

/* The crop of what is modelled without parts; null: none. */
static struct crop *get_crop(const struct parallel *how)
{
	if (how->harvest)
		return harvest_get_crop(how->harvest);
	return how->crossings ? crossings_get_crop(how->crossings) : NULL;
}

static bool is_spoilt(const struct crew *crew)
{
	return crew->how->harvest && harvest_has_failed(crew->how->harvest);
}

/* Every chunk is decoded to its end, also where its part is no use any more: its counts belong to the health of the file. */
static bool model_segment(const struct crew *crew, const struct segment *segment, struct reader_decoder *decoder, struct part *part)
{
	struct message message;

	part_begin(part, &crew->plan.threads[segment->thread], segment->is_first);
	for (uint32_t chunk = segment->first; chunk != PLAN_NONE; chunk = crew->plan.next_chunk[chunk]) {
		if (is_spoilt(crew) || !reader_decoder_load(decoder, chunk))
			return false;
		part_at_chunk(part, chunk, reader_get_chunk(crew->how->reader, chunk).offset);
		for (reader_decoder_next(decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(decoder, &message))
			part_feed(part, &message);
	}
	return true;
}

/* The next segment, once there is room for it. False: no more. */
static bool take(struct crew *crew, uint32_t *segment)
{
	pthread_mutex_lock(&crew->lock);
	while (!crew->stops && crew->taken < crew->plan.segment_count && crew->taken - crew->joined >= crew->slot_count)
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

static void tell(struct crew *crew, uint32_t segment, bool good)
{
	pthread_mutex_lock(&crew->lock);
	crew->slots[segment % crew->slot_count].is_done = true;
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

	if (decoder && !get_crop(crew->how) && !crew->how->gather && !model_get_header(crew->how->model)->clock_late)
		reader_decoder_want_runs(decoder);
	while (take(crew, &segment)) {
		struct part *part = crew->slots[segment % crew->slot_count].part;

		tell(crew, segment, decoder && model_segment(crew, &crew->plan.segments[segment], decoder, part));
	}
	if (decoder)
		add_counts(crew, reader_decoder_get_counts(decoder));
	free_reader_decoder(decoder);
	return NULL;
}

/* ---- joining ---- */

/* False: a worker could not read what it should. */
static bool wait_for(struct crew *crew, uint32_t segment)
{
	bool good;

	pthread_mutex_lock(&crew->lock);
	while (!crew->slots[segment % crew->slot_count].is_done)
		pthread_cond_wait(&crew->changed, &crew->lock);
	good = !crew->failed;
	pthread_mutex_unlock(&crew->lock);
	return good;
}

static void release(struct crew *crew, uint32_t segment)
{
	pthread_mutex_lock(&crew->lock);
	crew->slots[segment % crew->slot_count].is_done = false;
	crew->joined = segment + 1;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

/* Feeds the segment to the model itself. */
static bool model_again(const struct crew *crew, const struct segment *segment, struct reader_decoder *decoder)
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

static void keep(const struct parallel *how, struct crop *crop)
{
	if (how->harvest)
		harvest_keep(how->harvest, crop);
	else if (how->crossings)
		crossings_keep(how->crossings, crop);
}

static void drop(const struct parallel *how, struct crop *crop)
{
	if (how->harvest)
		harvest_drop(how->harvest, crop);
	else if (how->crossings)
		crop_empty(crop);
}

/* What is open began before what comes. */
static void cross(const struct parallel *how, uint32_t stream)
{
	for (uint32_t i = how->crossings ? model_open_count(how->model, stream) : 0; i--;)
		model_stack_tag_open(how->model, stream, 0, i, MODEL_TAG_INHERITED);
}

/* Tells of a segment, which is a chunk, that is joined, or will be fed again. from_ticks: where its stream stood before. */
static void add_crossed(
	struct crew *crew, const struct segment *segment, enum part_joined joined, enum part_off off, uint64_t from_ticks)
{
	struct known *known = &crew->plan.known[segment->thread];
	struct crossings_chunk chunk = {
		.previous = known->joined,
		.is_selected = crew->plan.threads[segment->thread].selected,
		.is_first = segment->is_first,
		.is_again = joined == PART_AGAIN,
		.off_unknown = off == PART_OFF_UNKNOWN,
		.from_ticks = from_ticks,
	};

	known->joined = segment->first;
	crossings_add_chunk(crew->how->crossings, &chunk);
}

static enum part_joined join(struct crew *crew, const struct segment *segment, struct slot *slot)
{
	const struct parallel *how = crew->how;
	uint32_t stream = crew->plan.threads[segment->thread].stream;
	enum part_joined joined;
	enum part_off off;
	uint64_t from_ticks;

	if (!slot->crop) {
		joined = model_join(how->model, slot->part);
		if (slot->gathering && joined == PART_JOINED)
			gather_keep(how->gather, slot->gathering);
		else if (slot->gathering)
			gather_drop(slot->gathering);
		return joined;
	}
	off = segment->is_first ? PART_OFF_MIXED : model_ask_off(how->model, slot->part);
	from_ticks = segment->is_first ? 0 : model_get_last_ticks(how->model, stream);
	joined = model_join(how->model, slot->part);
	if (joined == PART_JOINED && !segment->is_first && off == PART_OFF_MIXED)
		joined = PART_HOPELESS;
	if (joined == PART_AGAIN)
		cross(how, stream);
	if (segment->is_first && joined == PART_JOINED)
		from_ticks = model_get_first_ticks(how->model, stream);
	if (how->crossings)
		add_crossed(crew, segment, joined, off, from_ticks);
	if (joined == PART_JOINED) {
		if (!segment->is_first)
			crop_set_off_unknown(slot->crop, off == PART_OFF_UNKNOWN);
		keep(how, slot->crop);
	}
	drop(how, slot->crop);
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

		good = wait_for(crew, i);
		if (!good)
			break;
		joined = join(crew, segment, &crew->slots[i % crew->slot_count]);
		release(crew, i);
		good = joined == PART_JOINED || (joined == PART_AGAIN && model_again(crew, segment, decoder));
		if (get_crop(crew->how))
			keep(crew->how, get_crop(crew->how));
		if (crew->how->gather) /* of what was fed again */
			gather_keep(crew->how->gather, &crew->how->gather->own);
		if (segment->is_last)
			plan_tell_late(&crew->plan, crew->how->model, segment->thread);
		if (segment->is_last)
			model_end_stream(model, crew->plan.threads[segment->thread].stream);
		if (crew->how->progress)
			progress_update(crew->how->progress, reader_get_chunk(crew->how->reader, segment->last).offset);
		good = good && !(crew->how->progress && progress_is_cancelled(crew->how->progress));
	}
	for (uint32_t i = 0; i < crew->plan.known_count; i++)
		plan_tell_late(&crew->plan, model, i); /* of threads without any event */
	free_reader_decoder(decoder);
	return good;
}

static void stop(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->stops = true;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

static bool make_slots(struct crew *crew)
{
	bool good;

	crew->slot_count = crew->how->workers + 2;
	crew->slots = calloc(crew->slot_count, sizeof *crew->slots);
	good = crew->slots;
	for (uint32_t i = 0; good && i < crew->slot_count; i++) {
		crew->slots[i].part = make_part(crew->how->model);
		good = crew->slots[i].part;
		if (good && get_crop(crew->how)) {
			crew->slots[i].crop = make_crop(get_crop(crew->how)->owner);
			part_set_context(crew->slots[i].part, crew->slots[i].crop);
			good = crew->slots[i].crop;
		}
		if (good && crew->how->gather) {
			crew->slots[i].gathering = make_gathering(crew->how->gather);
			part_set_context(crew->slots[i].part, crew->slots[i].gathering);
			good = crew->slots[i].gathering;
		}
	}
	return good;
}

static bool run(struct crew *crew)
{
	pthread_t threads[PARALLEL_WORKERS_MAX];
	uint32_t count = 0;
	bool good = false;

	while (count < crew->how->workers && !pthread_create(&threads[count], NULL, work, crew))
		count++;
	if (count)
		good = join_all(crew);
	stop(crew);
	for (uint32_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return good && !crew->failed;
}

static void clear(struct crew *crew)
{
	for (uint32_t i = 0; crew->slots && i < crew->slot_count; i++)
		free_part(crew->slots[i].part);
	for (uint32_t i = 0; crew->slots && i < crew->slot_count; i++)
		free_crop(crew->slots[i].crop);
	for (uint32_t i = 0; crew->slots && i < crew->slot_count; i++)
		free_gathering(crew->slots[i].gathering);
	free(crew->slots);
	plan_clear(&crew->plan);
	pthread_mutex_destroy(&crew->lock);
	pthread_cond_destroy(&crew->changed);
}

/* What calls are found when the data is over has the new ids already. */
static bool end_parts(const struct parallel *how)
{
	uint32_t *map = NULL;
	size_t count = 0;
	bool good = model_end_parts(how->model, get_crop(how) || how->gather ? &map : NULL, &count);

	if (good && how->harvest)
		harvest_renumber(how->harvest, map, count);
	if (good && how->crossings)
		crossings_renumber(how->crossings, map, count);
	if (good && how->gather)
		gather_renumber(how->gather, map, count);
	free(map);
	return good;
}

/* By which chunk of a stream comes first, as entry_order has them. */
static uint32_t rank_of(const void *context, uint32_t stream)
{
	const struct crew *crew = context;
	uint32_t index = model_find_thread(crew->how->model, stream);

	return index < crew->plan.known_count ? crew->plan.known[index].first : PLAN_NONE;
}

/* Calls on several stacks of a thread are in no order by depth. */
static bool has_stacks(const struct model *model)
{
	bool any = false;

	for (uint32_t i = 0; i < model_thread_count(model); i++)
		any |= model_stack_count(model, model_get_thread(model, i).stream) > 1;
	return any;
}

/* What a single chunk makes of such a stream is not what all of it does. */
static bool was_in_doubt(const struct model *model)
{
	bool any = false;

	for (uint32_t i = 0; i < model_thread_count(model); i++)
		any |= model_was_in_doubt(model, model_get_thread(model, i).stream);
	return any;
}

static bool has_selected(const struct model *model)
{
	bool any = false;

	for (uint32_t i = 0; i < model_thread_count(model); i++)
		any |= model_get_thread(model, i).selected;
	return any;
}

/* Before anything is said of what was read. */
static bool can_finish(const struct parallel *how, const struct functions *functions)
{
	if (get_crop(how) && (!has_selected(how->model) || has_stacks(how->model)))
		return false;
	if (how->crossings)
		return !crossings_have_failed(how->crossings) && !functions_are_unsettled(functions) && !was_in_doubt(how->model);
	return !how->harvest || harvest_can_finish(how->harvest, how->model);
}

/* False: no memory, which only crossings need. */
static bool finish(const struct crew *crew)
{
	const struct parallel *how = crew->how;

	for (uint32_t i = 0; i < model_thread_count(how->model); i++)
		cross(how, model_get_thread(how->model, i).stream);
	if (how->crossings)
		crossings_end(how->crossings);
	model_finish(how->model);
	if (get_crop(how))
		keep(how, get_crop(how));
	if (how->harvest)
		harvest_sort(how->harvest, rank_of, crew);
	return !how->crossings || crossings_finish(how->crossings);
}

static uint32_t segment_chunks_of(const struct parallel *how)
{
	uint64_t chunks;

	if (how->crossings)
		return 1;
	if (how->segment_chunks)
		return how->segment_chunks;
	chunks = reader_chunk_count(how->reader) / (how->workers * SEGMENTS_OF_A_WORKER) + 1;
	return chunks < SEGMENT_CHUNKS_MAX ? (uint32_t)chunks : SEGMENT_CHUNKS_MAX;
}

bool parallel_read(const struct parallel *how)
{
	struct crew crew = {.how = how};
	const struct functions *functions = model_get_functions(how->model);
	bool good = reader_survey(how->reader) && plan_declare(&crew.plan, how->reader, how->model) && reader_begin_decoding(how->reader);

	pthread_mutex_init(&crew.lock, NULL);
	pthread_cond_init(&crew.changed, NULL);
	if (good && how->harvest)
		harvest_begin(how->harvest, how->model);
	if (good && how->gather)
		gather_begin(how->gather, how->model, how->reader);
	good = good && plan_cut(&crew.plan, how->reader, how->model, segment_chunks_of(how)) && model_begin_parts(how->model);
	good = good && make_slots(&crew) && run(&crew);
	good = good && can_finish(how, functions) && end_parts(how) && reader_end_decoding(how->reader, &crew.counts);
	good = good && finish(&crew);
	clear(&crew);
	return good && !(how->harvest && harvest_has_failed(how->harvest));
}
