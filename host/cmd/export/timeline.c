#include "cmd/export/timeline.h"

#include "analysis/calls/spans.h"
#include "analysis/calls/timeline.h"
#include "cli/summary.h"
#include "cmd/export/target.h"
#include "query/require.h"
#include "query/second_pass.h"

/* A timeline being written. */
struct show {
	struct timeline timeline;
	const struct trace *trace;
	struct call_filter filter;
};

/* Writes the call if the filter takes the call. False: an error was found, so no more calls are needed. */
static bool use_call(void *context, const struct call *call)
{
	struct show *show = context;

	if (call_filter_matches(&show->filter, model_get_clock(show->trace->model), call))
		timeline_write(&show->timeline, call);
	return !diag_has_error(show->trace->diag);
}

static void use_state(void *context, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind)
{
	struct show *show = context;
	const struct clock_map *clock = model_get_clock(show->trace->model);

	if (clock_moment_ns(clock, begin_ticks) <= show->filter.to_ns && clock_moment_ns(clock, end_ticks) >= show->filter.from_ns)
		timeline_write_state(&show->timeline, stream, begin_ticks, end_ticks, kind);
}

static void write_calls(struct trace *trace, const struct export_timeline *what, const struct result_file *file)
{
	const struct export_target target = export_make_target(trace, file);
	struct show show = {.trace = trace, .filter = what->filter};
	struct entry_replay replay;
	struct table_sink writer;
	struct second_pass pass;

	window_set_filter(&what->span, &show.filter);
	if (!second_pass_begin(&pass, trace, "writing calls"))
		return;
	summary_note_counted(trace);
	writer = what->format->make(&target);
	replay = second_pass_get_replay(&pass);
	replay.on_off_cpu = use_state;
	timeline_begin(&show.timeline, trace->model, &writer);
	show.timeline.state_ns_min = what->filter.longer_ns;
	entry_order_write(trace->order, &replay, use_call, &show);
	if (show.timeline.starved)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: times off the CPU are missing");
	timeline_end(&show.timeline);
	what->format->free(&writer);
	second_pass_end(&pass);
}

/* Closes the trace and keeps the settings from before it was opened. */
static void close_keeping_settings(struct trace *trace)
{
	const struct trace kept = {.input = trace->input, .diag = trace->diag, .span_name = trace->span_name};

	trace_close(trace);
	*trace = kept;
}

static void write_spans(
	struct trace *trace, const struct export_timeline *what, struct spans *spans, const struct result_file *file)
{
	const struct export_target target = export_make_target(trace, file);
	struct table_sink writer = what->format->make(&target);

	if (!spans_write(spans, what->filter.longer_ns, what->filter.depth_limit, &writer))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	what->format->free(&writer);
}

/* Reads a trace of samples a second time. The first pass only showed that there are samples. */
static void export_spans(struct trace *trace, const struct export_timeline *what, const struct result_file *file)
{
	struct spans *spans = make_spans();
	const struct model_options model = {
		.want_profile = true, .no_durations = true, .thread = what->thread, .on_sample = spans_take, .context = spans};

	close_keeping_settings(trace);
	if (!spans) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return;
	}
	trace->span = what->span;
	if (trace_open(trace, what->path, trace->diag) && trace_make_model(trace, &model, true)) {
		spans_begin(spans, trace->model);
		if (trace_read(trace) && spans_is_empty(spans) && model_get_profile(trace->model)->has_samples)
			diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
				"holds samples without moments: there is nothing to draw in time");
		if (!diag_has_error(trace->diag))
			write_spans(trace, what, spans, file);
	}
	free_spans(spans);
}

void export_timeline(struct trace *trace, const struct export_timeline *what, const struct result_file *file)
{
	if (!trace_open(trace, what->path, trace->diag))
		return;
	if (!trace->is_seekable)
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"--to %s needs to read it twice, which a pipe cannot: use a file", what->format->name);
	else if (!trace_make_order(trace, what->thread) || !trace_read(trace)) /* first pass: kind of data, order of entry */
		return;
	else if (model_is_sampled(trace->model))
		export_spans(trace, what, file);
	else if (require_calls(trace))
		write_calls(trace, what, file);
}
