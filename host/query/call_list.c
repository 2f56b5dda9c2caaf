#include "query/call_list.h"

#include "analysis/calls/calls.h"
#include "model/entry_order.h"
#include "query/second_pass.h"
#include "query/ask.h"
#include "query/parallel/selection.h"
#include "util/progress.h"

struct show {
	struct trace *trace;
	struct call_list *list;
	struct call_filter filter;
	struct calls *calls;
	struct progress progress;
	uint64_t rows;
	const bool *is_done; /* null, or set when no more rows are wanted */
};

static bool begin_table(struct show *show)
{
	const struct table_sink *sink = show->list->begin(show->list->context, show->trace);

	show->is_done = sink->is_done;
	show->calls = make_calls(show->trace->model, sink, show->list->limit, show->list->args,
		show->trace->has_switches || model_has_switches(show->trace->model));
	if (!show->calls)
		diag_add(show->trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return show->calls;
}

/* The functions that are meant, once there are any to choose from. */
static bool begin_filter(struct show *show)
{
	show->filter = show->list->filter;
	if (!show->list->function)
		return true;
	show->filter.pattern = make_pattern(show->list->function, model_get_functions(show->trace->model));
	if (!show->filter.pattern)
		diag_add(show->trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return show->filter.pattern;
}

/* When all functions that there are have been seen. False and a diag when none is meant. */
static bool check_filter(const struct show *show)
{
	if (!show->filter.pattern || pattern_count(show->filter.pattern))
		return true;
	ask_refuse(show->trace, show->list->function, show->filter.pattern);
	return false;
}

static bool has_calls(const struct trace *trace, const struct call_list *list)
{
	bool wants_times = list->filter.longer_ns || call_filter_has_times(&list->filter);

	return ask_has_calls(trace) && (!wants_times || ask_has_times(trace)) && ask_knows_time(trace, list->by);
}

/* ---- by exit, in one pass ---- */

static void write_call(void *context, const struct call *call)
{
	struct show *show = context;

	if (!call_filter_takes(&show->filter, model_get_clock(show->trace->model), call))
		return;
	if (!show->calls && !begin_table(show))
		return;
	calls_write(show->calls, call);
}

static void show_by_exit(struct show *show)
{
	const struct model_options model = {
		.on_call = write_call, .context = show, .thread = show->list->thread, .want_values = show->list->args};

	if (!trace_make_model(show->trace, &model, true) || !begin_filter(show) || !trace_read(show->trace))
		return;
	if (!has_calls(show->trace, show->list) || !check_filter(show))
		return;
	if (show->calls || begin_table(show)) /* there may have been no call */
		calls_end(show->calls);
}

/* ---- by entry ---- */

static bool use_call(void *context, const struct call *call)
{
	struct show *show = context;

	if (call_filter_takes(&show->filter, model_get_clock(show->trace->model), call)) {
		show->rows++;
		calls_write(show->calls, call);
	}
	return show->rows < show->list->limit && !(show->is_done && *show->is_done);
}

static void write_in_order(struct show *show)
{
	struct entry_replay replay;
	struct second_pass pass;

	if (!second_pass_begin(&pass, show->trace, "writing calls"))
		return;
	replay = second_pass_get_replay(&pass);
	if (begin_table(show)) {
		if (show->list->limit)
			entry_order_write(show->trace->order, &replay, use_call, show);
		calls_end(show->calls);
	}
	second_pass_end(&pass);
}

/* Where few calls are asked for, threads that model parts of the trace pick them out: in one pass, however long it is. */
static bool show_few(struct show *show)
{
	const struct call_list *list = show->list;
	const struct call_filter *filter = &list->filter;
	bool has_filter = list->function || filter->longer_ns || filter->depth_limit != UINT64_MAX || call_filter_has_times(filter);

	if (!has_filter || list->args)
		return false;
	if (!trace_select(show->trace, list->thread, filter, list->function))
		return false;
	if (!has_calls(show->trace, show->list) || !begin_filter(show) || !check_filter(show) || !begin_table(show))
		return true;
	for (size_t i = 0; i < selection_count(show->trace->selection) && !calls_is_done(show->calls); i++)
		if (call_filter_takes(&show->filter, model_get_clock(show->trace->model), selection_get(show->trace->selection, i)))
			calls_write(show->calls, selection_get(show->trace->selection, i)); /* what it was off the CPU is known by now */
	calls_end(show->calls);
	return true;
}

/* The first of two passes. */
static bool read_first(struct show *show)
{
	struct trace *trace = show->trace;

	return trace_make_order(trace, show->list->thread) && trace_read(trace) && has_calls(trace, show->list);
}

static void show_by_entry(struct show *show)
{
	struct trace *trace = show->trace;

	if (!trace->is_seekable) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"calls in order of entry need to read it twice, which a pipe cannot: use --order exit, or a file");
		return;
	}
	if (show_few(show))
		return;
	if (read_first(show) && begin_filter(show) && check_filter(show))
		write_in_order(show);
}

void call_list_write(struct call_list *list, struct trace *trace)
{
	struct show show = {.trace = trace, .list = list};

	if (list->by_exit)
		show_by_exit(&show);
	else
		show_by_entry(&show);
	list->count = show.calls ? calls_count(show.calls) : 0;
	list->have_values = show.calls && calls_have_values(show.calls);
	free_pattern(show.filter.pattern);
	free_calls(show.calls);
}
