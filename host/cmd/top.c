/* dwell top: shows live where the time goes, in a table that changes every second. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/agent.h"
#include "cli/command.h"
#include "option/option_value.h"
#include "cli/sampled.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "record/session/recording.h"
#include "tui/terminal.h"
#include "util/term.h"
#include "util/units.h"
#include "watch/live_view.h"
#include "watch/watch.h"
#include "writer/writer.h"

static const char about[] =
	"-- ends the options, for a program whose name is a number.\n"
	"\n"
	"PID is a running process, as for dwell attach; it goes on afterwards. PROGRAM is\n"
	"run as by dwell record, and ends with dwell top. dwell samples a program without\n"
	"hooks, and prints a line that says so; --trace records its calls. Nothing is\n"
	"written to disk.\n"
	"\n"
	"Calls: each table shows the calls that ended since the table before and the time\n"
	"spent in each function itself, including calls that are still open; and both\n"
	"since the start (all). CPU time is known up to each thread's last event; the\n"
	"next table adds the rest. A ~ marks times that may grow by more than 1 % of the\n"
	"interval. Times are as recorded, with the cost of recording, which dwell report\n"
	"takes out.\n"
	"\n"
	"Samples: each function's own share in the last second, or in the last seconds\n"
	"(at most 10) that hold 500 samples; and since the start. With 95 % certainty the\n"
	"true share is between from and to. total includes what the function calls; =\n"
	"marks a row that cannot be told from the one above.\n"
	"\n"
	"On a terminal the table stays in its place. Keys sort, search and freeze it (?\n"
	"lists them, q ends). The program has no terminal then: its output is not shown,\n"
	"and it reads nothing. Otherwise dwell prints a table each second.\n";

#define PIPE_BYTES (1 << 20)
#define SECOND_NS UINT64_C(1000000000)
#define END_NS (SECOND_NS / 10) /* if the end is at most this long after a table, the table waits for the end */

struct options {
	struct recording_options recording;
	struct sampled sampled;
	uint64_t tables, limit, for_ns;
	enum by by;
};

static bool refuse(struct diag *diag, const char *what, const char *value, const char *expected)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "top: %s '%s': expected %s", what, value, expected);
	return false;
}

static const struct option_row option_rows[] = {
	{"--for", "TIME", OPTION_DURATION, OPTION_AT(for_ns),
		"show tables for TIME (10s, 500ms, 2min). Without it: until the program ends, or Ctrl-C", .low = 1,
		.expected = "a time with its unit, as 10s, 500ms or 2min"},
	{"--tables", "N", OPTION_COUNT, OPTION_AT(tables), "end after N tables", .low = 1},
	{"--limit", "N", OPTION_COUNT, OPTION_AT(limit),
		"only the first N functions. Without it: as many as fit", "-n", .low = 1},
	ROWS_BY("by CPU time, or by wall-clock time (waiting included). Without it: CPU time if the system tells it. Samples are "
		"CPU time"),
	{"--trace", NULL, OPTION_FLAG, OPTION_AT(sampled.traces), "record the calls even if the program has no hooks (x86-64)", .family = "tracing"},
	{"--sample", NULL, OPTION_MARK, 0, "sample even if the program has hooks", SAMPLES},
	ROW_RATE(OPTION_AT(sampled.options.hz)),
	{"--no-stacks", NULL, OPTION_FLAG, OPTION_AT(sampled.options.leaf),
		"do not find callers: costs less", SAMPLES},
	{0}};

/* Reads the process or the program. */
static bool read_subject(const struct option_line *line, int argc, char **argv, struct options *options, struct diag *diag)
{
	const char *word = line->first < argc ? argv[line->first] : "";
	bool is_behind_dashes = !strcmp(argv[line->first - 1], "--");

	if (!*word)
		return option_refuse_words(&command_top, "which process, or program?", diag);
	if (strspn(word, "0123456789") != strlen(word) || is_behind_dashes) {
		options->recording.program = options->sampled.options.program = word;
		options->recording.argv = options->sampled.options.argv = argv + line->first;
		return true;
	}
	if (!option_read_pid(&command_top, word, &options->recording.attach, diag))
		return false;
	options->sampled.options.attach = options->recording.attach;
	return argc - line->first == 1 || refuse(diag, "behind the PID", argv[line->first + 1], "nothing");
}

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	struct option_line line;

	*options = (struct options){.tables = UINT64_MAX, .limit = UINT64_MAX, .sampled = {.options = {.hz = SAMPLING_HZ}}};
	if (!option_read_line(&command_top, options, argc, argv, &line, diag))
		return false;
	sampled_finish(&line, &options->sampled);
	options->recording.plans = options->sampled.traces;
	return read_subject(&line, argc, argv, options, diag);
}

