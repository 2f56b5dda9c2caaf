/* dwell record: runs a program and writes what it did to a trace file. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/agent.h"
#include "cmd/command.h"
#include "cmd/option.h"
#include "record/recording.h"

static const char help[] =
	"  -o FILE        the trace file; without it PROGRAM.dwell in this folder, and an earlier one is kept as PROGRAM.dwell.old\n"
	"  --off          records nothing until the program calls dwell_start(), or somebody says dwell attach\n"
	"  --no-pack      stores events as they were recorded, in 16 bytes a call; else they are packed into one or two\n"
	"  --             ends the options, for a program whose name begins with a dash\n"
	"\n"
	"The program must have been compiled with -finstrument-functions (gcc and clang); nothing has to be linked and nothing changed in\n"
	"its source. It prints what it prints, gets the signals that dwell gets, and dwell record ends as it ends: with its exit status, or by\n"
	"the signal that killed it. The file is whole whatever the program dies of; `dwell report FILE` reads it.\n"
	"\n"
	"Exit status: the program's. 2 when it could not be started, or ended with 0 and nothing was recorded.\n";

static bool read_options(int argc, char **argv, struct recording_options *options, struct diag *diag)
{
	static const struct option known[] = {{"output", required_argument, NULL, 'o'}, {"off", no_argument, NULL, 'f'},
		{"no-pack", no_argument, NULL, 'n'}, {0}};
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "+:o:", known, NULL)) != -1) {
		if (option == 'o')
			options->output = optarg;
		else if (option == 'f')
			options->off = true;
		else if (option == 'n')
			options->no_pack = true;
		else
			return option_refuse(&command_record, option, argv, diag);
	}
	/* As for tar and gzip, - would be standard output, which is the program's. */
	if (options->output && (!*options->output || !strcmp(options->output, "-"))) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: -o '%s': expected the name of a file", options->output);
		return false;
	}
	if (optind == argc) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: which program? usage: dwell record %s", command_record.arguments);
		return false;
	}
	options->program = argv[optind];
	options->argv = argv + optind;
	return true;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct recording_options options = {0};
	struct launch launch = {0};
	char *agent = NULL, *line = NULL;
	int status = COMMAND_BY_DIAG;

	if (read_options(argc, argv, &options, diag) && (agent = make_agent_path(diag))) {
		options.agent = agent;
		options.command_line = line = make_command_line(argc, argv);
		if (recording_run(&options, &launch, diag)) {
			status = launch_status(&launch);
			if (status >= LAUNCH_KILLED)
				status = COMMAND_KILLED + status - LAUNCH_KILLED;
			if (status == 0 && diag_has_error(diag))
				status = COMMAND_BY_DIAG;
		}
	}
	free(agent);
	free(line);
	return status;
}

const struct command command_record = {"record", "[--off] [-o FILE] [--] PROGRAM [ARGUMENTS]", "Runs a program and records its calls", help, run};
