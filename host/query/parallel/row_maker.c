#include "query/parallel/row_maker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/part.h"
#include "util/array.h"
#include "writer/writer.h"

/* Tags of calls that began in the chunk, by entry: position in the rows, and this. Others are MODEL_TAGs. */
#define TAG_ROW 16u
#define TAG_NONE 15u /* there was no room for it */

struct row_maker {
	const struct listing *listing;
	struct reader_decoder *decoder;
	struct part *part;
	struct call_filter filter; /* the listing's, but for the pattern: */
	struct pattern *pattern;   /* null: any function */
	struct chunk_rows *rows;
	struct chunk_rows scratch;    /* the calls, where they are written */
	uint32_t chunk;
	const struct crossings_chunk *known; /* of the chunk */
	bool collects;           /* the chunk is being fed, and not one before it */
	const struct part_call *ends; /* by exit: of calls that ended in the chunk and began before it, those that are to come */
	size_t end_count;
	/* To write with. */
	struct calls *calls;     /* null: not yet */
	struct table_sink writer;
};

void chunk_rows_clear(struct chunk_rows *rows)
{
	free(rows->bytes.bytes);
	free(rows->ends);
	free(rows->ticks);
	free(rows->calls);
	free(rows->values);
	*rows = (struct chunk_rows){0};
}

static enter_fn enter;
static call_fn leave_by_entry, leave_by_exit;

struct row_maker *make_row_maker(const struct listing *listing)
{
	struct row_maker *maker = calloc(1, sizeof *maker);
	const struct model_options options = {.want_values = listing->wants_values,
		.on_enter = listing->by_exit ? NULL : enter,
		.on_call = listing->by_exit ? leave_by_exit : leave_by_entry,
		.context = maker};

	if (!maker)
		return NULL;
	maker->listing = listing;
	maker->filter = *listing->filter;
	maker->filter.pattern = NULL;
	maker->decoder = make_reader_decoder(listing->reader);
	maker->part = make_part_again(listing->model, &options);
	if (listing->function)
		maker->pattern = make_pattern(listing->function, model_get_functions(listing->model));
	if (maker->decoder && maker->part && (maker->pattern || !listing->function))
		return maker;
	free_row_maker(maker);
	return NULL;
}

void free_row_maker(struct row_maker *maker)
{
	if (!maker)
		return;
	free_reader_decoder(maker->decoder);
	free_part(maker->part);
	free_pattern(maker->pattern);
	free_calls(maker->calls);
	free_table_writer(&maker->writer);
	chunk_rows_clear(&maker->scratch);
	free(maker);
}

bool row_maker_begin_writing(struct row_maker *maker)
{
	maker->writer = make_table_writer_copy(maker->listing->writer, NULL);
	if (maker->writer.context)
		maker->calls = make_calls_copy(maker->listing->calls, &maker->writer);
	return maker->calls;
}

/* ---- rows ---- */

static bool is_wanted(const struct row_maker *maker, const struct call *call)
{
	return call_filter_takes(&maker->filter, model_get_clock(maker->listing->model), call) &&
	       (!maker->pattern || pattern_matches(maker->pattern, call->function));
}

/* Where calls are collected: those that are written need not be kept. */
static struct chunk_rows *get_calls(struct row_maker *maker)
{
	return maker->calls ? &maker->scratch : maker->rows;
}

/* Room for one more. Null: no memory. */
static struct call *add(struct row_maker *maker)
{
	struct chunk_rows *rows = get_calls(maker);

	if (!array_reserve(&rows->calls, &rows->call_capacity, rows->count + 1, sizeof *rows->calls) ||
		(maker->listing->wants_values &&
			!array_reserve(&rows->values, &rows->value_capacity, rows->count + 1, sizeof *rows->values))) {
		maker->rows->is_starved = true;
		return NULL;
	}
	if (maker->listing->wants_values)
		rows->values[rows->count] = (struct call_values){0};
	return &rows->calls[rows->count++];
}

