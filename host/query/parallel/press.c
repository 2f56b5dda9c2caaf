#include "query/parallel/press.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/part.h"
#include "util/array.h"
#include "writer/writer.h"

/* Tags of calls that began in the chunk, by entry: position in the sheet, and this. Others are MODEL_TAGs. */
#define TAG_ROW 16u
#define TAG_NONE 15u /* there was no room for it */

struct press {
	const struct listing *listing;
	struct reader_decoder *decoder;
	struct part *part;
	struct call_filter filter; /* the listing's, but for the pattern: */
	struct pattern *pattern;   /* null: any function */
	struct sheet *sheet;
	struct sheet scratch;    /* the calls, where they are written */
	uint32_t chunk;
	const struct crossings_chunk *known; /* of the chunk */
	bool collects;           /* the chunk is being fed, and not one before it */
	const struct crop_call *ends; /* by exit: of calls that ended in the chunk and began before it, those that are to come */
	size_t end_count;
	/* To write with. */
	struct calls *calls;     /* null: not yet */
	struct table_sink writer;
};

void sheet_clear(struct sheet *sheet)
{
	free(sheet->bytes.bytes);
	free(sheet->ends);
	free(sheet->ticks);
	free(sheet->calls);
	free(sheet->values);
	*sheet = (struct sheet){0};
}

static enter_fn enter;
static call_fn leave_by_entry, leave_by_exit;

struct press *make_press(const struct listing *listing)
{
	struct press *press = calloc(1, sizeof *press);
	const struct model_options options = {.want_values = listing->wants_values,
		.on_enter = listing->by_exit ? NULL : enter,
		.on_call = listing->by_exit ? leave_by_exit : leave_by_entry,
		.context = press};

	if (!press)
		return NULL;
	press->listing = listing;
	press->filter = *listing->filter;
	press->filter.pattern = NULL;
	press->decoder = make_reader_decoder(listing->reader);
	press->part = make_part_again(listing->model, &options);
	if (listing->function)
		press->pattern = make_pattern(listing->function, model_get_functions(listing->model));
	if (press->decoder && press->part && (press->pattern || !listing->function))
		return press;
	free_press(press);
	return NULL;
}

void free_press(struct press *press)
{
	if (!press)
		return;
	free_reader_decoder(press->decoder);
	free_part(press->part);
	free_pattern(press->pattern);
	free_calls(press->calls);
	free_table_writer(&press->writer);
	sheet_clear(&press->scratch);
	free(press);
}

bool press_begin_writing(struct press *press)
{
	press->writer = make_table_writer_copy(press->listing->writer, NULL);
	if (press->writer.context)
		press->calls = make_calls_copy(press->listing->calls, &press->writer);
	return press->calls;
}

/* ---- rows ---- */

static bool is_wanted(const struct press *press, const struct call *call)
{
	return call_filter_takes(&press->filter, model_get_clock(press->listing->model), call) &&
	       (!press->pattern || pattern_matches(press->pattern, call->function));
}

/* Where calls are collected: those that are written need not be kept. */
static struct sheet *get_calls(struct press *press)
{
	return press->calls ? &press->scratch : press->sheet;
}

/* Room for one more. Null: no memory. */
static struct call *add(struct press *press)
{
	struct sheet *sheet = get_calls(press);

	if (!array_reserve(&sheet->calls, &sheet->call_capacity, sheet->count + 1, sizeof *sheet->calls) ||
		(press->listing->wants_values &&
			!array_reserve(&sheet->values, &sheet->value_capacity, sheet->count + 1, sizeof *sheet->values))) {
		press->sheet->is_starved = true;
		return NULL;
	}
	if (press->listing->wants_values)
		sheet->values[sheet->count] = (struct call_values){0};
	return &sheet->calls[sheet->count++];
}

static void write_row(struct press *press, const struct call *call)
{
	struct sheet *sheet = press->sheet;

	if (!array_reserve(&sheet->ends, &sheet->end_capacity, sheet->count + 1, sizeof *sheet->ends) ||
		!array_reserve(&sheet->ticks, &sheet->tick_capacity, sheet->count + 1, sizeof *sheet->ticks)) {
		sheet->is_starved = true;
		return;
	}
	calls_write(press->calls, call);
	sheet->ticks[sheet->count] = call->enter_ticks;
	sheet->ends[sheet->count++] = table_writer_count_bytes(&press->writer);
}

/* ---- by exit ---- */

static void put(struct press *press, const struct call *call)
{
	struct call *to;

	if (!is_wanted(press, call))
		return;
	if (press->calls)
		write_row(press, call);
	else if ((to = add(press)))
		*to = *call;
}

static void leave_by_exit(void *context, const struct call *call)
{
	struct press *press = context;
	struct call known = *call;

	if (!press->collects)
		return;
	if (call->tag == MODEL_TAG_SEEN) {
		if (!press->known->is_first)
			known.off_unknown = press->known->off_unknown;
		put(press, &known);
		return;
	}
	if (!press->end_count || press->ends->call.depth != call->depth || press->ends->call.exit_ticks != call->exit_ticks) {
		press->sheet->mismatches++;
		return;
	}
	put(press, &press->ends->call);
	press->ends++;
	press->end_count--;
}

/* ---- by entry ---- */

static uint32_t enter(void *context, const struct call *call)
{
	struct press *press = context;
	struct call *row = press->collects ? add(press) : NULL;

	if (!row)
		return TAG_NONE;
	*row = *call;
	row->tag = MODEL_TAG_INHERITED; /* until it ends here */
	return (uint32_t)(get_calls(press)->count - 1) + TAG_ROW;
}

