#include "cmd/parallel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/part.h"

#define SEGMENT_CHUNKS_MAX 32u
#define SEGMENTS_OF_A_WORKER 8u /* so that all end at about the same time */
#define CHUNK_NONE UINT32_MAX

struct segment {
	uint32_t thread;      /* of the model */
	uint32_t first, last; /* chunks */
	bool is_first, is_last; /* of its stream */
};

/* What is known of a thread of the model before its events. */
struct known {
	uint64_t told_offset, ended_offset;
	uint32_t process;
	uint32_t segment; /* that its chunks go to; CHUNK_NONE: none yet */
	uint32_t first;   /* of its chunks */
	uint32_t chunks;  /* in that */
	uint32_t late, last_late; /* what is told of it behind its last events, counted from 1; 0: nothing */
};

/* Time off the CPU that no events of the thread follow. */
struct late {
	struct message message;
	uint32_t next;
};

/* A segment in flight. */
struct slot {
	struct part *part;
	struct crop *crop; /* null: no harvest */
	bool is_done;
};

struct crew {
	const struct parallel *how;
	struct segment *segments;
	uint32_t segment_count, segment_capacity;
	uint32_t *next_chunk; /* of the same segment */
	uint32_t slot_count;
	struct slot *slots;
	struct known *known; /* by index of the thread */
	uint32_t known_count;
	struct late *lates;
	uint32_t late_count, late_capacity;
	struct model_thread *threads; /* as they were declared: the model's own change while parts are joined */

	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t taken, joined; /* segments */
	bool stops;
	bool failed;            /* a chunk could not be read as expected */
	struct reader_counts counts;
};

/* ---- the plan ---- */

static struct known *known_of(struct crew *crew, uint32_t stream)
{
	uint32_t index = model_find_thread(crew->how->model, stream);
	struct known *grown;

	if (index == UINT32_MAX)
		return NULL;
	if (index < crew->known_count)
		return &crew->known[index];
	grown = realloc(crew->known, (index + (size_t)1) * 2 * sizeof *grown);
	if (!grown)
		return NULL;
	crew->known = grown;
	for (; crew->known_count < (index + 1) * 2; crew->known_count++)
		grown[crew->known_count] = (struct known){UINT64_MAX, UINT64_MAX, 0, CHUNK_NONE, CHUNK_NONE, 0, 0, 0};
	return &grown[index];
}

static bool note_thread(struct crew *crew, const struct message *message)
{
	struct known *thread = known_of(crew, message->thread.stream);

	if (!thread)
		return false;
	if (thread->told_offset == UINT64_MAX) {
		thread->told_offset = message->offset;
		thread->process = message->thread.process;
	}
	if (message->thread.ended && thread->ended_offset == UINT64_MAX)
		thread->ended_offset = message->offset;
	return thread->process == message->thread.process;
}

/* Keeps it for when the thread's events are over. */
static bool keep_late(struct crew *crew, const struct message *message)
{
	struct known *thread = known_of(crew, message->switches.stream);
	size_t bytes = message->switches.count * sizeof *message->switches.switches;
	struct message_switch *copy;
	struct late *late;

	if (!thread || message->offset < thread->told_offset || message->offset > thread->ended_offset)
		return false;
	if (crew->late_count == crew->late_capacity) {
		uint32_t capacity = crew->late_capacity ? crew->late_capacity * 2 : 16;
		struct late *grown = realloc(crew->lates, capacity * sizeof *grown);

		if (!grown)
			return false;
		crew->lates = grown;
		crew->late_capacity = capacity;
	}
	copy = malloc(bytes ? bytes : 1);
	if (!copy)
		return false;
	if (bytes)
		memcpy(copy, message->switches.switches, bytes);
	late = &crew->lates[crew->late_count++];
	*late = (struct late){*message, 0};
	late->message.switches.switches = copy;
	if (thread->late)
		crew->lates[thread->last_late - 1].next = crew->late_count;
	else
		thread->late = crew->late_count;
	thread->last_late = crew->late_count;
	return true;
}

static void tell_late(struct crew *crew, struct known *thread)
{
	for (uint32_t at = thread->late; at; at = crew->lates[at - 1].next)
		model_feed(crew->how->model, &crew->lates[at - 1].message);
	thread->late = 0;
}

/* False: what a declaration means depends on where in the file it stands. */
static bool feed_declarations(struct crew *crew)
{
	struct reader *reader = crew->how->reader;
	struct message message;
	bool good = true;

	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message)) {
		if (message.kind == MESSAGE_SWITCHES) {
			good = good && keep_late(crew, &message);
			continue;
		}
		model_feed(crew->how->model, &message);
		if (message.kind == MESSAGE_THREAD)
			good = good && note_thread(crew, &message);
	}
	return good && model_get_clock(crew->how->model)->has_origin;
}

