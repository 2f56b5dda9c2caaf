/* dwell tui: browses a recording on a terminal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/tui/browser.h"
#include "cmd/tui/pages.h"
#include "query/require.h"
#include "query/health.h"
#include "query/trace.h"
#include "tui/loop.h"
#include "tui/terminal.h"
#include "util/term.h"

static const char about[] =
	"FILE is as for dwell report. Pages: functions (1) and the tree of call paths\n"
	"(2); for the function under the cursor its callers (3), its callees (4), how\n"
	"long its calls took (5), the slowest of them with what they did (6) and its\n"
	"single calls (7); and what the file holds and what was lost (8). They are the\n"
	"tables of dwell report, tree, callers, callees, histogram, slowest, calls and\n"
	"info.\n"
	"\n"
	"Enter goes to what a function calls, c to who calls it, Backspace goes back;\n"
	"right and left open and close paths. s sorts by the next column, r reverses; t\n"
	"changes between CPU and wall-clock time; / searches, n goes on. ? lists all\n"
	"keys, q ends. Of functions with many calls the longest 50,000 are listed. If\n"
	"there is no room for all columns, dwell leaves out those that people need least.\n"
	"\n"
	"dwell tui needs a terminal that can place its cursor, of any size. It obeys\n"
	"NO_COLOR. FILE may be - (standard input), except for pages 6 and 7, which read\n"
	"it once more.\n";

struct options {
	struct input_options input;
	const char *path, *thread;
	uint64_t jobs;
	bool raw;
	enum by by;
};

static const struct option_row rows[] = {
	ROWS_BY(HELP_BY_OF_SUMS),
	ROWS_READING,
	ROW_RAW,
	{0}};

/* The warnings about the file, in lines as main will print them. The caller frees the text. */
static char *make_messages(struct diag *diag)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	diag_print(diag, out);
	fclose(out);
	return text;
}

static void browse(struct trace *trace, const struct options *options, struct diag *diag)
{
	char *messages = make_messages(trace->diag);
	const struct pages pages = {trace, options->path, options->thread, options->by, messages ? messages : ""};
	int keys = isatty(STDIN_FILENO) ? STDIN_FILENO : -1;
	struct loop loop;

	if (!loop_begin(&loop)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "tui: %s", strerror(errno));
	} else {
		if (terminal_begin(stdout, keys, &loop, diag))
			browser_run(&pages);
		terminal_end();
		loop_end(&loop);
	}
	free(messages);
}

/* Problems of the file are shown in the browser, and printed again at the end, where they decide the exit status. */
static void read_and_browse(const struct options *options, struct diag *diag)
{
	const struct model_options model = {
		.want_profile = true, .raw = options->raw, .thread = options->thread};
	struct trace trace = {.diag = make_diag(), .input = options->input, .jobs = options->jobs};
	struct diag *found = trace.diag;

	if (trace_read_model(&trace, options->path, &model) && require_time_by(&trace, options->by, true)) {
		health_warn(&trace);
		browse(&trace, options, diag);
	}
	trace_close(&trace);
	diag_move(diag, found);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {0};

	if (!option_read_file(&command_tui, &options, argc, argv, &options.path, diag))
		return COMMAND_BY_DIAG;
	if (term_is_terminal(stdout)) {
		if (terminal_check(stdout, diag)) /* check before a large file is read */
			read_and_browse(&options, diag);
	} else {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"tui: standard output is no terminal; dwell report, tree, callers and calls print tables anywhere");
	}
	return COMMAND_BY_DIAG;
}

const struct command command_tui = {"tui", "[FILE]", "Browses a recording on the terminal", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell tui app.dwell         ? lists the keys\n"
		    "  dwell tui --wall app.dwell  by wall-clock time\n"};
