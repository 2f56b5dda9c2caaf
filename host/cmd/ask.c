#include "cmd/ask.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/call_filter.h"
#include "analysis/relatives.h"
#include "cmd/harvest.h"
#include "cmd/inlined.h"
#include "cmd/output.h"
#include "cmd/summary.h"
#include "util/units.h"

void ask_refuse(const struct trace *trace, const char *function, struct pattern *pattern)
{
	char nearest[512];

	pattern_get_nearest(pattern, nearest, sizeof nearest);
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "has no %s of '%s'; %s%s",
		model_get_sampling(trace->model) ? "samples" : "calls", function,
		*nearest ? "near: " : "'dwell report' lists the functions that it has", nearest);
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

struct pattern *ask_profile(struct trace *trace, const char *path, const char *function, const struct model_options *options)
{
	struct pattern *pattern;

	if (!inlined_read(trace, path, options))
		return NULL;
	pattern = make_pattern(function, model_get_functions(trace->model));
	if (ask_found(trace, function, pattern))
		return pattern;
	free_pattern(pattern);
	return NULL;
}

/* Or what is known of single calls, added up. */
static bool has_calls(const struct trace *trace, bool in_sum)
{
	const struct message_header *header = model_get_header(trace->model);

	if (model_is_sampled(trace->model)) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"holds samples, which have no single calls; record with hooks, or use 'dwell report' or 'dwell tree'");
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
	is_read = trace_harvest(trace, what->thread, &filter, what->function);
	if (!is_read && !trace_make_model(trace, &options, false))
		return false;
	pattern = make_pattern(what->function, model_get_functions(trace->model));
	if (!pattern)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	if (!pattern || !what->begin(what->context, pattern))
		return false;
	for (size_t i = 0; is_read && i < harvest_count(trace->harvest); i++)
		what->take(what->context, harvest_get(trace->harvest, i));
	return (is_read || trace_read(trace)) && ask_has_calls(trace) && ask_has_times(trace);
}

static void print_time(const struct trace *trace, const char *title, uint64_t ticks, bool unsure, FILE *out)
{
	const struct profile *profile = model_get_profile(trace->model);
	char text[UNITS_TEXT_BYTES];

	if (profile->has_times)
		output_format_ns(text, model_get_clock(trace->model), clock_duration_ns(model_get_clock(trace->model), ticks));
	else
		units_format_count(text, ticks);
	fprintf(out, "%s %s%s%s%s", title, unsure ? "~" : "", text, !profile->has_times && *profile->unit ? " " : "",
		profile->has_times ? "" : profile->unit);
}

void ask_print_sum(const struct trace *trace, const char *function, struct pattern *pattern, FILE *out)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct analysis_sum sum = analysis_sum(profile, pattern);
	char text[UNITS_TEXT_BYTES];

	summary_print_name(out, function);
	if (sum.functions > 1)
		fprintf(out, " (%" PRIu64 " functions)", sum.functions);
	units_format_count(text, sum.calls);
	if (profile->has_times)
		fprintf(out, ": %s call%s", text, sum.calls == 1 ? "" : "s");
	else
		putc(':', out);
	if (sum.calls && sum.untimed_calls == sum.calls) {
		fputs(profile->is_untimed ? ", not timed\n\n" : ", not timed: hooks are at entries only\n\n", out);
		return;
	}
	print_time(trace, profile->has_off ? ", total wall" : profile->has_times ? ", total" : " total", sum.total, sum.unsure.total, out);
	if (profile->has_off)
		print_time(trace, ", total cpu", profile_rest(sum.total, sum.total_off), sum.unsure.total_cpu, out);
	print_time(trace, profile->has_off ? ", self wall" : ", self", sum.self, sum.unsure.self, out);
	if (profile->has_off)
		print_time(trace, ", self cpu", profile_rest(sum.self, sum.self_off), sum.unsure.self_cpu, out);
	if (sum.untimed_calls) {
		units_format_count(text, sum.untimed_calls);
		fprintf(out, "; %s of them not timed", text);
	}
	fputs("\n\n", out);
}
