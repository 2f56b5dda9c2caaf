#include "cmd/export/timeline.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/calls/spans.h"
#include "analysis/calls/timeline.h"
#include "cli/summary.h"
#include "cmd/export/target.h"
#include "query/second_pass.h"
#include "query/ask.h"

struct show {
	struct timeline timeline;
	const struct trace *trace;
	const struct export_timeline *what;
};

static bool use_call(void *context, const struct call *call)
{
	struct show *show = context;

	if (call_filter_takes(&show->what->filter, model_get_clock(show->trace->model), call))
		timeline_write(&show->timeline, call);
	return !diag_has_error(show->trace->diag);
}

static void write_calls(struct trace *trace, const struct export_timeline *what, const struct result_file *file)
{
	const struct export_target target = export_make_target(trace, file);
	struct show show = {.trace = trace, .what = what};
	struct entry_replay replay;
	struct table_sink writer;
	struct second_pass pass;

	if (!second_pass_begin(&pass, trace, "writing calls"))
		return;
	summary_note_counted(trace);
	writer = what->format->make(&target);
	replay = second_pass_get_replay(&pass);
	timeline_begin(&show.timeline, trace->model, &writer);
	entry_order_write(trace->order, &replay, use_call, &show);
	timeline_end(&show.timeline);
	what->format->free(&writer);
	second_pass_end(&pass);
}

/* As it was before it was opened. */
static void close_again(struct trace *trace)
{
	const struct input_options input = trace->input;
	struct diag *diag = trace->diag;

	trace_close(trace);
	trace->input = input;
	trace->diag = diag;
}

static void write_spans(struct trace *trace, const struct export_timeline *what, struct spans *spans, const struct result_file *file)
{
	const struct export_target target = export_make_target(trace, file);
	struct table_sink writer = what->format->make(&target);

	if (!spans_write(spans, what->filter.longer_ns, what->filter.depth_limit, &writer))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	what->format->free(&writer);
}

/* Samples have been read once, to know what they are. False: they have no moments, and nothing is written. */
static bool export_spans(struct trace *trace, const struct export_timeline *what, const struct result_file *file)
{
	struct spans *spans = make_spans();
	const struct model_options model = {
		.want_profile = true, .no_durations = true, .thread = what->thread, .on_sample = spans_take, .context = spans};
	bool has_moments = true;

	close_again(trace);
	if (!spans) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return true;
	}
	if (trace_open(trace, what->path, trace->diag) && trace_make_model(trace, &model, true)) {
		spans_begin(spans, trace->model);
		if (trace_read(trace))
			has_moments = !spans_are_none(spans) || !model_get_profile(trace->model)->has_samples;
		if (has_moments && !diag_has_error(trace->diag))
			write_spans(trace, what, spans, file);
	}
	free_spans(spans);
	return has_moments;
}

/* What it holds is known then, and when each call began. */
static bool read_once(struct trace *trace, const struct export_timeline *what)
{
	return trace_make_order(trace, what->thread) && trace_read(trace);
}

void export_timeline(struct trace *trace, const struct export_timeline *what, const struct result_file *file)
{
	if (!trace_open(trace, what->path, trace->diag))
		return;
	if (!trace->is_seekable)
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"--to %s needs to read it twice, which a pipe cannot: use a file", what->format->name);
	else if (!read_once(trace, what))
		return;
	else if (model_is_sampled(trace->model)) {
		if (!export_spans(trace, what, file))
			diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
				"holds samples without moments: there is nothing to draw in time");
	} else if (ask_has_calls(trace)) {
		write_calls(trace, what, file);
	}
}

/* Before it is opened: what comes through a pipe comes once. */
static bool is_small_file(const char *path)
{
	struct stat info;

	if ((strcmp(path, "-") ? stat(path, &info) : fstat(STDIN_FILENO, &info)) < 0)
		return false;
	return S_ISDIR(info.st_mode) || (S_ISREG(info.st_mode) && (uint64_t)info.st_size <= EXPORT_FEW_BYTES);
}

/* Whether some of its calls are in no event: single calls are not all that a report shows. */
static bool has_sums(const struct trace *trace)
{
	const struct model_counted counted = model_get_counted(trace->model);

	return counted.any || counted.by_function;
}

static bool has_few_calls(const struct trace *trace)
{
	const struct message_header *header = model_get_header(trace->model);
	uint64_t events = reader_get_health(trace->reader)->events;

	if (!header || !header->has_events || header->is_untimed)
		return false;
	if (has_sums(trace)) {
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET,
			"has calls that are in no event: sums of paths are written, of all; --longer or --depth choose single calls");
		return false;
	}
	if (events / 2 <= EXPORT_FEW_CALLS)
		return true;
	diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET,
		"has some %" PRIu64 " calls, more than 1,000,000: their sums are written; --longer or --depth choose single ones", events / 2);
	return false;
}

bool export_timeline_of_few(struct trace *trace, const struct export_timeline *what, const struct result_file *file)
{
	bool done = true;

	if (!is_small_file(what->path))
		return false;
	if (!trace_open(trace, what->path, trace->diag))
		return true;
	if (!trace->is_seekable)
		done = false;
	else if (read_once(trace, what))
		done = model_is_sampled(trace->model) ? export_spans(trace, what, file) : has_few_calls(trace);
	if (!done)
		close_again(trace);
	else if (trace->order && !model_is_sampled(trace->model) && !diag_has_error(trace->diag))
		write_calls(trace, what, file);
	return done;
}
