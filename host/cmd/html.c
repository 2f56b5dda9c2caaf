/* dwell html: writes a recording as a page for a browser. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "util/result_file.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/html/page.h"
#include "page/page.h"
#include "query/comparison.h"
#include "query/facts.h"
#include "query/health.h"
#include "query/parallel/page_calls.h"
#include "query/trace.h"

#define CALLS_DEFAULT 1000000u
#define CALLS_MAX 4000000u
/* If there are more calls than the limit, only the longest calls are kept: the limit divided by this, to
 * leave room for densities. */
#define LONG_PARTS 2u

static const char about[] =
	"The page is one file that needs nothing else: it opens from disk, asks no\n"
	"network, and runs nothing that is in the recording. It shows the functions, a\n"
	"flame graph, a timeline of all threads down to single calls, and for each\n"
	"function its callers and callees, its slowest calls, how long its calls took and\n"
	"its place in the source. The numbers are those of dwell report, tree, callers,\n"
	"callees and histogram; single calls are as recorded. FILE is as for dwell\n"
	"report. Samples have shares with their errors; their timeline shows what\n"
	"consecutive samples of a thread have in common. Press ? in the page for keys.\n"
	"\n"
	"With OLD and NEW the page compares two recordings: the table is that of dwell\n"
	"diff, the flame graph shows which paths take more or less, and the timelines\n"
	"are one above the other. Times are as recorded then, as in dwell diff.\n";

struct options {
	struct input_options input;
	const char *paths[COMPARE_SIDES]; /* a file; or an old and a new file */
	int count;
	const char *output, *thread;
	uint64_t jobs, calls;
	bool raw, no_source;
};

/* A recording with its page. */
struct recording {
	struct trace trace;
	struct facts facts;
	struct page_calls page_calls;
	struct page *page;
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

/* The names behind the options; none: the newest recording. False with a diag: there is none. */
static bool read_files(struct options *options, char **words, struct diag *diag)
{
	for (int i = 0; i < options->count; i++)
		options->paths[i] = words[i];
	if (!options->count)
		options->paths[options->count++] = option_find_newest(&command_html, diag);
	return options->paths[0];
}

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	struct option_line line;

	*options = (struct options){.calls = CALLS_DEFAULT};
	if (!option_read_line(&command_html, options, argc, argv, &line, diag))
		return false;
	options->count = argc - line.first;
	if (options->count > COMPARE_SIDES)
		return option_refuse_words(&command_html, "one file, or an old one and a new one;", diag);
	if ((!options->output || !strcmp(options->output, "-")) && isatty(STDOUT_FILENO))
		return option_refuse(&command_html, "standard output is a terminal: write the page to a file with -o FILE", diag);
	return read_files(options, argv + line.first, diag);
}

