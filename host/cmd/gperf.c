/* dwell gperf: the host of the Nintendo 64's profiler: fetches the histograms of a running program, and reports them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/shares.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/report/table.h"
#include "model/profile/counts.h"
#include "query/health.h"
#include "remote/fetch_program.h"
#include "remote/gperf_memory.h"
#include "remote/gperf_session.h"

#define DEFAULT_LINK "tcp:localhost:6464"
#define GDB_LINK "gdb:"
#define NOT_AGAIN UINT64_MAX /* --every was not said */

static const char about[] =
	"PROGRAM is the file that runs there; a file whose text is another one is\n"
	"refused. doc/ultra.md tells what the program does for it.\n"
	"\n"
	"Each report is of all interrupts since osProfileInit, and of those that were\n"
	"fetched before it when the program begins anew: the share of each function,\n"
	"and between what (from, to) the true one is with 95 % certainty.\n"
	COUNTS_OUTSIDE " are those that found the program where it has\n"
	"no counters, " COUNTS_BEYOND " those whose counter could count no more:\n"
	"these are in no function, and the exit status is 1.\n";

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

/* Out of memory nothing can be done to the program. */
static bool check(const struct options *options, struct diag *diag)
{
	bool gdb = !strncmp(options->link, GDB_LINK, strlen(GDB_LINK));

	if (gdb && (options->server || options->take || options->running))
		return option_refuse(&command_gperf, "--link gdb: reads memory only: no --server, --take, --running", diag);
	if (gdb && options->output)
		return option_refuse(&command_gperf, "--link gdb: 'dwell fetch --gdb' keeps what it fetches", diag);
	return true;
}

static const char *take_link(void *link, const char *text)
{
	static const char *const kinds[] = {GDB_LINK, "tcp:", "tcp-listen:", "serial:"};

	*(const char **)link = text;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(text, kinds[i], strlen(kinds[i])))
			return NULL;
	return "tcp:HOST:PORT, tcp-listen:PORT, serial:DEVICE:BAUD or gdb:HOST:PORT";
}

static const struct option_row rows[] = {
	{"--link", "WHERE", OPTION_OWN, OPTION_AT(link),
		"where the program's link is: tcp:HOST:PORT (tcp:localhost:6464 without it), tcp-listen:PORT or "
		"tcp-listen:ADDRESS:PORT where the program connects to us, serial:DEVICE:BAUD, or gdb:HOST:PORT: a GDB stub, for a "
		"program that serves no link",
		.read = take_link},
	{"--server", NULL, OPTION_FLAG, OPTION_AT(server),
		"waits for the program, and for its flushes (osProfileFlush), and prints a report of each, until Ctrl-C",
		.excludes = OPTION_EXCLUDES(
			{"--every", "--server and --every are one or the other: who waits for flushes does not ask"})},
	{"--every", "T", OPTION_DURATION, OPTION_AT(every_ns),
		"asks again each so often, as 5s; without it, and without --server, once",
		.low = 1, .expected = "some time, as 5s"},
	{"--times", "N", OPTION_COUNT, OPTION_AT(times), "so many reports, of --server or --every", .low = 1,
		.needs = {"--server --every"}},
	{"--take", NULL, OPTION_FLAG, OPTION_AT(take),
		"takes the counts away from the program, so that its counters begin at 0 again; else they are copied, and taken "
		"only where one nears its end"},
	{"--running", NULL, OPTION_FLAG, OPTION_AT(running),
		"the program counts on while it is being asked; else it does not, as what is asked last would have more of that time"},
	{"--wait", "T", OPTION_DURATION, OPTION_AT(wait_ns), "how long to wait for each answer (5s)"},
	{"-o", "FILE", OPTION_FILE, OPTION_AT(output), "keeps what was fetched, as a trace that dwell report, diff and export read",
		"--output"},
	{"--sort", "KEY", OPTION_TEXT, OPTION_AT(sort), "by function, samples, self_percent (without it) or total_percent",
		.get_choices = analysis_shares_sort_keys},
	ROW_LIMIT("functions"),
	{"--globals-only", NULL, OPTION_FLAG, OPTION_AT(names.globals_only), HELP_GLOBALS_ONLY},
	ROW_LINES,
	ROW_FULL_NAMES,
	ROWS_FORM("function,samples,self_percent,self_low,self_high,total_percent"),
	{0}};

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	*options = (struct options){
		.link = DEFAULT_LINK, .every_ns = NOT_AGAIN, .times = UINT64_MAX, .wait_ns = GDB_WAIT_NS, .limit = UINT64_MAX};
	return option_read(&command_gperf, options, "program", argc, argv, &options->program, diag) && check(options, diag);
}