/* What the thread needs that shows a table each second, until the recording is over. The main thread records meanwhile. */
struct painter {
	struct watch *watch;
	struct screen *screen;
	struct diag *diag;  /* of the painting thread */
	const struct options *options;
	struct live_view *view; /* null: tables are written one after the other */
	struct loop loop;   /* woken when the recording is over */
	bool samples;       /* sampling ends by itself when the time is up, and the last table covers all samples */
	volatile bool stop; /* set by this thread: the recorder must end the recording */
	volatile bool over; /* set by the main thread: the recording has ended */
};

/* Writes the table as text. False: no table yet. */
static bool write_text(const struct painter *painter)
{
	const struct writer_options options = {.form = WRITER_TEXT};
	char *head = NULL, *rows = NULL;
	size_t head_bytes = 0, row_bytes = 0;
	struct watch_form form = {
		.by = painter->options->by, .limit = painter->options->limit, .head = open_memstream(&head, &head_bytes)};
	FILE *table = open_memstream(&rows, &row_bytes);
	bool done = false;

	if (form.head && table) {
		struct table_sink sink = make_table_writer(&options, table, "standard output", painter->diag);

		done = watch_write(painter->watch, &form, &sink);
		free_table_writer(&sink);
	}
	if (table)
		fclose(table);
	if (form.head) {
		fprintf(form.head, "\n%s", rows ? rows : "");
		fclose(form.head);
	}
	if (done && head)
		screen_show(painter->screen, head, head_bytes);
	free(head);
	free(rows);
	return done;
}

/* Shows the next table. False: no table yet. */
static bool show_table(const struct painter *painter)
{
	return painter->view ? live_view_update(painter->view, painter->watch, painter->options->by, painter->options->limit)
			     : write_text(painter);
}

/* Waits until ns (CLOCK_MONOTONIC), a key, or the end of the recording. */
static void wait_until(struct painter *painter, uint64_t ns)
{
	uint32_t key;

	if (!painter->view) {
		loop_wait(&painter->loop, -1, ns);
		return;
	}
	key = terminal_get_key(ns);
	if (key != TERMINAL_TIME && !live_view_take_key(painter->view, key))
		painter->stop = true;
}

static void *show_tables(void *context)
{
	struct painter *painter = context;
	const struct options *options = painter->options;
	uint64_t begun = loop_now_ns(), next = begun + SECOND_NS, tables = 0;
	uint64_t end = options->for_ns ? begun + options->for_ns : LOOP_FOREVER;

	while (!painter->over && !painter->stop) {
		bool is_last = painter->samples && next > end - END_NS;
		uint64_t now;

		wait_until(painter, is_last ? LOOP_FOREVER : next < end ? next : end);
		now = loop_now_ns();
		if (painter->over || painter->stop || is_last || (now < next && now < end))
			continue;
		tables += show_table(painter);
		next += SECOND_NS;
		if (next < now) /* dwell itself was stopped */
			next = now + SECOND_NS;
		if (now >= end || tables >= options->tables || painter->screen->is_unread)
			painter->stop = true;
	}
	return NULL;
}

static void ignore_left_behind(uint64_t processes)
{
	(void)processes;
}

/* A program started by dwell top ends with dwell top. */
static void end_program(struct launch *launch)
{
	if (launch->pid <= 0 || launch->attached || launch->ended)
		return;
	kill(launch->pid, SIGTERM);
	if (waitpid(launch->pid, &launch->status, 0) == launch->pid)
		launch->ended = true;
}

/* Records calls. */
static void record(struct options *options, const char *output, struct painter *painter, struct launch *launch, struct diag *diag)
{
	options->recording.output = output;
	options->recording.no_pack = true;
	options->recording.live = true;
	options->recording.stop = &painter->stop;
	options->recording.on_processes_left = ignore_left_behind;
	options->recording.for_ns = options->recording.attach ? options->for_ns : 0;
	if (options->recording.attach)
		recording_attach(&options->recording, diag);
	else
		recording_run(&options->recording, launch, diag);
}

static void sample(struct options *options, const char *output, struct painter *painter, struct launch *launch, struct diag *diag)
{
	struct sampling_options *sampling = &options->sampled.options;

	char *agent = sampling->attach ? NULL : make_timer_agent_path();

	sampling->output = output;
	sampling->agent = agent;
	sampling->live = true;
	sampling->stop = &painter->stop;
	sampling->for_ns = options->for_ns;
	sampling->on_processes_left = ignore_left_behind;
	sampling->command_line = options->recording.command_line;
	if (sampling->attach)
		sampling_attach(sampling, diag);
	else
		sampling_run(sampling, launch, diag);
	free(agent);
}

