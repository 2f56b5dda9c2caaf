/* dwell snapshot: what a ring or linear recording that goes on holds now. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/agent.h"
#include "cli/command.h"
#include "cli/option_value.h"
#include "record/sink/snapshot.h"
#include "util/stream.h"

static const char about[] =
	"Prints the name of the file: that of the recording with .1, .2 and so on behind\n"
	"it. It is there when the command ends, and is a trace file of its own, which all\n"
	"commands read. The recording goes on, and the program is not stopped.\n"
	"\n"
	"PID is the process that is recorded, or the dwell that records it (--ring or\n"
	"--linear, of dwell record or dwell attach). The program itself can call\n"
	"dwell_snapshot().\n"
	"\n"
	"Exit status: 0, or 2 when there is nothing to take one of.\n";

static int run(int argc, char **argv, struct diag *diag)
{
	char *agent = NULL, *file = NULL;
	struct option_line line;
	pid_t pid;

	if (!option_read_line(&command_snapshot, NULL, argc, argv, &line, diag))
		return COMMAND_BY_DIAG;
	if (argc - line.first != 1)
		option_refuse_words(&command_snapshot, argc == line.first ? "of which process?" : "of one process at a time;", diag);
	else if (option_read_pid(&command_snapshot, argv[line.first], &pid, diag) && (agent = make_agent_path(diag)))
		file = snapshot_take(pid, agent, diag);
	if (file) {
		puts(file);
		stream_finish(stdout, 0, "standard output", diag);
	}
	free(agent);
	free(file);
	return COMMAND_BY_DIAG;
}

const struct command command_snapshot = {
	"snapshot", "PID", "Has what a ring recording holds written to a file, while it goes on", NULL, about, run, OPERANDS_OTHER};
