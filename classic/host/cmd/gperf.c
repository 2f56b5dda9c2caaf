/* dwell gperf: the host of the Nintendo 64's profiler: fetches the histograms of a running program, and reports them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/shares.h"
#include "classic/host/doors.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/report/table.h"
#include "model/sums/pc_counts.h"
#include "query/ask/functions.h"
#include "query/health.h"
#include "query/questions.h"
#include "classic/host/remote/fetch_program.h"
#include "util/result_file.h"
#include "classic/host/remote/gperf_session.h"

#define DEFAULT_LINK "tcp:localhost:6464"
#define NOT_AGAIN UINT64_MAX /* without --every */

static const char about[] =
	"PROGRAM is the file that runs there; dwell refuses a file with another text.\n"
	"doc/ultra.md explains what the program has to do.\n"
	"\n"
	"Each report covers all interrupts since osProfileInit, and, if the program began\n"
	"anew, those fetched before: the share of each function, and with 95 % certainty\n"
	"the true share is between from and to. [outside of all segments] counts\n"
	"interrupts where the program has no counters, [at a full counter] those whose\n"
	"counter could count no more. The latter are in no function, and the exit status\n"
	"is 1.\n";

struct options {
	const char *program, *link, *output, *sort;
	bool server, take, running, lines, full_names;
	uint64_t every_ns, times, wait_ns, limit;
	struct symbol_choice names;
	enum writer_form form;
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static const char *take_link(void *link, const char *text)
{
	static const char *const kinds[] = {"tcp:", "tcp-listen:", "serial:"};

	*(const char **)link = text;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(text, kinds[i], strlen(kinds[i])))
			return NULL;
	return "tcp:HOST:PORT, tcp-listen:PORT or serial:DEVICE:BAUD";
}

static const struct option_row rows[] = {
	{"--link", "WHERE", OPTION_OWN, OPTION_AT(link),
		"the program's link: tcp:HOST:PORT (tcp:localhost:6464), tcp-listen:PORT or tcp-listen:ADDRESS:PORT if the "
		"program connects to dwell, or serial:DEVICE:BAUD. If the program serves no link, dwell fetch --gdb reads the "
		"counters and dwell report shows them",
		.read = take_link},
	{"--server", NULL, OPTION_FLAG, OPTION_AT(server),
		"wait for the program and print a report at each flush (osProfileFlush), until Ctrl-C",
		.excludes = OPTION_EXCLUDES(
			{"--every", "--server and --every are one or the other: who waits for flushes does not ask"})},
	{"--every", "T", OPTION_DURATION, OPTION_AT(every_ns),
		"ask again every T, as 5s. Without --every and --server: ask once",
		.low = 1, .expected = "a time with its unit, as 5s"},
	{"--times", "N", OPTION_COUNT, OPTION_AT(times), "end after N reports of --server or --every", .low = 1,
		.needs = {"--server --every"}},
	{"--take", NULL, OPTION_FLAG, OPTION_AT(take),
		"take the counts away, so that the program's counters begin at 0 again. Without it dwell copies them, and takes "
		"only those that are nearly full"},
	{"--running", NULL, OPTION_FLAG, OPTION_AT(running),
		"let the program count while dwell reads. Without it counting pauses: otherwise what dwell reads last would have "
		"more time"},
	{"--wait", "T", OPTION_DURATION, OPTION_AT(wait_ns), "wait for each answer for T (5s)"},
	{"-o", "FILE", OPTION_FILE, OPTION_AT(output), "keep what was fetched as a trace that dwell report, diff and export read",
		"--output"},
	{"--sort", "KEY", OPTION_TEXT, OPTION_AT(sort), "sort by function, samples, self_percent (the default) or total_percent",
		.get_choices = analysis_shares_sort_keys},
	ROW_LIMIT("functions"),
	{"--globals-only", NULL, OPTION_FLAG, OPTION_AT(names.globals_only), HELP_GLOBALS_ONLY},
	ROW_LINES,
	ROW_FULL_NAMES,
	ROWS_FORM("the columns of dwell report --csv. Filled are function,samples,self_percent,self_low,self_high,total_percent"),
	{0}};

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	*options = (struct options){
		.link = DEFAULT_LINK, .every_ns = NOT_AGAIN, .times = UINT64_MAX, .wait_ns = GDB_WAIT_NS, .limit = UINT64_MAX};
	return option_read(&command_gperf, options, "program", argc, argv, &options->program, diag);
}

