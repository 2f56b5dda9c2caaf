/* dwell html: a recording as a page for a browser. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "util/result_file.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/html/page.h"
#include "page/page.h"
#include "query/facts.h"
#include "query/health.h"
#include "query/parallel/page_calls.h"
#include "query/trace.h"

#define CALLS_USUAL 1000000u
#define CALLS_MAX 4000000u
/* Where there are more calls than that, as few of the longest are left, so that there is room for densities. */
#define LONG_PARTS 2u

static const char about[] =
	"The page is one file that needs nothing else: it opens from disk, asks no\n"
	"network, and runs nothing that is in the recording. It shows the functions, a\n"
	"flame graph, a timeline of all threads down to single calls, and for each\n"
	"function its callers and callees, its slowest calls, how long its calls took and\n"
	"its place in the source. The numbers are those of dwell report, tree, callers,\n"
	"callees and histogram; single calls are as recorded. FILE is as for dwell\n"
	"report. Samples have shares with their errors; their timeline shows what\n"
	"consecutive samples of a thread have in common. Press ? in the page for keys.\n";

struct options {
	struct input_options input;
	const char *path, *output, *thread;
	uint64_t jobs, calls;
	bool raw, no_source;
};

static const struct option_row rows[] = {
	ROW_OUTPUT,
	{"--calls", "N", OPTION_COUNT, OPTION_AT(calls),
		"show every call of recordings with at most N calls (1000000; at most 4000000); of larger ones the longest "
		"calls, and sums elsewhere", .low = 1, .high = CALLS_MAX},
	{"--no-source", NULL, OPTION_FLAG, OPTION_AT(no_source), "leave out the source lines of functions"},
	ROWS_READING,
	ROW_RAW,
	{0}};

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	*options = (struct options){.calls = CALLS_USUAL};
	if (!option_read(&command_html, options, "file", argc, argv, &options->path, diag))
		return false;
	if ((!options->output || !strcmp(options->output, "-")) && isatty(STDOUT_FILENO))
		return option_refuse(&command_html, "a page is nothing for a terminal: give a file with -o FILE", diag);
	return true;
}

/* What is declared: a pass of its own, which leaves out the events, so that many threads can read those. */
static bool read_facts(struct facts *facts, struct trace *trace, bool *has_samples)
{
	struct message message;

	reader_skip_events(trace->reader);
	for (reader_next(trace->reader, &message); message.kind != MESSAGE_END; reader_next(trace->reader, &message)) {
		facts_add(facts, &message);
		*has_samples |= message.kind == MESSAGE_SAMPLES;
	}
	facts_finish(facts);
	return reader_rewind(trace->reader);
}

static bool read_trace(struct trace *trace, const struct options *options, struct facts *facts, struct page_calls *page_calls)
{
	struct model_options model = {.want_profile = true,
		.raw = options->raw,
		.thread_trees = true,
		.thread = options->thread,
		.on_call = page_calls_take,
		.on_off = page_calls_take_off,
		.context = &page_calls->own};
	bool has_samples = false;

	if (!trace_open(trace, options->path, trace->diag))
		return false;
	if (trace->is_seekable && !read_facts(facts, trace, &has_samples))
		return false;
	if (has_samples) {
		if (!page_calls_samples(page_calls)) {
			diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
			return false;
		}
		model.on_call = NULL;
		model.on_off = NULL;
		model.on_sample = spans_take;
		model.context = page_calls->spans;
	}
	/* Moments are told as they come: then their clock has to be known. */
	if (!trace_make_model(trace, &model, has_samples))
		return false;
	if (trace->is_seekable)
		return trace_read_page_calls(trace, page_calls);
	page_calls_begin(page_calls, trace->model, NULL);
	facts_read(facts, trace);
	if (page_calls_end(page_calls))
		return true;
	diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

/* Few calls are all there; of many the longest, but fewer. */
static void choose_longest(struct page_calls *page_calls)
{
	struct long_calls *all = &page_calls->whole.all;

	if (all->count == all->offered)
		return;
	all->limit = page_calls->single_max / LONG_PARTS ? page_calls->single_max / LONG_PARTS : 1;
	long_calls_settle(all);
}

static void write_page(
	struct trace *trace, const struct facts *facts, struct page_calls *page_calls, const struct options *options,
	const struct result_file *file)
{
	const struct html_source source = {trace, facts, page_calls, options->no_source};
	struct page *page = make_page();

	choose_longest(page_calls);
	if (!page || facts->no_memory || !html_page_fill(page, &source))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	else
		page_finish(page, file->out, file->name, trace->diag);
	free_page(page);
}

static void make_page_of(struct trace *trace, const struct options *options, const struct result_file *file)
{
	struct facts facts = {0};
	struct page_calls page_calls;

	page_calls_init(&page_calls, options->calls);
	if (read_trace(trace, options, &facts, &page_calls)) {
		write_page(trace, &facts, &page_calls, options, file);
		health_warn(trace);
	}
	page_calls_clear(&page_calls);
	facts_clear(&facts);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};
	struct result_file file;

	if (!read_options(argc, argv, &options, diag) || !result_file_open(&file, options.output, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.jobs;
	make_page_of(&trace, &options, &file);
	result_file_close(&file, !diag_has_error(diag), diag);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_html = {"html", "FILE", "Writes a recording as an interactive page for a browser", rows, about, run,
	.task = TASK_COMPARE,
	.examples = "  dwell html -o app.html app.dwell                one file, opens from disk\n"
		    "  dwell html --thread main app.dwell > main.html  one thread\n"};
