/* dwell attach: records a process that runs already. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/agent.h"
#include "cmd/command.h"
#include "cmd/modes.h"
#include "cmd/option.h"
#include "record/recording.h"
#include "util/units.h"

static const char help[] =
	"  --for TIME     how long, from its first call on: 5s, 500ms, 2min; without it until the process ends, or Ctrl-C\n"
	"  --stream, --ring=SIZE, --linear=SIZE, --memory=SIZE\n"
	"                 what is kept, as for dwell record\n"
	"  -o FILE        the trace file; without it PROGRAM.dwell in this folder, and an earlier one is kept as PROGRAM.dwell.old\n"
	"\n"
	"The process must have hooks (see dwell cflags), and the agent in it: linked (-ldwell -u dwell_start), or preloaded when it was\n"
	"started, LD_PRELOAD=libdwell.so. Until somebody attaches, its hooks return at once. It is not stopped, nothing that it waits for is\n"
	"interrupted, and afterwards it goes on as before; it can be attached to again, any number of times.\n"
	"\n"
	"A process that was started with `dwell record --off` is turned on for that time; its calls are in the file of that record.\n"
	"\n"
	"Exit status: 0, or 2 when it cannot be attached to, or called nothing that has hooks.\n";

static bool refuse(struct diag *diag, const char *what, const char *value, const char *expected)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "attach: %s '%s': expected %s", what, value, expected);
	return false;
}

static bool read_pid(const char *text, struct recording_options *options, struct diag *diag)
{
	char *end;
	long pid;

	errno = 0;
	pid = strtol(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || pid < 1 || pid > INT32_MAX)
		return refuse(diag, "PID", text, "the number of a process");
	options->attach = (pid_t)pid;
	return true;
}

static bool read_options(int argc, char **argv, struct recording_options *options, struct diag *diag)
{
	enum { FOR = 1000, STREAM, RING, LINEAR, MEMORY };
	static const struct option known[] = {{"output", required_argument, NULL, 'o'}, {"for", required_argument, NULL, FOR},
		{"stream", no_argument, NULL, STREAM}, {"ring", required_argument, NULL, RING},
		{"linear", required_argument, NULL, LINEAR}, {"memory", required_argument, NULL, MEMORY}, {0}};
	int64_t time;
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":o:", known, NULL)) != -1) {
		switch (option) {
		case 'o':
			options->output = optarg;
			break;
		case FOR:
			if (!units_read_ns(optarg, &time) || time <= 0)
				return refuse(diag, "--for", optarg, "a time with its unit, as 5s, 500ms or 2min");
			options->for_ns = (uint64_t)time;
			break;
		case STREAM:
			options->mode = DWELL_MODE_STREAM;
			break;
		case RING:
			if (!modes_read_ring(&command_attach, "ring", optarg, DWELL_MODE_RING, options, diag))
				return false;
			break;
		case LINEAR:
			if (!modes_read_ring(&command_attach, "linear", optarg, DWELL_MODE_LINEAR, options, diag))
				return false;
			break;
		case MEMORY:
			if (!modes_read_memory(&command_attach, optarg, options, diag))
				return false;
			break;
		default:
			return option_refuse(&command_attach, option, argv, diag);
		}
	}
	if (!modes_check(&command_attach, options, diag))
		return false;
	if (argc - optind != 1) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "attach: %s usage: dwell attach %s",
			argc == optind ? "which process?" : "one process at a time;", command_attach.arguments);
		return false;
	}
	return read_pid(argv[optind], options, diag);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct recording_options options = {0};
	char *agent = NULL, *line = NULL;

	if (read_options(argc, argv, &options, diag) && (agent = make_agent_path(diag))) {
		options.agent = agent;
		options.command_line = line = make_command_line(argc, argv);
		recording_attach(&options, diag);
	}
	free(agent);
	free(line);
	return COMMAND_BY_DIAG;
}

const struct command command_attach = {"attach", "[--for TIME] [--ring=SIZE] [--linear=SIZE] [--memory=SIZE] [-o FILE] PID", "Records a process that runs already", help, run};
