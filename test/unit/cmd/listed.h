/* All calls of a trace, as CSV: by one thread, or by several. */
#ifndef DWELL_TEST_LISTED_H
#define DWELL_TEST_LISTED_H

#include "analysis/calls/calls.h"
#include "query/parallel/listing.h"
#include "query/parallel/parallel.h"
#include "unit/cmd/rows.h"
#include "writer/writer.h"

struct listed {
	bool by_exit, values;
	const char *thread;
	struct call_filter filter;
	const char *function;
	uint64_t limit;
	enum writer_form form;
};

struct listed_run {
	const struct listed *listed;
	struct rows rows; /* the file, and a filter */
	struct table_sink sink;
	struct calls *calls;
};

static inline void listed_begin(struct listed_run *run, const struct model *model, bool off)
{
	run->calls = make_calls(model, &run->sink, run->listed->limit, run->listed->values, off);
	run->rows.model = model;
	if (run->listed->function)
		run->rows.pattern = make_pattern(run->listed->function, model_get_functions(model));
}

static inline void listed_put(void *context, const struct call *call)
{
	struct listed_run *run = context;

	if (call_filter_takes(&run->listed->filter, model_get_clock(run->rows.model), call) &&
		(!run->rows.pattern || pattern_matches(run->rows.pattern, call->function)))
		calls_write(run->calls, call);
}

static inline bool listed_use(void *context, const struct call *call)
{
	listed_put(context, call);
	return !calls_is_done(((struct listed_run *)context)->calls);
}

static inline bool listed_play(void *context, uint64_t chunk, struct model *model)
{
	return rows_play(&((struct listed_run *)context)->rows, chunk, model);
}

static inline uint32_t listed_stream(void *context, uint64_t chunk)
{
	return rows_stream(&((struct listed_run *)context)->rows, chunk);
}

/* By one thread: what is known of all first, as the command does. */
static inline void listed_in_order(struct listed_run *run, struct diag *diag)
{
	struct diag *quiet = make_diag();
	struct entry_order *order = make_entry_order(run->listed->thread, run->listed->by_exit ? quiet : diag);
	const struct model_options options = {
		.on_call = listed_put, .context = run, .thread = run->listed->thread, .want_values = run->listed->values};
	struct model *model = make_model(&options, diag);
	struct message message;

	if (run->listed->values)
		entry_order_want_values(order);
	for (reader_next(run->rows.reader, &message); message.kind != MESSAGE_END; reader_next(run->rows.reader, &message))
		entry_order_feed(order, &message);
	entry_order_finish(order);
	listed_begin(run, run->listed->by_exit ? model : entry_order_get_model(order), model_has_switches(entry_order_get_model(order)));
	run->rows.decoder = make_reader_decoder(run->rows.reader);
	if (!run->listed->by_exit) {
		entry_order_write(order,
			&(struct entry_replay){run, reader_chunk_count(run->rows.reader), listed_stream, listed_play}, listed_use, run);
	} else {
		reader_rewind(run->rows.reader);
		for (reader_next(run->rows.reader, &message); message.kind != MESSAGE_END; reader_next(run->rows.reader, &message))
			model_feed(model, &message);
		model_finish(model);
	}
	calls_end(run->calls);
	free_reader_decoder(run->rows.decoder);
	free_pattern(run->rows.pattern);
	free_model(model);
	free_calls(run->calls);
	free_entry_order(order);
	free_diag(quiet);
}

static inline bool listed_in_parallel(struct listed_run *run, uint32_t workers, struct diag *diag)
{
	struct crossings *crossings = make_crossings();
	const struct listed *listed = run->listed;
	const struct model_options options = {.thread = listed->thread, .no_tree = true, .on_call = crossings_take,
		.on_carry = part_calls_carry, .want_values = listed->values, .context = crossings_get_part_calls(crossings)};
	struct model *model = make_model(&options, diag);
	struct parallel how = {.reader = run->rows.reader, .model = model, .workers = workers, .crossings = crossings};
	struct progress progress;
	bool good = parallel_read(&how);

	if (good) {
		listed_begin(run, model, model_has_switches(model));
		struct call_filter filter = listed->filter;

		filter.pattern = run->rows.pattern;
		progress_begin(&progress, NULL, "", 0);
		listing_write(&(struct listing){.reader = run->rows.reader, .model = model, .crossings = crossings, .filter = &filter,
			.function = listed->function, .by_exit = listed->by_exit, .wants_values = listed->values, .workers = workers,
			.calls = run->calls, .writer = &run->sink, .progress = &progress, .diag = diag, .path = "trace"});
		progress_end(&progress);
		calls_end(run->calls);
		free_pattern(run->rows.pattern);
		free_calls(run->calls);
	}
	free_model(model);
	free_crossings(crossings);
	return good;
}

/* workers 0: in order. Null: not in parallel. */
static inline char *listed_read(const char *path, const struct listed *listed, uint32_t workers)
{
	struct diag *diag = make_diag();
	struct listed_run run = {.listed = listed, .rows.reader = make_reader(make_source(path, diag), diag)};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool good = true;

	run.sink = make_table_writer(&(struct writer_options){.form = listed->form}, out, "memory", diag);
	if (workers)
		good = listed_in_parallel(&run, workers, diag);
	else
		listed_in_order(&run, diag);
	free_table_writer(&run.sink);
	diag_print(diag, out);
	fclose(out);
	free_reader(run.rows.reader);
	free_diag(diag);
	if (good)
		return text;
	free(text);
	return NULL;
}

#endif