/* Prints a report of a trace in memory. */
static bool print_report(const struct options *options, const uint8_t *bytes, size_t size, struct diag *diag)
{
	struct profile_question functions;
	struct answer answer = {.question = &functions.question,
		.texts = &report_texts,
		.form = options->form,
		.full_names = options->full_names};
	const struct model_options model = {.want_profile = true};
	struct trace trace = {.input = {.names = options->names}, .jobs = 1};
	bool good = trace_open_source(&trace, make_source_memory(options->link, bytes, size, diag), diag) &&
		    trace_make_model(&trace, &model, false) && trace_read(&trace);

	question_begin(answer.question, &question_functions);
	answer.question->limit = options->limit;
	answer.question->lines = options->lines;
	answer.question->is_option = true;
	functions.sort = options->sort;
	if (good) {
		answer_write(&answer, &trace);
		health_warn(&trace);
	}
	trace_close(&trace);
	fflush(stdout);
	return good && !diag_has_error(diag);
}

/* Writes the trace, in place of the one before. */
static bool write_trace(const char *path, const uint8_t *bytes, size_t size, struct diag *diag)
{
	struct result_file file;

	return result_file_open(&file, path, diag) && result_file_close(&file, fwrite(bytes, 1, size, file.out) == size, diag);
}

/* Makes a trace and a report. Each report covers all counts so far, so *said keeps only the last report's diags. */
static bool report_session(const struct options *options, struct gperf_session *session, struct diag **said)
{
	uint8_t *bytes;
	size_t size;
	bool good = gperf_session_make_trace(session, &bytes, &size) &&
		(!options->output || write_trace(options->output, bytes, size, session->diag));

	free_diag(*said);
	*said = make_diag();
	good = good && print_report(options, bytes, size, *said);
	free(bytes);
	return good;
}

static void separate(const struct options *options, uint64_t done)
{
	if (done && options->form == WRITER_TEXT)
		putchar('\n');
}

/* Reports at each flush, or at each interval, or once. */
static void serve(const struct options *options, struct gperf_session *session, struct diag **said)
{
	bool again = options->every_ns != NOT_AGAIN, flushed = false, goes_on;
	uint64_t next = link_deadline(options->every_ns);

	if (!gperf_session_open(session) || !gperf_session_greet(session))
		return;
	session->is_lasting = again;
	for (uint64_t done = 0; done < options->times && !stopped; done++) {
		if (options->server && !gperf_session_wait(session, UINT64_MAX, &flushed))
			return;
		if (again && done) {
			if (!gperf_session_wait(session, next, &flushed))
				return;
			next += options->every_ns;
		}
		if (!gperf_session_fetch(session, flushed))
			return;
		/* The flushing program waits for the end of the fetch, not for the report. */
		goes_on = !flushed || gperf_session_done(session);
		separate(options, done);
		if (!report_session(options, session, said) || !goes_on)
			return;
		if (!options->server && !again)
			return;
	}
}

static void fetch(const struct options *options, const struct symbol_image *image, struct diag **said, struct diag *diag)
{
	struct gperf_session session = {.where = options->link,
		.program = options->program,
		.image = image,
		.wait_ns = options->wait_ns,
		.take = options->take,
		.running = options->running,
		.is_patient = options->server,
		.stop = &stopped,
		.diag = diag};

	serve(options, &session, said);
	if (gperf_session_has_rest(&session))
		report_session(options, &session, said);
	gperf_session_close(&session);
}

static int run(int argc, char **argv, struct diag *diag)
{
	const struct sigaction on_stop = {.sa_handler = stop};
	struct options options;
	struct symbol_image *image;
	struct diag *said = NULL;

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	image = fetch_open_program(options.program, diag);
	if (!image)
		return COMMAND_BY_DIAG;
	sigaction(SIGINT, &on_stop, NULL);
	sigaction(SIGTERM, &on_stop, NULL);
	fetch(&options, image, &said, diag);
	if (said)
		diag_move(diag, said);
	free_symbol_image(image);
	return COMMAND_BY_DIAG;
}

const struct command command_gperf = {"gperf", "PROGRAM", "Fetches and shows the histograms of osProfile (N64)", rows, about, run,
	.task = TASK_OLDER,
	.examples = "  dwell gperf app.elf             ask the program at localhost once\n"
		    "  dwell gperf --every 5s app.elf  ask every five seconds\n"};
