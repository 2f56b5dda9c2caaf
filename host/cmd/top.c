/* dwell top: a table that is live: where the time goes just now. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/agent.h"
#include "cmd/command.h"
#include "cmd/option.h"
#include "cmd/sampled.h"
#include "cmd/screen.h"
#include "cmd/watch.h"
#include "record/recording.h"
#include "util/units.h"

static const char help[] =
	"  --for TIME     how long: 10s, 500ms, 2min; without it until the program ends, or Ctrl-C\n"
	"  --tables N     so many tables\n"
	"  --limit N      only the first N functions (-n N is the same); without it as many as fit\n"
	"  --cpu, --wall  by time on the CPU, or by the clock, waiting included; without it by --cpu where the system tells it. Samples are\n"
	"                 of time on the CPU\n"
	"  --sample, --trace\n"
	"                 samples a program that has hooks; or records calls, also where no hooks are found\n"
	"  -F HZ          samples a second of CPU time, 1 to 20000 (997)\n"
	"  --no-stacks    where the program is only, not who called: costs less\n"
	"  --             ends the options, for a program whose name is a number\n"
	"\n"
	"PID is a process that runs already, as for dwell attach; it goes on afterwards. A PROGRAM is run as by dwell record, and is ended with\n"
	"dwell top. One that has no hooks is sampled, and a line says so. Nothing is written to disk.\n"
	"\n"
	"Calls: once a second a table shows what happened since the table before: calls that ended, and the time that was spent in each\n"
	"function itself, also in calls that are still open; and both since the start (all). Time on the CPU is known up to the last event of\n"
	"each thread: what comes behind it is added with the next one. A ~ marks times to which more than a hundredth of the interval may be\n"
	"added so.\n"
	"\n"
	"Samples: the share of each function itself, and between what (from, to) the true one is with 95 % certainty, of the last second, or\n"
	"of as many (10 at most) as it takes to have 500 samples; and since the start (all). total is with what it calls; = marks a row that\n"
	"cannot be told from the one above.\n"
	"\n"
	"On a terminal the table stays in its place, and what the program prints is not shown; else there is a table each second.\n";

#define PIPE_BYTES (1 << 20)
#define SECOND_NS UINT64_C(1000000000)
#define END_NS (SECOND_NS / 10) /* a table that would come so late is the last one */

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

static bool read_number(const char *what, const char *text, uint64_t *number, struct diag *diag)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *number)
		return true;
	return refuse(diag, what, text, "a whole number from 1");
}

/* The process or the program. */
static bool read_subject(int argc, char **argv, struct options *options, struct diag *diag)
{
	const char *word = optind < argc ? argv[optind] : "";
	uint64_t pid;

	if (!*word) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "top: which process, or program? usage: dwell top %s", command_top.arguments);
		return false;
	}
	if (strspn(word, "0123456789") != strlen(word) || !strcmp(argv[optind - 1], "--")) {
		options->recording.program = options->sampled.options.program = word;
		options->recording.argv = options->sampled.options.argv = argv + optind;
		return true;
	}
	if (!read_number("PID", word, &pid, diag))
		return false;
	if (pid > INT32_MAX)
		return refuse(diag, "PID", word, "the number of a process");
	if (argc - optind > 1)
		return refuse(diag, "behind the PID", argv[optind + 1], "nothing");
	options->recording.attach = options->sampled.options.attach = (pid_t)pid;
	return true;
}

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	enum { FOR = 1000, TABLES, CPU, WALL }; /* and those of sampled.h, but for two */
	static const struct option known[] = {{"for", required_argument, NULL, FOR}, {"limit", required_argument, NULL, 'n'},
		{"tables", required_argument, NULL, TABLES}, {"cpu", no_argument, NULL, CPU}, {"wall", no_argument, NULL, WALL},
		{"sample", no_argument, NULL, SAMPLED_SAMPLE}, {"trace", no_argument, NULL, SAMPLED_TRACE},
		{"no-stacks", no_argument, NULL, SAMPLED_NO_STACKS}, {"help", no_argument, NULL, 'h'}, {0}};
	int64_t time;
	int option;

	*options = (struct options){.tables = UINT64_MAX, .limit = UINT64_MAX, .sampled = {.options = {.hz = SAMPLING_HZ}}};
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "+:hn:F:", known, NULL)) != -1) {
		switch (option) {
		case FOR:
			if (!units_read_ns(optarg, &time) || time <= 0)
				return refuse(diag, "--for", optarg, "a time with its unit, as 10s, 500ms or 2min");
			options->for_ns = (uint64_t)time;
			break;
		case 'n':
			if (!read_number("--limit", optarg, &options->limit, diag))
				return false;
			break;
		case TABLES:
			if (!read_number("--tables", optarg, &options->tables, diag))
				return false;
			break;
		case CPU:
		case WALL:
			if (!option_read_by(&command_top, option == CPU ? BY_CPU : BY_WALL, &options->by, diag))
				return false;
			break;
		case SAMPLED_RATE:
		case SAMPLED_SAMPLE:
		case SAMPLED_NO_STACKS:
		case SAMPLED_TRACE:
			if (!sampled_take(&command_top, &options->sampled, option, optarg, diag))
				return false;
			break;
		default:
			return option_refuse(&command_top, option, argv, diag);
		}
	}
	return sampled_check(&command_top, &options->sampled, diag) && read_subject(argc, argv, options, diag);
}