static void write_row(struct row_maker *maker, const struct call *call)
{
	struct chunk_rows *rows = maker->rows;

	if (!array_reserve(&rows->ends, &rows->end_capacity, rows->count + 1, sizeof *rows->ends) ||
		!array_reserve(&rows->ticks, &rows->tick_capacity, rows->count + 1, sizeof *rows->ticks)) {
		rows->is_starved = true;
		return;
	}
	calls_write(maker->calls, call);
	rows->ticks[rows->count] = call->enter_ticks;
	rows->ends[rows->count++] = table_writer_count_bytes(&maker->writer);
}

/* ---- by exit ---- */

static void put(struct row_maker *maker, const struct call *call)
{
	struct call *to;

	if (!is_wanted(maker, call))
		return;
	if (maker->calls)
		write_row(maker, call);
	else if ((to = add(maker)))
		*to = *call;
}

static void leave_by_exit(void *context, const struct call *call)
{
	struct row_maker *maker = context;
	struct call known = *call;

	if (!maker->collects)
		return;
	if (call->tag == MODEL_TAG_SEEN) {
		if (!maker->known->is_first)
			known.off_unknown = maker->known->off_unknown;
		put(maker, &known);
		return;
	}
	if (!maker->end_count || maker->ends->call.depth != call->depth || maker->ends->call.exit_ticks != call->exit_ticks) {
		maker->rows->mismatches++;
		return;
	}
	put(maker, &maker->ends->call);
	maker->ends++;
	maker->end_count--;
}

/* ---- by entry ---- */

static uint32_t enter(void *context, const struct call *call)
{
	struct row_maker *maker = context;
	struct call *row = maker->collects ? add(maker) : NULL;

	if (!row)
		return TAG_NONE;
	*row = *call;
	row->tag = MODEL_TAG_INHERITED; /* until it ends here */
	return (uint32_t)(get_calls(maker)->count - 1) + TAG_ROW;
}

static void leave_by_entry(void *context, const struct call *call)
{
	struct row_maker *maker = context;
	struct chunk_rows *rows = get_calls(maker);
	struct call *row;

	if (call->tag < TAG_ROW || !maker->collects)
		return;
	row = &rows->calls[call->tag - TAG_ROW];
	*row = *call;
	row->tag = MODEL_TAG_SEEN;
	row->values = NULL;
	if (!maker->known->is_first)
		row->off_unknown = maker->known->off_unknown;
	if (call->values)
		rows->values[call->tag - TAG_ROW] = *call->values;
}

/* What is known of open calls is what they were given. */
static void take_args(struct row_maker *maker)
{
	struct chunk_rows *rows = get_calls(maker);

	for (uint32_t i = maker->listing->wants_values ? part_open_count(maker->part) : 0; i--;) {
		const struct call open = part_get_open(maker->part, i);

		if (open.tag < TAG_ROW)
			continue;
		if (open.values)
			call_values_take_given(&rows->values[open.tag - TAG_ROW], open.values);
	}
}

/* The calls that the chunk leaves open end as the first pass saw it. */
static void fill_open(struct row_maker *maker)
{
	struct chunk_rows *rows = get_calls(maker);

	take_args(maker);
	for (size_t i = 0; i < rows->count; i++) {
		struct call *row = &rows->calls[i];
		const struct part_call *end;

		if (row->tag != MODEL_TAG_INHERITED)
			continue;
		end = crossings_find(maker->listing->crossings, row, maker->chunk);
		if (!end) {
			maker->rows->mismatches++;
			continue;
		}
		*row = end->call;
		if (end->has_ret && maker->listing->wants_values) {
			rows->values[i].ret = end->ret;
			rows->values[i].has_ret = true;
		}
	}
}

