/* dwell export: a recording in a format of other tools. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/calls/call_filter.h"
#include "analysis/tree.h"
#include "analysis/with_lines.h"
#include "cli/command.h"
#include "cli/result_file.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/export/json.h"
#include "cmd/export/target.h"
#include "cmd/export/timeline.h"
#include "query/health.h"
#include "query/inlined.h"
#include "query/trace.h"
#include "util/stream.h"
#include "writer/export/export.h"

static const char about[] =
	"FILE as for dwell report. chrome, firefox and perfetto show single calls in\n"
	"order of time, and of samples what those of a thread have in common, one after\n"
	"the other; sums have neither, and a pipe cannot be read twice. speedscope has\n"
	"the same of files up to 64 MiB with up to a million calls, none of them only\n"
	"counted, and with --longer or --depth; else, and with --lines or --inlines, it\n"
	"has sums. All others show sums, and a function's self times are those of\n"
	"dwell report, to the nanosecond: without what recording cost, but with --raw.\n"
	"Single calls are as recorded.\n"
	"Formats that tell each path have of one with more than 1,001 functions the\n"
	"outermost 1,000, [...], and the innermost. callgrind has no paths: what its\n"
	"readers work out for recursive functions counts some time more than once.\n";

#define FORMATS "callgrind, chrome, firefox, folded, gmon, json, perfetto, pprof or speedscope"

struct options {
	const char *path, *to, *output, *thread;
	bool lines, inlines, sums, raw;
	struct input_options input;
	struct call_filter filter;
	uint64_t jobs;
	const struct export_format *format; /* null: json */
};

static const struct option_row rows[] = {
	{"--to", "FORMAT", OPTION_CHOICE, OPTION_AT(to),
		"what to write:\n"
		"callgrind   costs of functions and of the calls between them:\n"
		"            KCachegrind, callgrind_annotate\n"
		"chrome      JSON trace events, each call: chrome://tracing,\n"
		"            Perfetto\n"
		"firefox     a processed profile, each call in time:\n"
		"            profiler.firefox.com\n"
		"folded      folded stacks: flame graphs\n"
		"gmon        gmon.out of one program: gprof PROGRAM FILE\n"
		"json        dwell's own: what info, report and tree know, in\n"
		"            one object with a version\n"
		"perfetto    a trace of Perfetto, each call: ui.perfetto.dev\n"
		"pprof       a gzipped profile of pprof\n"
		"speedscope  speedscope's own JSON, each call where it has few",
		.choices = FORMATS, .missing = "to which format? --to " FORMATS},
	ROW_OUTPUT,
	ROW_THREAD,
	ROW_LINES,
	ROW_INLINES,
	ROWS_INPUT,
	{"--longer", "T", OPTION_DURATION, OPTION_AT(filter.longer_ns),
		"chrome, firefox, perfetto and speedscope: only calls that took at least that long: 20us, 1.5ms, 2s"},
	{"--depth", "N", OPTION_COUNT, OPTION_AT(filter.depth_limit), "chrome, firefox, perfetto and speedscope: only N levels"},
	ROW_RAW,
	{"--sums", NULL, OPTION_FLAG, OPTION_AT(sums), "speedscope: sums of paths, though it has few calls"},
	{0}};

static bool is_filtered(const struct options *options)
{
	return options->filter.longer_ns || options->filter.depth_limit != UINT64_MAX;
}

/* Of a format that has both: nothing asks for sums. */
static bool may_have_calls(const struct options *options)
{
	return options->format && options->format->of_calls && !options->sums && !options->lines && !options->inlines;
}

static bool check_format(const struct options *options, struct diag *diag)
{
	bool is_timeline = options->format && options->format->source == EXPORT_TIMELINE;
	bool has_calls = is_timeline || may_have_calls(options);

	if (!has_calls && is_filtered(options))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: --longer and --depth choose single calls, and --to %s has sums", options->to);
	else if (is_timeline && (options->lines || options->inlines))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: --lines and --inlines do not go with --to %s", options->to);
	else if (options->sums && (!options->format || !options->format->of_calls))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: --sums is for --to speedscope, which may have single calls");
	else if (!options->format && options->lines)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: --lines does not go with --to json");
	else if (options->format && options->format->is_binary && (!options->output || !strcmp(options->output, "-")) && isatty(STDOUT_FILENO))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "export: %s is nothing for a terminal: give a file with -o FILE", options->to);
	return !diag_has_error(diag);
}

/* False: a diag says why. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	*options = (struct options){.filter = call_filter_all()};
	if (!option_read(&command_export, options, "file", argc, argv, &options->path, diag))
		return false;
	options->format = export_find(options->to);
	return check_format(options, diag);
}

static void write_paths(const struct trace *trace, const struct options *options, const struct result_file *file)
{
	const struct export_target target = export_make_target(trace, file);
	const struct analysis_tree tree = {.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX,
		.sums = true,
		.places = true};
	struct lines *lines = options->lines ? make_lines(model_get_functions(trace->model), trace->diag) : NULL;
	struct table_sink writer = options->format->make(&target), sink = make_lines_sink(lines, &writer);

	if (!analysis_tree(&tree, &sink))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	free_lines_sink(&sink);
	options->format->free(&writer);
	free_lines(lines);
}

static void export_paths(struct trace *trace, const struct options *options, const struct result_file *file)
{
	const struct model_options model = {.want_profile = true,
		.raw = options->raw,
		.no_durations = options->format != NULL,
		.thread = options->thread,
		.inlines = options->inlines};

	if (options->format) {
		if (inlined_read(trace, options->path, &model))
			write_paths(trace, options, file);
	} else if (trace_open(trace, options->path, trace->diag) && trace_make_model(trace, &model, false)) {
		export_json_write(trace, file->out, file->name);
	}
}

/* Formats of others have nanoseconds, and no word for ticks of nobody knows what. */
static void warn_of_clock(const struct trace *trace)
{
	if (clock_is_unknown(model_get_clock(trace->model)))
		diag_add(trace->diag, DIAG_WARN, trace->path, DIAG_NO_OFFSET,
			"the rate of its clock is not known: a nanosecond that is written is a tick of it");
}

static void export_it(struct trace *trace, const struct options *options, const struct result_file *file)
{
	const struct export_format *format = options->format;
	struct export_timeline what = {options->path, options->thread, options->filter, format};
	bool is_timeline = format && format->source == EXPORT_TIMELINE;

	if (may_have_calls(options)) {
		what.format = format->of_calls;
		if (!is_filtered(options) && export_timeline_of_few(trace, &what, file))
			return;
		is_timeline = is_filtered(options);
	}
	if (is_timeline)
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
	export_it(&trace, &options, &file);
	if (trace.model) {
		warn_of_clock(&trace);
		health_warn(&trace);
	}
	result_file_close(&file, !diag_has_error(diag), diag);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_export = {"export", "FILE", "Writes what was recorded in a format of other tools", rows, about, run};
