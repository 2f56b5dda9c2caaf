#include "query/ask.h"

#include "analysis/calls/call_filter.h"
#include "analysis/relatives.h"
#include "query/parallel/selection.h"
#include "util/inlined.h"

void ask_refuse(const struct trace *trace, const char *function, struct pattern *pattern)
{
	const bool sampled = model_get_sampling(trace->model);
	const char *what = sampled ? "samples" : "calls";
	char nearest[512];

	pattern_get_nearest(pattern, nearest, sizeof nearest);
	if (*nearest)
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "has no %s of '%s'; did you mean %s?", what, function, nearest);
	else
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"has no %s of '%s': it did not run, was inlined, or is in a library that was not recorded; 'dwell report' lists "
			"what there is%s",
			what, function, sampled ? "" : ". If it was inlined: " INLINED_HINT);
}

bool ask_found(const struct trace *trace, const char *function, struct pattern *pattern)
{
	if (!pattern)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	else if (!analysis_sum(model_get_profile(trace->model), pattern).functions)
		ask_refuse(trace, function, pattern);
	else
		return true;
	return false;
}

/* Or what is known of single calls, added up. */
static bool has_calls(const struct trace *trace, bool in_sum)
{
	const struct message_header *header = model_get_header(trace->model);

	if (model_is_sampled(trace->model)) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"holds samples, which have no single calls; record with hooks or --trace, or use 'dwell report' or 'dwell tree'");
		return false;
	}
	if (!in_sum && model_get_counted(trace->model).all && !model_has_events(trace->model)) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"holds no single calls: it was recorded with --count, which adds them up; use 'dwell report' or 'dwell tree'");
		return false;
	}
	if (header && header->has_events)
		return true;
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "is %s: sums, without single calls",
		header ? header->format : "empty");
	return false;
}

bool ask_has_calls(const struct trace *trace)
{
	return has_calls(trace, false);
}

bool ask_has_durations(const struct trace *trace)
{
	return has_calls(trace, true) && ask_has_times(trace);
}

bool ask_has_times(const struct trace *trace)
{
	const struct message_header *header = model_get_header(trace->model);

	if (header && header->is_untimed)
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "is %s: calls of which nobody knows how long they took",
			header->format);
	return !header || !header->is_untimed;
}

bool ask_calls(struct trace *trace, const struct ask_calls *what)
{
	const struct model_options options = {.on_call = what->take, .context = what->context, .thread = what->thread};
	struct call_filter filter = call_filter_all();
	struct pattern *pattern;
	bool is_read;

	filter.longer_ns = what->longer_ns;
	is_read = trace_select(trace, what->thread, &filter, what->function);
	if (!is_read && !trace_make_model(trace, &options, false))
		return false;
	pattern = make_pattern(what->function, model_get_functions(trace->model));
	if (!pattern)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	if (!pattern || !what->begin(what->context, pattern))
		return false;
	for (size_t i = 0; is_read && i < selection_count(trace->selection); i++)
		what->take(what->context, selection_get(trace->selection, i));
	return (is_read || trace_read(trace)) && ask_has_calls(trace) && ask_has_times(trace);
}

/* Samples are of one time, which they say above the table: there is no other to choose. */
static bool refuse_samples(const struct trace *trace, enum by by)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);

	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--%s: its samples are of %s time alone; leave the option out",
		by == BY_CPU ? "cpu" : "wall", sampling && sampling->is_wall ? "wall" : "CPU");
	return false;
}

bool ask_knows_time(const struct trace *trace, enum by by)
{
	const char *why = model_get_cpu_problem(trace->model);

	if (by != BY_BEST && model_is_sampled(trace->model))
		return refuse_samples(trace, by);
	if (by != BY_CPU || model_has_switches(trace->model))
		return true;
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--cpu: its CPU time is not known%s%s", *why ? ": " : "", why);
	return false;
}