static bool read_trace(struct recording *recording, const char *path, const struct options *options)
{
	struct trace *trace = &recording->trace;
	struct page_calls *page_calls = &recording->page_calls;
	struct model_options model = {.want_profile = true,
		.raw = options->raw || options->count > 1, /* as in dwell diff */
		.thread_trees = true,
		.thread = options->thread,
		.on_call = page_calls_take,
		.on_off_cpu = page_calls_take_off,
		.context = &page_calls->own};
	bool has_samples = false;

	if (!trace_open(trace, path, trace->diag))
		return false;
	if (trace->is_seekable && !facts_read_declarations(&recording->facts, trace, &has_samples))
		return false;
	if (has_samples) {
		if (!page_calls_samples(page_calls)) {
			diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
			return false;
		}
		model.on_call = NULL;
		model.on_off_cpu = NULL;
		model.on_sample = spans_take;
		model.context = page_calls->spans;
	}
	/* Samples need the clock from the start, because their moments are used in order. */
	if (!trace_make_model(trace, &model, has_samples))
		return false;
	if (trace->is_seekable)
		return trace_read_page_calls(trace, page_calls);
	page_calls_begin(page_calls, trace->model, NULL);
	facts_read(&recording->facts, trace);
	if (page_calls_end(page_calls))
		return true;
	diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

/* If a call was left out, keeps only the longest calls: the limit divided by LONG_PARTS. */
static void choose_longest(struct page_calls *page_calls)
{
	struct long_calls *all = &page_calls->whole.all;

	if (all->count == all->offered)
		return;
	all->limit = page_calls->single_max / LONG_PARTS ? page_calls->single_max / LONG_PARTS : 1;
	long_calls_settle(all);
}

/* False with a diag: the file cannot be read, or memory ran out. */
static bool read_recording(struct recording *recording, const char *path, const struct options *options, struct diag *diag)
{
	const struct html_source source = {&recording->trace, &recording->facts, &recording->page_calls, options->no_source};

	recording->trace =
		(struct trace){.diag = diag, .input = options->input, .jobs = options->jobs, .skips_check = options->count > 1};
	page_calls_init(&recording->page_calls, options->calls);
	if (!read_trace(recording, path, options))
		return false;
	choose_longest(&recording->page_calls);
	recording->page = make_page();
	if (recording->page && !recording->facts.no_memory && html_page_fill(recording->page, &source))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

static void clear_recording(struct recording *recording)
{
	free_page(recording->page);
	page_calls_clear(&recording->page_calls);
	facts_clear(&recording->facts);
	trace_close(&recording->trace);
}

/* Null with a diag: the recordings cannot be compared, or memory ran out. */
static struct page *compare_recordings(struct recording *old, struct recording *new, struct diag *diag)
{
	struct comparison comparison = {.level = 0.95};
	struct page *page = NULL;

	comparison.as_sums = diff_profile_is_sums(model_get_profile(old->trace.model)) ||
			     diff_profile_is_sums(model_get_profile(new->trace.model));
	if (comparison_begin(&comparison, diag) && comparison_add(&comparison, &old->trace, COMPARE_OLD) &&
		comparison_add(&comparison, &new->trace, COMPARE_NEW) && comparison_end(&comparison, diag)) {
		page = make_page();
		if (!page || !html_page_fill_compared(page, &comparison, &old->trace, &new->trace)) {
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
			free_page(page);
			page = NULL;
		}
	}
	comparison_clear(&comparison);
	return page;
}

/* Reads one or two recordings, and writes the page. Errors go to the diag. */
static void make_file(const struct options *options, const struct result_file *file, struct diag *diag)
{
	struct recording recordings[COMPARE_SIDES] = {0};
	struct page *pages[COMPARE_SIDES + 1] = {0};
	size_t count = (size_t)options->count;
	bool good = true;

	for (size_t i = 0; good && i < count; i++) {
		good = read_recording(&recordings[i], options->paths[i], options, diag);
		pages[i] = recordings[i].page;
	}
	if (good && count > 1)
		good = (pages[count] = compare_recordings(&recordings[0], &recordings[1], diag));
	if (good)
		pages_write(pages, count + (pages[count] ? 1 : 0), file->out, file->name, diag);
	if (good && count == 1) /* for two recordings the comparison has given the warnings */
		health_warn(&recordings[0].trace);
	free_page(pages[count]);
	for (size_t i = 0; i < count; i++)
		clear_recording(&recordings[i]);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct result_file file;

	if (!read_options(argc, argv, &options, diag) || !result_file_open(&file, options.output, diag))
		return COMMAND_BY_DIAG;
	make_file(&options, &file, diag);
	result_file_close(&file, !diag_has_error(diag), diag);
	return COMMAND_BY_DIAG;
}

const struct command command_html = {"html", "[FILE], or OLD NEW", "Writes one or two recordings as a page for a browser", rows, about, run,
	.task = TASK_COMPARE,
	.examples = "  dwell html -o app.html app.dwell                one file, opens from disk\n"
		    "  dwell html -o changed.html old.dwell new.dwell  two recordings compared\n"};