/* A table a second, until nothing more comes. */
struct painter {
	struct watch *watch;
	struct screen *screen;
	const struct options *options;
	bool samples;       /* their recording ends by itself when the time is up, and the last table is of all of it */
	volatile bool stop; /* for the recording */
	volatile bool over; /* of the recording */
};

static void *paint(void *context)
{
	struct painter *painter = context;
	uint64_t begun = watch_now_ns(), next = begun + SECOND_NS, tables = 0;

	while (!painter->over) {
		uint64_t now = watch_now_ns(), end = painter->options->for_ns ? begun + painter->options->for_ns : UINT64_MAX;

		if (painter->samples && next > end - END_NS) {
			watch_sleep_until(UINT64_MAX, &painter->over);
			break;
		}

		watch_sleep_until(next < end ? next : end, &painter->over);
		if (painter->over)
			break;
		now = watch_now_ns();
		if (now >= next || now >= end) {
			tables += watch_paint(painter->watch, painter->screen, painter->options->by, painter->options->limit);
			next += SECOND_NS;
		}
		if (now >= end || tables >= painter->options->tables || painter->screen->is_unread)
			painter->stop = true;
		if (painter->stop)
			break;
	}
	return NULL;
}

static void ignore_left(uint64_t processes)
{
	(void)processes;
}

/* The program is ours, and ends with us. */
static void end_program(struct launch *launch)
{
	if (launch->pid <= 0 || launch->attached || launch->ended)
		return;
	kill(launch->pid, SIGTERM);
	if (waitpid(launch->pid, &launch->status, 0) == launch->pid)
		launch->ended = true;
}

/* Calls. */
static void record(struct options *options, const char *output, struct painter *painter, struct launch *launch, struct diag *diag)
{
	options->recording.output = output;
	options->recording.no_pack = true;
	options->recording.live = true;
	options->recording.stop = &painter->stop;
	options->recording.on_left = ignore_left;
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
	sampling->on_left = ignore_left;
	sampling->command_line = options->recording.command_line;
	if (sampling->attach)
		sampling_attach(sampling, diag);
	else
		sampling_run(sampling, launch, diag);
	free(agent);
}

static void tell_nothing(const struct options *options, struct diag *diag)
{
	char name[32], distance[UNITS_TEXT_BYTES];

	snprintf(name, sizeof name, "process %ld", (long)options->recording.attach);
	units_format_ns_short(distance, (uint64_t)(1e9 / options->sampled.options.hz));
	diag_add(diag, DIAG_WARN, options->recording.attach ? name : options->recording.program, DIAG_NO_OFFSET,
		"no sample was taken: it used no CPU time meanwhile, or less than %s", distance);
}

static void run_with(struct options *options, bool samples, struct watch *watch, struct screen *screen, struct diag *diag)
{
	struct painter painter = {.watch = watch, .screen = screen, .options = options, .samples = samples};
	struct launch launch = {0};
	pthread_t thread;
	char output[32];

	snprintf(output, sizeof output, "/proc/self/fd/%d", watch_output(watch));
	if (!watch_start(watch, paint, &painter, &thread)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "top: out of memory");
		return;
	}
	(samples ? sample : record)(options, output, &painter, &launch, diag);
	end_program(&launch);
	painter.over = true;
	pthread_join(thread, NULL);
	watch_finish(watch);
	if (!painter.stop && !diag_has_error(diag)) /* what came since the last table */
		watch_paint(watch, screen, options->by, options->limit);
	if (samples && !diag_has_error(diag) && !watch_count_samples(watch))
		tell_nothing(options, diag);
}

/* Whether it is sampled. False, and a diag: what was asked for is not in samples. */
static bool choose(const struct options *options, const char *agent, bool *samples, struct diag *diag)
{
	const struct sampled *sampled = &options->sampled;
	char reason[SAMPLED_REASON_BYTES];
	const char *why = NULL;

	*samples = options->recording.attach ? sampled_choose_process(sampled, options->recording.attach, agent, reason, &why)
					     : sampled_choose_program(sampled, reason, &why);
	if (*samples && options->by == BY_WALL) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "top: --wall is for calls; samples are of time on the CPU%s%s",
			why ? ", and it would be sampled: " : "", why ? why : "");
		return false;
	}
	sampled_tell_reason(sampled, why);
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
	if (choose(&options, agent, &samples, diag))
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

const struct command command_top = {"top",
	"[--for TIME] [--tables N] [--limit N] [--cpu | --wall] [--trace | --sample] [-F HZ] [--no-stacks] PID | [--] PROGRAM [ARGUMENTS]",
	"Shows live where the time goes, once a second", help, run};
