/* dwell export: converts a recording to the format of another tool. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/calls/call_filter.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/export/json.h"
#include "cmd/export/profiles.h"
#include "cmd/export/timeline.h"
#include "query/health.h"
#include "query/trace.h"
#include "util/result_file.h"
#include "util/stream.h"
#include "writer/export/export.h"

static const char about[] =
	"FILE is as for dwell report. perfetto shows single calls in order of time, as\n"
	"recorded; of samples it shows what consecutive ones of a thread have in common.\n"
	"It cannot be made of sums, nor from a pipe, which cannot be read twice. All\n"
	"other formats show sums; self times are those of dwell report to the nanosecond,\n"
	"without the cost of recording unless --raw is given.\n"
	"Formats with whole paths have the outermost 1,000 functions of a path with more\n"
	"than 1,001, then [...], then the innermost. callgrind has no paths: its readers\n"
	"count some time of recursive functions more than once.\n";

#define FORMATS "callgrind, folded, gmon, json, perfetto, pprof or speedscope"

struct options {
	const char *path, *to, *output, *thread;
	bool lines, raw;
	struct window_span span;
	struct input_options input;
	struct call_filter filter;
	uint64_t jobs;
	const struct export_format *format; /* null: json */
};

static const struct option_row rows[] = {
	{"--to", "FORMAT", OPTION_CHOICE, OPTION_AT(to),
		"the format:\n"
		"callgrind   costs of functions and of calls between them:\n"
		"            KCachegrind, callgrind_annotate\n"
		"folded      folded stacks: flame graphs\n"
		"gmon        gmon.out of one program: gprof PROGRAM FILE\n"
		"json        dwell's own: what info, report and tree show, in\n"
		"            one object with a version\n"
		"perfetto    a timeline with each call: ui.perfetto.dev\n"
		"pprof       a gzipped profile for pprof\n"
		"speedscope  speedscope's own JSON: profiles by wall-clock\n"
		"            time, by CPU time, and of each thread",
		.choices = FORMATS, .missing = "to which format? --to " FORMATS},
	ROW_OUTPUT,
	ROW_THREAD,
	ROW_TIME_AT(OPTION_AT(span)),
	ROW_LINES,
	ROWS_INPUT,
	{"--longer", "T", OPTION_DURATION, OPTION_AT(filter.longer_ns),
		"perfetto: only calls, and times off the CPU, of at least\n"
		"T: 20us, 1.5ms, 2s"},
	{"--depth", "N", OPTION_COUNT, OPTION_AT(filter.depth_limit), "perfetto: only N levels", .low = 1},
	ROW_RAW,
	{0}};

static bool check_format(const struct options *options, struct diag *diag)
{
	bool is_timeline = options->format && options->format->source == EXPORT_TIMELINE;

	if (!is_timeline && (options->filter.longer_ns || options->filter.depth_limit != UINT64_MAX))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: --longer and --depth choose single calls, and --to %s has sums", options->to);
	else if (is_timeline && options->lines)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: --lines does not go with --to %s", options->to);
	else if (!options->format && (options->lines || options->span.is_given))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: --%s does not go with --to json", options->lines ? "lines" : "time");
	else if (options->format && options->format->is_binary && (!options->output || !strcmp(options->output, "-")) && isatty(STDOUT_FILENO))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: standard output is a terminal, and %s is not text: give a file with -o FILE", options->to);
	return !diag_has_error(diag);
}

/* False with a diag: an option is wrong. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	*options = (struct options){.filter = call_filter_all()};
	if (!option_read_file(&command_export, options, argc, argv, &options->path, diag))
		return false;
	options->format = export_find(options->to);
	return check_format(options, diag);
}

/* Opens and reads the trace, and writes sums: in options->format, or for null in dwell's own JSON. */
static void export_paths(struct trace *trace, const struct options *options, const struct result_file *file)
{
	const struct model_options model = {.want_profile = true,
		.raw = options->raw,
		.no_durations = options->format != NULL,
		.pairs = options->format && options->format->source == EXPORT_PAIRS,
		.thread_trees = options->format && options->format->begin_profile,
		.thread = options->thread};

	trace->span = options->span;
	if (options->format) {
		if (trace_read_model(trace, options->path, &model))
			export_profiles(trace, options->format, options->lines, file);
	} else if (trace_open(trace, options->path, trace->diag) && trace_make_model(trace, &model, false)) {
		export_json_write(trace, file->out, file->name);
	}
}

/* Formats of other tools have nanoseconds, and no unit for ticks of unknown length. */
static void warn_about_ticks(const struct trace *trace)
{
	if (clock_is_unknown(model_get_clock(trace->model)))
		diag_add(trace->diag, DIAG_WARN, trace->path, DIAG_NO_OFFSET,
			"the rate of its clock is not known: a nanosecond that is written is a tick of it");
}

static void export_recording(struct trace *trace, const struct options *options, const struct result_file *file)
{
	const struct export_format *format = options->format;
	const struct export_timeline what = {options->path, options->thread, options->filter, options->span, format};

	if (format && format->source == EXPORT_TIMELINE)
		export_timeline(trace, &what, file);
	else
		export_paths(trace, options, file);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};
	struct result_file file;

	if (!read_options(argc, argv, &options, diag) || !result_file_open(&file, options.output, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.span_name = "--time";
	export_recording(&trace, &options, &file);
	if (trace.model) {
		warn_about_ticks(&trace);
		health_warn(&trace);
	}
	result_file_close(&file, !diag_has_error(diag), diag);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_export = {"export", "[FILE]", "Converts a recording to another tool's format", rows, about, run,
	.task = TASK_COMPARE,
	.examples = "  dwell export --to perfetto -o app.pftrace app.dwell  for ui.perfetto.dev\n"
		    "  dwell export --to folded app.dwell > app.folded      for flame graphs\n"};
