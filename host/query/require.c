#include "query/require.h"

#include "analysis/relatives.h"
#include "util/inlined.h"

void require_report_no_function(const struct trace *trace, const char *function, struct pattern *pattern)
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

bool require_function(const struct trace *trace, const char *function, struct pattern *pattern)
{
	if (!pattern)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	else if (!analysis_sum(model_get_profile(trace->model), pattern).functions)
		require_report_no_function(trace, function, pattern);
	else
		return true;
	return false;
}

/* in_sum: sums of calls are enough, as --count records them. */
static bool check_calls(const struct trace *trace, bool sums_suffice)
{
	const struct message_header *header = model_get_header(trace->model);

	if (model_is_sampled(trace->model)) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"holds samples, which have no single calls; record with hooks or --trace, or use 'dwell report' or 'dwell tree'");
		return false;
	}
	if (!sums_suffice && model_get_counted_calls(trace->model).all && !model_has_events(trace->model)) {
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

bool require_calls(const struct trace *trace)
{
	return check_calls(trace, false);
}

bool require_durations(const struct trace *trace)
{
	return check_calls(trace, true) && require_times(trace);
}

bool require_times(const struct trace *trace)
{
	const struct message_header *header = model_get_header(trace->model);

	if (header && header->is_untimed)
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "is %s: calls of which nobody knows how long they took",
			header->format);
	return !header || !header->is_untimed;
}

/* Samples measure one kind of time, so no other time can be chosen. asked: the option. Always returns false with a diag. */
static bool refuse_samples(const struct trace *trace, const char *asked)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);

	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%s: its samples are of %s time alone; leave the option out", asked,
		sampling && sampling->is_wall ? "wall" : "CPU");
	return false;
}

bool require_time_by(const struct trace *trace, enum by by, bool is_option)
{
	const char *why = model_get_cpu_problem(trace->model);
	const char *asked = is_option ? (by == BY_CPU ? "--cpu" : "--wall") : by == BY_CPU ? "by cpu" : "by wall";

	if (by != BY_BEST && model_is_sampled(trace->model))
		return refuse_samples(trace, asked);
	if (by != BY_CPU || model_has_switches(trace->model))
		return true;
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%s: its CPU time is not known%s%s", asked, *why ? ": " : "", why);
	return false;
}