/* Bytes of a trace or an image, read as any file is. */
static bool print_report(const struct options *options, const uint8_t *bytes, size_t size, bool is_image, struct diag *diag)
{
	struct question question = {.kind = QUESTION_FUNCTIONS, .sort = options->sort, .limit = options->limit, .is_option = true};
	const struct model_options model = {.want_profile = true};
	struct trace trace = {.input = {.program = is_image ? options->program : NULL, .names = options->names}, .jobs = 1};
	bool good = trace_open_source(&trace, make_source_memory(options->link, bytes, size, diag), diag) &&
		    trace_make_model(&trace, &model, false) && trace_read(&trace);

	if (good) {
		report_write_table(&question, &trace, &(struct report_form){options->form, options->lines, options->full_names});
		health_warn(&trace);
	}
	trace_close(&trace);
	fflush(stdout);
	return good && !diag_has_error(diag);
}

/* The diags of the last report are those that are said: each is of all that came before. */
static bool report(const struct options *options, const uint8_t *bytes, size_t size, bool is_image, struct diag **said)
{
	free_diag(*said);
	*said = make_diag();
	return print_report(options, bytes, size, is_image, *said);
}

static bool report_session(const struct options *options, struct gperf_session *session, struct diag **said)
{
	uint8_t *bytes;
	size_t size;
	bool good = gperf_session_make_trace(session, &bytes, &size) && report(options, bytes, size, false, said);

	free(bytes);
	return good;
}

static void separate(const struct options *options, uint64_t done)
{
	if (done && options->form == WRITER_TEXT)
		putchar('\n');
}

/* Each flush, or each so often, or once. */
static void serve(const struct options *options, struct gperf_session *session, struct diag **said)
{
	bool again = options->every_ns != NOT_AGAIN, flushed = false;
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
		separate(options, done);
		if (!report_session(options, session, said) || (flushed && !gperf_session_done(session)))
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
		.output_path = options->output,
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

/* Out of the target's memory. */
static void read_memory(const struct options *options, const struct symbol_image *image, struct diag **said, struct diag *diag)
{
	uint64_t next = link_deadline(options->every_ns);

	for (uint64_t done = 0; done < options->times && !stopped; done++) {
		uint8_t *bytes;
		size_t size;
		bool good;

		while (done && !stopped && link_deadline(0) < next)
			usleep(10000);
		if (stopped)
			return;
		next += done ? options->every_ns : 0;
		good = gperf_memory_read(options->link + strlen(GDB_LINK), options->wait_ns, options->program, image, &bytes, &size, diag);
		if (good) {
			separate(options, done);
			good = report(options, bytes, size, true, said);
		}
		free(bytes);
		if (!good || options->every_ns == NOT_AGAIN)
			return;
	}
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
	if (!strncmp(options.link, GDB_LINK, strlen(GDB_LINK)))
		read_memory(&options, image, &said, diag);
	else
		fetch(&options, image, &said, diag);
	if (said)
		diag_move(diag, said);
	free_symbol_image(image);
	return COMMAND_BY_DIAG;
}

const struct command command_gperf = {
	"gperf", "PROGRAM", "Fetches and reports histograms of a running program (osProfile)", rows, about, run};