static void leave_by_entry(void *context, const struct call *call)
{
	struct press *press = context;
	struct sheet *sheet = get_calls(press);
	struct call *row;

	if (call->tag < TAG_ROW || !press->collects)
		return;
	row = &sheet->calls[call->tag - TAG_ROW];
	*row = *call;
	row->tag = MODEL_TAG_SEEN;
	row->values = NULL;
	if (!press->known->is_first)
		row->off_unknown = press->known->off_unknown;
	if (call->values)
		sheet->values[call->tag - TAG_ROW] = *call->values;
}

/* What is known of open calls is what they were given. */
static void take_args(struct press *press)
{
	struct sheet *sheet = get_calls(press);

	for (uint32_t i = press->listing->wants_values ? part_open_count(press->part) : 0; i--;) {
		const struct call open = part_get_open(press->part, i);

		if (open.tag < TAG_ROW)
			continue;
		if (open.values)
			call_values_take_given(&sheet->values[open.tag - TAG_ROW], open.values);
	}
}

/* The calls that the chunk leaves open end as the first pass saw it. */
static void fill_open(struct press *press)
{
	struct sheet *sheet = get_calls(press);

	take_args(press);
	for (size_t i = 0; i < sheet->count; i++) {
		struct call *row = &sheet->calls[i];
		const struct crop_call *end;

		if (row->tag != MODEL_TAG_INHERITED)
			continue;
		end = crossings_find(press->listing->crossings, row, press->chunk);
		if (!end) {
			press->sheet->mismatches++;
			continue;
		}
		*row = end->call;
		if (end->has_ret && press->listing->wants_values) {
			sheet->values[i].ret = end->ret;
			sheet->values[i].has_ret = true;
		}
	}
}

/* Drops those that nobody wants, or writes the others. */
static void finish_by_entry(struct press *press)
{
	struct sheet *sheet = get_calls(press);
	size_t count = sheet->count, kept = 0;

	fill_open(press);
	for (size_t i = 0; i < count; i++) {
		struct call *row = &sheet->calls[i];

		if (!is_wanted(press, row))
			continue;
		if (press->calls) {
			row->values = press->listing->wants_values ? &sheet->values[i] : NULL;
			write_row(press, row);
			continue;
		}
		if (!array_reserve(&sheet->ticks, &sheet->tick_capacity, kept + 1, sizeof *sheet->ticks)) {
			sheet->is_starved = true;
			break;
		}
		sheet->ticks[kept] = row->enter_ticks;
		sheet->calls[kept] = *row;
		if (press->listing->wants_values)
			sheet->values[kept] = sheet->values[i];
		kept++;
	}
	if (!press->calls)
		sheet->count = kept;
}

/* ---- a chunk ---- */

static bool feed(struct press *press, uint32_t chunk, bool resumes)
{
	struct message message;

	if (!reader_decoder_load(press->decoder, chunk))
		return false;
	part_at_chunk(press->part, chunk, reader_get_chunk(press->listing->reader, chunk).offset);
	for (reader_decoder_next(press->decoder, &message); message.kind != MESSAGE_END;
		reader_decoder_next(press->decoder, &message)) {
		press->collects = chunk == press->chunk && !(resumes && message.kind == MESSAGE_CHECKPOINT);
		part_feed(press->part, &message);
	}
	press->collects = false;
	return !part_has_failed(press->part);
}

/* The chunk, behind those that it needs. */
static bool feed_run(struct press *press)
{
	const struct crossings *crossings = press->listing->crossings;
	uint32_t run[CROSSINGS_RUN_MAX] = {0}, length = press->known->run, chunk = press->chunk;
	const struct model *model = press->listing->model;
	struct model_thread thread;

	for (uint32_t i = length; i--; chunk = crossings_get_chunk(crossings, chunk)->previous)
		run[i] = chunk;
	thread = model_get_thread(model, model_find_thread(model, reader_get_chunk(press->listing->reader, press->chunk).stream));
	part_begin(press->part, &thread, crossings_get_chunk(crossings, run[0])->is_first);
	for (uint32_t i = 0; i < length; i++) {
		if (!feed(press, run[i], !i && !crossings_get_chunk(crossings, run[i])->is_first))
			return false;
		for (uint32_t open = i + 1 < length ? part_open_count(press->part) : 0; open--;)
			part_tag_open(press->part, open, MODEL_TAG_INHERITED);
	}
	return true;
}

static void begin(struct press *press, uint32_t chunk, struct sheet *sheet)
{
	press->chunk = chunk;
	press->known = crossings_get_chunk(press->listing->crossings, chunk);
	press->ends = crossings_get_ends(press->listing->crossings, chunk, &press->end_count);
	press->sheet = sheet;
	press->scratch.count = 0;
	sheet->bytes.count = sheet->count = 0;
	sheet->mismatches = 0;
	sheet->is_written = press->calls;
	sheet->is_missing = sheet->is_starved = false;
	if (press->calls)
		table_writer_flush(&press->writer, &sheet->bytes);
}

void press_chunk(struct press *press, uint32_t chunk, struct sheet *sheet)
{
	begin(press, chunk, sheet);
	errno = 0; /* it was read before: what fails now does for want of memory, or the file has changed */
	sheet->is_missing = !feed_run(press);
	sheet->is_starved |= sheet->is_missing && errno == ENOMEM;
	if (sheet->is_missing)
		press->scratch.count = sheet->count = 0;
	else if (!press->listing->by_exit)
		finish_by_entry(press);
	else
		sheet->mismatches += press->end_count;
	if (press->calls && !table_writer_flush(&press->writer, &sheet->bytes)) { /* ends[] counts bytes that are not there */
		sheet->is_starved = true;
		sheet->bytes.count = sheet->count = 0;
	}
	if (sheet->is_missing)
		sheet->bytes.count = sheet->count = 0;
}
