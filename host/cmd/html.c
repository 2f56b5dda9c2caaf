/* dwell html: a recording as a page for a browser. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/result_file.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/html/page.h"
#include "page/page.h"
#include "query/facts.h"
#include "query/health.h"
#include "query/parallel/page_calls.h"
#include "query/trace.h"
#include "util/units.h"

#define CALLS_USUAL 1000000u
#define CALLS_MAX 4000000u
/* Where there are more calls than that, as few of the longest are left, so that there is room for windows and densities. */
#define LONG_PARTS 2u

static const char about[] =
	"One file that needs nothing else: it opens from disk, asks no network, and runs\n"
	"nothing that is in the recording. Its health first; then the functions, a flame\n"
	"graph, the timeline of all threads down to single calls, and of each function\n"
	"its callers and callees, its slowest calls, how long its calls took, and where\n"
	"it is in the source. The numbers are those of dwell report, tree, callers,\n"
	"callees and histogram. Single calls are as recorded. FILE as for dwell report:\n"
	"of samples there are shares with their errors, and the timeline shows what\n"
	"consecutive ones of a thread have in common. What keys do: ? in the page.\n";

struct options {
	struct input_options input;
	const char *path, *output, *thread;
	uint64_t jobs, calls;
	struct page_calls_window list[PAGE_CALLS_WINDOWS_MAX];
	size_t count;
	bool raw;
};

/* The moment up to the next comma; behind it. Null: it is none. */
static const char *read_moment(const char *text, int64_t *ns)
{
	size_t bytes = strcspn(text, ",");
	char moment[64];

	if (bytes >= sizeof moment)
		return NULL;
	snprintf(moment, sizeof moment, "%.*s", (int)bytes, text);
	return units_read_ns(moment, ns) ? text + bytes : NULL;
}

static const char *take_windows(void *context, const char *text)
{
	static char expected[96];
	struct options *options = context;

	snprintf(expected, sizeof expected, "FROM,TO, times with their units as 1.5s,1.6s; up to %u such pairs", PAGE_CALLS_WINDOWS_MAX);
	for (options->count = 0; text; text = *text ? text + 1 : NULL) {
		struct page_calls_window *window = &options->list[options->count];

		if (options->count == PAGE_CALLS_WINDOWS_MAX || !(text = read_moment(text, &window->from_ns)) || *text != ',' ||
			!(text = read_moment(text + 1, &window->to_ns)) || window->to_ns < window->from_ns)
			return expected;
		options->count++;
	}
	return NULL;
}

static const struct option_row rows[] = {
	ROW_OUTPUT,
	{"--calls", "N", OPTION_COUNT, OPTION_AT(calls),
		"each call where there are up to N (1000000, up to 4000000); of more the longest, and sums elsewhere", .low = 1, .high = CALLS_MAX},
	{"--window", "FROM,TO", OPTION_OWN, 0,
		"of a recording with more calls: each that was running between these moments, since the recording began; several: --window "
		"1s,1.2s,8s,8.01s. As many calls again at most: the longest",
		.read = take_windows},
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
		.context = &page_calls->own};
	bool has_samples = false;

	if (!trace_open(trace, options->path, trace->diag))
		return false;
	if (options->count && !trace->is_seekable) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"--window: when a call was is not known before its clock is, which a pipe tells at its end: use a file");
		return false;
	}
	if (trace->is_seekable && !read_facts(facts, trace, &has_samples))
		return false;
	if (has_samples) {
		if (!page_calls_samples(page_calls)) {
			diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
			return false;
		}
		model.on_call = NULL;
		model.on_sample = spans_take;
		model.context = page_calls->spans;
	}
	/* Moments are told as they come: then their clock has to be known. */
	if (!trace_make_model(trace, &model, options->count || has_samples))
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
	struct trace *trace, const struct facts *facts, struct page_calls *page_calls, const struct result_file *file)
{
	const struct html_source source = {trace, facts, page_calls};
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
	page_calls.window_count = options->count;
	memcpy(page_calls.windows, options->list, sizeof page_calls.windows);
	if (read_trace(trace, options, &facts, &page_calls)) {
		write_page(trace, &facts, &page_calls, file);
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

const struct command command_html = {"html", "FILE", "Writes what was recorded as a page for a browser", rows, about, run};