static struct segment *add_segment(struct crew *crew)
{
	if (crew->segment_count == crew->segment_capacity) {
		uint32_t capacity = crew->segment_capacity ? crew->segment_capacity * 2 : 64;
		struct segment *grown = realloc(crew->segments, capacity * sizeof *grown);

		if (!grown)
			return NULL;
		crew->segments = grown;
		crew->segment_capacity = capacity;
	}
	return &crew->segments[crew->segment_count++];
}

static bool plan_chunk(struct crew *crew, struct known *thread, uint32_t index, uint32_t chunk, uint32_t segment_chunks)
{
	struct reader_chunk at = reader_get_chunk(crew->how->reader, chunk);
	bool is_first = thread->segment == CHUNK_NONE;
	struct segment *segment;

	if (at.offset < thread->told_offset || at.offset > thread->ended_offset)
		return false;
	if (is_first)
		thread->first = chunk;
	if (is_first || thread->chunks >= segment_chunks) {
		segment = add_segment(crew);
		if (!segment)
			return false;
		if (!is_first)
			crew->segments[thread->segment].is_last = false;
		*segment = (struct segment){index, chunk, chunk, is_first, true};
		thread->segment = crew->segment_count - 1;
		thread->chunks = 0;
	} else {
		segment = &crew->segments[thread->segment];
		crew->next_chunk[segment->last] = chunk;
		segment->last = chunk;
	}
	crew->next_chunk[chunk] = CHUNK_NONE;
	thread->chunks++;
	return true;
}

static bool keep_threads(struct crew *crew)
{
	uint32_t count = model_thread_count(crew->how->model);

	crew->threads = malloc(count * sizeof *crew->threads);
	for (uint32_t i = 0; crew->threads && i < count; i++)
		crew->threads[i] = model_get_thread(crew->how->model, i);
	return crew->threads;
}

static bool plan(struct crew *crew)
{
	const struct parallel *how = crew->how;
	uint64_t chunks = reader_chunk_count(how->reader);
	uint64_t segment_chunks = how->segment_chunks;

	if (!chunks || chunks >= CHUNK_NONE)
		return false;
	if (!segment_chunks) {
		segment_chunks = chunks / (how->workers * SEGMENTS_OF_A_WORKER) + 1;
		segment_chunks = segment_chunks < SEGMENT_CHUNKS_MAX ? segment_chunks : SEGMENT_CHUNKS_MAX;
	}
	crew->next_chunk = malloc(chunks * sizeof *crew->next_chunk);
	for (uint32_t chunk = 0; crew->next_chunk && chunk < chunks; chunk++) {
		uint32_t index = model_find_thread(how->model, reader_get_chunk(how->reader, chunk).stream);

		if (index >= crew->known_count || !plan_chunk(crew, &crew->known[index], index, chunk, (uint32_t)segment_chunks))
			return false;
	}
	return crew->next_chunk && keep_threads(crew);
}

/* ---- workers ---- */

static bool is_spoilt(const struct crew *crew)
{
	return crew->how->harvest && harvest_has_failed(crew->how->harvest);
}

