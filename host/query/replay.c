#include "query/replay.h"

#include <stdlib.h>

#include "util/progress.h"

/* The spans of a stream, and the progress in them. */
struct lane {
	size_t next, end;    /* indexes of the spans that begin after all chunks so far; end is not included */
	uint64_t last_ticks; /* the latest end of all spans begun so far */
	bool begun, skipped; /* begun: a chunk was read; skipped: a chunk was passed over since */
	uint32_t stream;
};

struct replay {
	struct trace *trace;
	const struct replay_span *spans;
	struct lane *lanes;
	size_t lane_count;
	struct reader_decoder *decoder;
	struct model *model;
};

static int by_time(const void *a, const void *b)
{
	const struct replay_span *left = a, *right = b;

	if (left->stream != right->stream)
		return left->stream < right->stream ? -1 : 1;
	return left->first_ticks < right->first_ticks ? -1 : left->first_ticks > right->first_ticks;
}

static void make_lanes(struct replay *replay, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct replay_span *span = &replay->spans[i];

		if (!i || span[-1].stream != span->stream)
			replay->lanes[replay->lane_count++] = (struct lane){.next = i, .stream = span->stream};
		replay->lanes[replay->lane_count - 1].end = i + 1;
	}
}

static struct lane *find_lane(const struct replay *replay, uint32_t stream)
{
	size_t low = 0, high = replay->lane_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (replay->lanes[middle].stream < stream)
			low = middle + 1;
		else
			high = middle;
	}
	return low < replay->lane_count && replay->lanes[low].stream == stream ? &replay->lanes[low] : NULL;
}

/* Whether a span of the lane overlaps the chunk. pre: the chunks of a stream come in order of time. */
static bool is_wanted(const struct replay *replay, struct lane *lane, const struct reader_chunk *chunk)
{
	while (lane->next < lane->end && replay->spans[lane->next].first_ticks <= chunk->last_ticks) {
		const struct replay_span *span = &replay->spans[lane->next++];

		if (span->last_ticks > lane->last_ticks)
			lane->last_ticks = span->last_ticks;
	}
	return chunk->first_ticks <= lane->last_ticks;
}

/* Feeds a chunk to the model. After skipped chunks, the checkpoint tells the model that events were lost. */
static void play_chunk(struct replay *replay, struct lane *lane, uint64_t chunk)
{
	struct message message;

	if (!reader_decoder_load(replay->decoder, chunk)) {
		if (reader_decoder_is_starved(replay->decoder))
			diag_add(replay->trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: calls are missing");
		else
			diag_add(replay->trace->diag, DIAG_WARN, replay->trace->path,
				reader_get_chunk(replay->trace->reader, chunk).offset,
				"the chunk cannot be read a second time: its calls are missing");
		lane->skipped = true;
		return;
	}
	for (;;) {
		reader_decoder_next(replay->decoder, &message);
		if (message.kind == MESSAGE_END)
			break;
		if (message.kind == MESSAGE_CHECKPOINT) {
			message.checkpoint.first = !lane->begun;
			message.checkpoint.after_loss = lane->begun && (message.checkpoint.after_loss || lane->skipped);
		}
		model_feed(replay->model, &message);
	}
	lane->begun = true;
	lane->skipped = false;
}

/* Declares the threads of the streams, because the names of functions depend on the process. */
static void declare_threads(struct replay *replay)
{
	const struct model *all = replay->trace->model;

	for (size_t i = 0; i < replay->lane_count; i++) {
		uint32_t index = model_find_thread(all, replay->lanes[i].stream);
		struct message message = {.kind = MESSAGE_THREAD};
		struct model_thread thread;

		if (index == UINT32_MAX)
			continue;
		thread = model_get_thread(all, index);
		message.thread.stream = thread.stream;
		message.thread.process = thread.process;
		message.thread.tid = thread.tid;
		message.thread.name = thread.name;
		model_feed(replay->model, &message);
	}
}

static void play_all(struct replay *replay)
{
	const struct reader *reader = replay->trace->reader;
	uint64_t count = reader_chunk_count(reader);
	struct progress progress;

	progress_begin_count(&progress, replay->trace->watch, "reading again", count);
	for (uint64_t i = 0; i < count && !progress_is_cancelled(&progress); i++) {
		struct reader_chunk chunk = reader_get_chunk(reader, i);
		struct lane *lane = find_lane(replay, chunk.stream);

		progress_update(&progress, i);
		if (!lane)
			continue;
		if (is_wanted(replay, lane, &chunk))
			play_chunk(replay, lane, i);
		else
			lane->skipped = true;
	}
	progress_end(&progress);
}

bool replay_spans(struct trace *trace, struct replay_span *spans, size_t count, const struct model_options *options,
	const struct model **model)
{
	struct replay replay = {.trace = trace,
		.spans = spans,
		.lanes = calloc(count ? count : 1, sizeof *replay.lanes),
		.decoder = make_reader_decoder(trace->reader),
		.model = make_model(options, trace->diag)};
	bool good = replay.lanes && replay.decoder && replay.model;

	if (good) {
		*model = replay.model;
		qsort(spans, count, sizeof *spans, by_time);
		make_lanes(&replay, count);
		declare_threads(&replay);
		play_all(&replay);
		model_finish(replay.model);
	} else {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	}
	*model = NULL;
	free(replay.lanes);
	free_reader_decoder(replay.decoder);
	free_model(replay.model);
	return good;
}
