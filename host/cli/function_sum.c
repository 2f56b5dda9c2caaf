#include "cli/function_sum.h"

#include <inttypes.h>

#include "analysis/relatives.h"
#include "util/units.h"

static void print_time(const struct trace *trace, const char *title, uint64_t ticks, bool unsure, FILE *out)
{
	const struct profile *profile = model_get_profile(trace->model);
	char text[UNITS_TEXT_BYTES];

	if (profile->has_times)
		clock_format_ns(text, model_get_clock(trace->model), clock_duration_ns(model_get_clock(trace->model), ticks));
	else
		units_format_count(text, ticks);
	fprintf(out, "%s %s%s%s%s", title, unsure ? "~" : "", text, !profile->has_times && *profile->unit ? " " : "",
		profile->has_times ? "" : profile->unit);
}

void function_sum_print(const struct trace *trace, struct pattern *pattern, FILE *out)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct analysis_sum sum = analysis_sum(profile, pattern);
	char text[UNITS_TEXT_BYTES];

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
	print_time(trace, profile->has_off_cpu ? ", total wall" : profile->has_times ? ", total" : " total", sum.total, sum.unsure.total, out);
	if (profile->has_off_cpu)
		print_time(trace, ", total cpu", profile_rest(sum.total, profile_off_cpu(&sum.total_off)), sum.unsure.total_cpu, out);
	print_time(trace, profile->has_off_cpu ? ", self wall" : ", self", sum.self, sum.unsure.self, out);
	if (profile->has_off_cpu)
		print_time(trace, ", self cpu", profile_rest(sum.self, profile_off_cpu(&sum.self_off)), sum.unsure.self_cpu, out);
	if (sum.untimed_calls) {
		units_format_count(text, sum.untimed_calls);
		fprintf(out, "; %s of them not timed", text);
	}
	fputs("\n\n", out);
}