/* Every chunk is decoded to its end, also where its part is no use any more: its counts belong to the health of the file. */
static bool model_segment(const struct crew *crew, const struct segment *segment, struct reader_decoder *decoder, struct part *part)
{
	struct message message;

	part_begin(part, &crew->threads[segment->thread], segment->is_first);
	for (uint32_t chunk = segment->first; chunk != CHUNK_NONE; chunk = crew->next_chunk[chunk]) {
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
	while (!crew->stops && crew->taken < crew->segment_count && crew->taken - crew->joined >= crew->slot_count)
		pthread_cond_wait(&crew->changed, &crew->lock);
	*segment = crew->taken;
	if (crew->stops || crew->taken == crew->segment_count) {
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

	while (take(crew, &segment))
		tell(crew, segment,
			decoder && model_segment(crew, &crew->segments[segment], decoder, crew->slots[segment % crew->slot_count].part));
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

	for (uint32_t chunk = segment->first; chunk != CHUNK_NONE; chunk = crew->next_chunk[chunk]) {
		if (!reader_decoder_load(decoder, chunk))
			return false;
		model_at_chunk(model, chunk, reader_get_chunk(crew->how->reader, chunk).offset, chunk == segment->first);
		for (reader_decoder_next(decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(decoder, &message))
			model_feed(model, &message);
	}
	return true;
}

void parallel_carry(void *context, uint32_t depth, const struct profile_off *self, const struct profile_off *total)
{
	crop_carry(context, depth, self, total);
}

static enum part_joined join(struct crew *crew, const struct segment *segment, struct slot *slot)
{
	enum part_joined joined;
	enum part_off off;

	if (!slot->crop)
		return model_join(crew->how->model, slot->part);
	off = segment->is_first ? PART_OFF_MIXED : model_ask_off(crew->how->model, slot->part);
	joined = model_join(crew->how->model, slot->part);
	if (joined == PART_JOINED && !segment->is_first && off == PART_OFF_MIXED)
		joined = PART_HOPELESS;
	if (joined == PART_JOINED) {
		if (!segment->is_first)
			crop_set_off_unknown(slot->crop, off == PART_OFF_UNKNOWN);
		crop_keep(slot->crop);
	}
	crop_empty(slot->crop);
	return joined;
}

static bool join_all(struct crew *crew)
{
	struct model *model = crew->how->model;
	struct reader_decoder *decoder = make_reader_decoder(crew->how->reader);
	bool good = decoder;

	for (uint32_t i = 0; good && i < crew->segment_count; i++) {
		const struct segment *segment = &crew->segments[i];
		enum part_joined joined;

		good = wait_for(crew, i);
		if (!good)
			break;
		joined = join(crew, segment, &crew->slots[i % crew->slot_count]);
		release(crew, i);
		good = joined == PART_JOINED || (joined == PART_AGAIN && model_again(crew, segment, decoder));
		if (crew->how->harvest)
			crop_keep(harvest_get_crop(crew->how->harvest));
		if (segment->is_last)
			tell_late(crew, &crew->known[segment->thread]);
		if (segment->is_last)
			model_end_stream(model, crew->threads[segment->thread].stream);
		if (crew->how->progress)
			progress_update(crew->how->progress, reader_get_chunk(crew->how->reader, segment->last).offset);
	}
	for (uint32_t i = 0; i < crew->known_count; i++)
		tell_late(crew, &crew->known[i]); /* of threads without any event */
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
		if (good && crew->how->harvest) {
			crew->slots[i].crop = make_crop(crew->how->harvest);
			part_set_context(crew->slots[i].part, crew->slots[i].crop);
			good = crew->slots[i].crop;
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
	free(crew->slots);
	free(crew->segments);
	for (uint32_t i = 0; i < crew->late_count; i++)
		free((void *)crew->lates[i].message.switches.switches);
	free(crew->lates);
	free(crew->known);
	free(crew->next_chunk);
	free(crew->threads);
	pthread_mutex_destroy(&crew->lock);
	pthread_cond_destroy(&crew->changed);
}

/* What calls are found when the data is over has the new ids already. */
static bool end_parts(const struct parallel *how)
{
	uint32_t *map = NULL;
	size_t count = 0;
	bool good = model_end_parts(how->model, how->harvest ? &map : NULL, &count);

	if (good && how->harvest)
		harvest_renumber(how->harvest, map, count);
	free(map);
	return good;
}

/* By which chunk of a stream comes first, as entry_order has them. */
static uint32_t rank_of(const void *context, uint32_t stream)
{
	const struct crew *crew = context;
	uint32_t index = model_find_thread(crew->how->model, stream);

	return index < crew->known_count ? crew->known[index].first : CHUNK_NONE;
}

/* Calls on several stacks of a thread are in no order by depth. */
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

/* Before anything is said of what was read. */
static bool can_finish(const struct parallel *how)
{
	return !how->harvest ||
	       (has_selected(how->model) && !has_stacks(how->model) && harvest_can_finish(how->harvest, how->model));
}

static void finish(const struct crew *crew)
{
	struct harvest *harvest = crew->how->harvest;

	model_finish(crew->how->model);
	if (!harvest)
		return;
	crop_keep(harvest_get_crop(harvest));
	harvest_sort(harvest, rank_of, crew);
}

bool parallel_read(const struct parallel *how)
{
	struct crew crew = {.how = how};
	bool good = reader_survey(how->reader) && feed_declarations(&crew) && reader_begin_decoding(how->reader);

	pthread_mutex_init(&crew.lock, NULL);
	pthread_cond_init(&crew.changed, NULL);
	if (good && how->harvest)
		harvest_begin(how->harvest, how->model);
	good = good && plan(&crew) && model_begin_parts(how->model) && make_slots(&crew) && run(&crew);
	good = good && can_finish(how) && end_parts(how) && reader_end_decoding(how->reader, &crew.counts);
	if (good)
		finish(&crew);
	clear(&crew);
	return good && !(how->harvest && harvest_has_failed(how->harvest));
}
