/* Calls that a filter takes, in order of entry, as text: by one thread that reads the trace twice, or picked out by several. */
#ifndef DWELL_TEST_ROWS_H
#define DWELL_TEST_ROWS_H

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/calls/call_filter.h"
#include "check.h"
#include "model/entry_order.h"
#include "query/parallel/selection.h"
#include "query/parallel/parallel.h"

struct rows {
	struct reader *reader;
	struct reader_decoder *decoder;
	const struct model *model;
	const struct call_filter *filter;
	const char *function;
	struct pattern *pattern;
	FILE *out;
	size_t count;
};

static inline void rows_tell_off(const struct off_cpu_ticks *off, FILE *out)
{
	fprintf(out, " off %ju %ju %ju", off->ticks, off->preempted_ticks, off->unknown_ticks);
}

static inline void rows_tell(struct rows *rows, const struct call *call)
{
	rows->count++;
	fprintf(rows->out, "%u %s at %u, %x: %ju..%ju, %ju %ju, %d", call->stream,
		functions_get_name(model_get_functions(rows->model), call->function), call->depth, call->flags, call->enter_ticks,
		call->exit_ticks, call->total_ticks, call->self_ticks, call->off_cpu_unknown);
	rows_tell_off(&call->total_off, rows->out);
	rows_tell_off(&call->self_off, rows->out);
	fputs("\n", rows->out);
}

static inline bool rows_use(void *context, const struct call *call)
{
	struct rows *rows = context;

	if (call_filter_matches(rows->filter, model_get_clock(rows->model), call) &&
		(!rows->pattern || pattern_matches(rows->pattern, call->function)))
		rows_tell(rows, call);
	return true;
}

static inline uint32_t rows_stream(void *context, uint64_t chunk)
{
	return reader_get_chunk(((struct rows *)context)->reader, chunk).stream;
}

static inline bool rows_play(void *context, uint64_t chunk, struct model *model)
{
	struct rows *rows = context;
	struct message message;

	if (!reader_decoder_load(rows->decoder, chunk))
		return false;
	for (reader_decoder_next(rows->decoder, &message); message.kind != MESSAGE_END;
		reader_decoder_next(rows->decoder, &message))
		model_feed(model, &message);
	return true;
}

static inline void rows_in_order(struct rows *rows, struct diag *diag)
{
	struct entry_order *order = make_entry_order(NULL, diag);
	struct message message;

	for (reader_next(rows->reader, &message); message.kind != MESSAGE_END; reader_next(rows->reader, &message))
		entry_order_feed(order, &message);
	entry_order_finish(order);
	rows->model = entry_order_get_model(order);
	rows->pattern = rows->function ? make_pattern(rows->function, model_get_functions(rows->model)) : NULL;
	rows->decoder = make_reader_decoder(rows->reader);
	entry_order_write(
		order, &(struct entry_replay){rows, reader_chunk_count(rows->reader), rows_stream, rows_play}, rows_use, rows);
	free_reader_decoder(rows->decoder);
	free_pattern(rows->pattern);
	free_entry_order(order);
}

static inline bool rows_picked(struct rows *rows, uint32_t workers, uint32_t segment_chunks, size_t calls_max, struct diag *diag)
{
	struct selection *selection = make_selection(rows->filter, rows->function, calls_max);
	const struct model_options options = {.no_tree = true,
		.on_call = selection_take,
		.on_carry = part_calls_carry,
		.context = selection_get_part_calls(selection)};
	struct model *model = make_model(&options, diag);
	struct parallel how = {.reader = rows->reader,
		.model = model,
		.workers = workers,
		.segment_chunks = segment_chunks,
		.selection = selection};
	bool good = parallel_read(&how);

	rows->model = model;
	for (size_t i = 0; good && i < selection_count(selection); i++)
		rows_tell(rows, selection_get(selection, i));
	free_model(model);
	free_selection(selection);
	return good;
}

/* workers 0: in order. Null: not in parallel. */
static inline char *rows_read(const char *path, const struct call_filter *filter, const char *function, uint32_t workers,
	uint32_t segment_chunks, size_t calls_max, size_t *count)
{
	struct diag *diag = make_diag();
	struct rows rows = {.reader = make_reader(make_source(path, diag), diag), .filter = filter, .function = function};
	char *text = NULL;
	size_t size;
	bool good = true;

	rows.out = open_memstream(&text, &size);
	if (workers)
		good = rows_picked(&rows, workers, segment_chunks, calls_max, diag);
	else
		rows_in_order(&rows, diag);
	fclose(rows.out);
	free_reader(rows.reader);
	free_diag(diag);
	*count = rows.count;
	if (good)
		return text;
	free(text);
	return NULL;
}

#endif