/* Warns that no sample was taken. */
static void warn_no_samples(const struct options *options, struct diag *diag)
{
	char name[32], distance[UNITS_TEXT_BYTES];

	snprintf(name, sizeof name, "process %ld", (long)options->recording.attach);
	units_format_ns_short(distance, (uint64_t)(1e9 / options->sampled.options.hz));
	diag_add(diag, DIAG_WARN, options->recording.attach ? name : options->recording.program, DIAG_NO_OFFSET,
		"no sample was taken: it used no CPU time meanwhile, or less than %s", distance);
}

/* Records or samples, while a second thread shows tables. */
static void run_recording(struct options *options, bool samples, struct painter *painter, struct diag *diag)
{
	struct launch launch = {0};
	pthread_t thread;
	char output[32];

	snprintf(output, sizeof output, "/proc/self/fd/%d", watch_output(painter->watch));
	if (!watch_start(painter->watch, show_tables, painter, &thread)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "top: out of memory");
		return;
	}
	(samples ? sample : record)(options, output, painter, &launch, diag);
	end_program(&launch);
	painter->over = true;
	loop_wake(&painter->loop);
	pthread_join(thread, NULL);
	watch_finish(painter->watch);
	if (!painter->stop && !diag_has_error(diag)) /* data since the last table */
		show_table(painter);
	if (samples && !diag_has_error(diag) && !watch_count_samples(painter->watch))
		warn_no_samples(options, diag);
}

/* On a terminal: shows a live view and leaves its last table in the scrollback. Otherwise: writes text. */
static void run_with(struct options *options, bool samples, struct watch *watch, struct screen *screen, struct diag *diag)
{
	struct painter painter = {.watch = watch, .screen = screen, .diag = make_diag(), .options = options, .samples = samples};
	struct live_view view = {0};
	bool can = loop_begin(&painter.loop);

	if (!can)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "top: %s", strerror(errno));
	if (can && screen->is_terminal) {
		painter.view = &view;
		can = terminal_begin(screen->out, screen_get_keys(screen), &painter.loop, diag) && live_view_begin(&view);
	}
	if (can)
		run_recording(options, samples, &painter, diag);
	terminal_end();
	if (view.list.grid)
		live_view_print(&view, term_width(screen->out), screen_lines(screen), term_has_colour(screen->out), screen->out);
	live_view_clear(&view);
	if (painter.loop.ends[1])
		loop_end(&painter.loop);
	free_diag(painter.diag);
}

/* Chooses between samples and calls. False with a diag: --wall does not apply to samples. */
static bool choose_samples(struct options *options, const char *agent, bool *samples, struct diag *diag)
{
	struct sampled *sampled = &options->sampled;
	char reason[SAMPLED_REASON_BYTES];
	const char *why = NULL;

	*samples = options->recording.attach ? sampled_choose_process(sampled, options->recording.attach, agent, reason, &why)
					     : sampled_choose_program(sampled, reason, &why);
	if (*samples && options->by == BY_WALL) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "top: --wall is for calls; samples are of time on the CPU%s%s",
			why ? ", and it would be sampled: " : "", why ? why : "");
		return false;
	}
	sampled_print_reason(sampled, why);
	return true;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct watch *watch = NULL;
	struct screen screen = {0};
	char *agent = NULL, *line = NULL;
	bool samples;

	if (!read_options(argc, argv, &options, diag) || !(agent = make_agent_path(diag)))
		return COMMAND_BY_DIAG;
	options.recording.agent = agent;
	options.recording.command_line = line = make_command_line(argc, argv);
	if (choose_samples(&options, agent, &samples, diag))
		watch = make_watch(PIPE_BYTES, diag);
	if (watch) {
		screen_begin(&screen, !options.recording.attach);
		run_with(&options, samples, watch, &screen, diag);
		screen_end(&screen);
	}
	free_watch(watch);
	free(agent);
	free(line);
	return COMMAND_BY_DIAG;
}

const struct command command_top = {"top", "PID | [--] PROGRAM [ARGUMENTS]", "Shows live where the time goes, once per second", option_rows, about, run, OPERANDS_PROGRAM,
	.task = TASK_RECORD,
	.examples = "  dwell top ./app  a program, until it ends\n"
		    "  dwell top 1234   process 1234, until Ctrl-C\n"};