/* Drops those that nobody wants, or writes the others. */
static void finish_by_entry(struct row_maker *maker)
{
	struct chunk_rows *rows = get_calls(maker);
	size_t count = rows->count, kept = 0;

	fill_open(maker);
	for (size_t i = 0; i < count; i++) {
		struct call *row = &rows->calls[i];

		if (!is_wanted(maker, row))
			continue;
		if (maker->calls) {
			row->values = maker->listing->wants_values ? &rows->values[i] : NULL;
			write_row(maker, row);
			continue;
		}
		if (!array_reserve(&rows->ticks, &rows->tick_capacity, kept + 1, sizeof *rows->ticks)) {
			rows->is_starved = true;
			break;
		}
		rows->ticks[kept] = row->enter_ticks;
		rows->calls[kept] = *row;
		if (maker->listing->wants_values)
			rows->values[kept] = rows->values[i];
		kept++;
	}
	if (!maker->calls)
		rows->count = kept;
}

/* ---- a chunk ---- */

static bool feed(struct row_maker *maker, uint32_t chunk, bool resumes)
{
	struct message message;

	if (!reader_decoder_load(maker->decoder, chunk))
		return false;
	part_at_chunk(maker->part, chunk, reader_get_chunk(maker->listing->reader, chunk).offset);
	for (reader_decoder_next(maker->decoder, &message); message.kind != MESSAGE_END;
		reader_decoder_next(maker->decoder, &message)) {
		maker->collects = chunk == maker->chunk && !(resumes && message.kind == MESSAGE_CHECKPOINT);
		part_feed(maker->part, &message);
	}
	maker->collects = false;
	return !part_has_failed(maker->part);
}

/* The chunk, behind those that it needs. */
static bool feed_run(struct row_maker *maker)
{
	const struct crossings *crossings = maker->listing->crossings;
	uint32_t run[CROSSINGS_RUN_MAX] = {0}, length = maker->known->run, chunk = maker->chunk;
	const struct model *model = maker->listing->model;
	struct model_thread thread;

	for (uint32_t i = length; i--; chunk = crossings_get_chunk(crossings, chunk)->previous)
		run[i] = chunk;
	thread = model_get_thread(model, model_find_thread(model, reader_get_chunk(maker->listing->reader, maker->chunk).stream));
	part_begin(maker->part, &thread, crossings_get_chunk(crossings, run[0])->is_first);
	for (uint32_t i = 0; i < length; i++) {
		if (!feed(maker, run[i], !i && !crossings_get_chunk(crossings, run[i])->is_first))
			return false;
		for (uint32_t open = i + 1 < length ? part_open_count(maker->part) : 0; open--;)
			part_tag_open(maker->part, open, MODEL_TAG_INHERITED);
	}
	return true;
}

static void begin(struct row_maker *maker, uint32_t chunk, struct chunk_rows *rows)
{
	maker->chunk = chunk;
	maker->known = crossings_get_chunk(maker->listing->crossings, chunk);
	maker->ends = crossings_get_ends(maker->listing->crossings, chunk, &maker->end_count);
	maker->rows = rows;
	maker->scratch.count = 0;
	rows->bytes.count = rows->count = 0;
	rows->mismatches = 0;
	rows->is_written = maker->calls;
	rows->is_missing = rows->is_starved = false;
	if (maker->calls)
		table_writer_flush(&maker->writer, &rows->bytes);
}

void row_maker_read_chunk(struct row_maker *maker, uint32_t chunk, struct chunk_rows *rows)
{
	begin(maker, chunk, rows);
	errno = 0; /* it was read before: what fails now does for want of memory, or the file has changed */
	rows->is_missing = !feed_run(maker);
	rows->is_starved |= rows->is_missing && errno == ENOMEM;
	if (rows->is_missing)
		maker->scratch.count = rows->count = 0;
	else if (!maker->listing->by_exit)
		finish_by_entry(maker);
	else
		rows->mismatches += maker->end_count;
	if (maker->calls && !table_writer_flush(&maker->writer, &rows->bytes)) { /* ends[] counts bytes that are not there */
		rows->is_starved = true;
		rows->bytes.count = rows->count = 0;
	}
	if (rows->is_missing)
		rows->bytes.count = rows->count = 0;
}
