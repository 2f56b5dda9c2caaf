/* dwell histogram: how long the calls of a function took. */
#include <stdio.h>

#include "analysis/distribution.h"
#include "cli/command.h"
#include "cli/function_sum.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cli/ordered_by.h"
#include "query/ask.h"
#include "query/health.h"
#include "util/term.h"
#include "util/units.h"
#include "writer/writer.h"

static const char about[] =
	ABOUT_FUNCTION "\n"
	"A line for each range of durations, entry to exit with all that is called in\n"
	"between, from the shortest to the longest; the ranges are equal parts of\n"
	"octaves. % is the part of all calls, up to it % that of those that took no\n"
	"longer. p50: half of the calls took no longer than some time in that range;\n"
	"likewise p90, p99 and p99.9, which are within 3 %. Calls that are not complete\n"
	"(begun before the recording, still running at its end) are left out; where there\n"
	"are no others, they are shown with a ~, as lower bounds.\n"
	ABOUT_AS_RECORDED;

struct options {
	struct input_options input;
	const char *function, *path, *thread;
	enum writer_form form;
	uint64_t jobs;
	enum by by;
};

static const struct option_row rows[] = {
	ROWS_BY(HELP_BY_OF_CALLS),
	ROWS_READING,
	ROWS_FORM("from_ns,to_ns,calls,percent,sum_percent,marks"),
	{0}};

static void print_ns(const struct clock_map *clock, const char *before, uint64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	clock_format_ns(text, clock, ns);
	printf("%s %s", before, text);
}

static void print_answer(const struct analysis_distribution *distribution)
{
	char text[UNITS_TEXT_BYTES];

	if (!distribution->calls)
		return;
	print_ns(distribution->clock, "\nmin", distribution->min_ns);
	print_ns(distribution->clock, ", avg", distribution->avg_ns);
	print_ns(distribution->clock, ", p50", distribution->p50_ns);
	print_ns(distribution->clock, ", p90", distribution->p90_ns);
	print_ns(distribution->clock, ", p99", distribution->p99_ns);
	print_ns(distribution->clock, ", p99.9", distribution->p999_ns);
	print_ns(distribution->clock, ", max", distribution->max_ns);
	fputs(distribution->unsure ? ": lower bounds, as no call is complete" : "", stdout);
	units_format_count(text, distribution->others);
	if (distribution->others)
		printf("; %s %s not complete and not counted", text, distribution->others == 1 ? "call is" : "calls are");
	putchar('\n');
}

static void write_answer(struct trace *trace, const struct options *options, struct analysis_distribution *distribution)
{
	const struct writer_options form = {.form = options->form,
		.colour = term_has_colour(stdout),
		.ascii = !term_has_utf8(),
		.ticks = clock_is_unknown(model_get_clock(trace->model)),
		.width = term_width(stdout)};
	struct table_sink sink = make_table_writer(&form, stdout, "standard output", trace->diag);

	distribution->clock = model_get_clock(trace->model);
	if (!analysis_distribution(distribution, &sink))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	else if (options->form == WRITER_TEXT)
		print_answer(distribution);
	free_table_writer(&sink);
	health_warn(trace);
}

/* By the clock: the profile knows it. */
static void show_wall(struct trace *trace, const struct options *options)
{
	const struct model_options model = {.want_profile = true, .thread = options->thread};
	struct analysis_distribution distribution = {.pattern = ask_profile(trace, options->path, options->function, &model)};

	if (!distribution.pattern)
		return;
	if (ask_has_durations(trace)) {
		distribution.profile = model_get_profile(trace->model);
		if (options->form == WRITER_TEXT) {
			function_sum_print(trace, options->function, distribution.pattern, stdout);
			ordered_by_print(trace, "total wall", BY_WALL);
		}
		write_answer(trace, options, &distribution);
	}
	free_pattern(distribution.pattern);
}

/* On the CPU: it takes each single call. */
struct on_cpu {
	const struct trace *trace;
	struct pattern *pattern;
	struct profile_function all;
	bool starved;
};

static bool begin(void *context, struct pattern *pattern)
{
	((struct on_cpu *)context)->pattern = pattern;
	return true;
}

static void take(void *context, const struct call *call)
{
	struct on_cpu *on_cpu = context;

	if (!pattern_matches(on_cpu->pattern, call->function))
		return;
	on_cpu->all.calls++;
	if (call->flags & DWELL_CALL_NO_EXIT || call->off_unknown || call->total_off.unknown_ticks)
		return;
	on_cpu->starved |= !profile_add_duration(&on_cpu->all, profile_rest(call->total_ticks, call->total_off.ticks),
		!(call->flags & ~(uint32_t)DWELL_CALL_UNWOUND));
}

static void print_cpu_title(const struct options *options, const struct on_cpu *on_cpu)
{
	char text[UNITS_TEXT_BYTES];

	units_format_count(text, on_cpu->all.calls);
	summary_print_name(stdout, options->function);
	printf(": %s call%s\n\n", text, on_cpu->all.calls == 1 ? "" : "s");
}

static void show_cpu(struct trace *trace, const struct options *options)
{
	struct on_cpu on_cpu = {.trace = trace};
	const struct ask_calls calls = {options->function, options->thread, begin, take, &on_cpu};
	struct analysis_distribution distribution = {.durations = &on_cpu.all};

	if (trace_open(trace, options->path, trace->diag) && ask_calls(trace, &calls) && ask_knows_time(trace, options->by)) {
		if (!on_cpu.all.calls) {
			ask_refuse(trace, options->function, on_cpu.pattern);
		} else if (on_cpu.starved) {
			diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		} else {
			if (options->form == WRITER_TEXT) {
				print_cpu_title(options, &on_cpu);
				ordered_by_print(trace, "total cpu", BY_CPU);
			}
			write_answer(trace, options, &distribution);
		}
	}
	profile_clear_function(&on_cpu.all);
	free_pattern(on_cpu.pattern);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {0};
	struct trace trace = {.diag = diag};

	if (!option_read_function(&command_histogram, &options, argc, argv, &options.function, &options.path, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.jobs;
	if (options.by == BY_CPU)
		show_cpu(&trace, &options);
	else
		show_wall(&trace, &options);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_histogram = {
	"histogram", "FUNC FILE", "Shows how long the calls of a function took", rows, about, run};
