/* dwell snapshot: saves the current contents of a ring or linear recording in progress. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/agent.h"
#include "cli/command.h"
#include "cli/option.h"
#include "option/option_value.h"
#include "record/sink/snapshot.h"
#include "util/stream.h"

static const char about[] =
	"Prints the name of the new file: that of the recording with .1, .2 and so on\n"
	"behind it. It is complete when the command ends, and all commands read it. The\n"
	"recording goes on; the program is not stopped.\n"
	"\n"
	"PID is the recorded process, or the dwell that records it (dwell record or\n"
	"attach, with --ring or --linear). The program itself can call dwell_snapshot().\n"
	"\n"
	"Exit status: 0, or 2 if there is nothing to save.\n";

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

const struct command command_snapshot = {"snapshot", "PID", "Saves what a ring recording holds, without stopping it", NULL, about, run, OPERANDS_OTHER,
	.task = TASK_RECORD,
	.examples = "  dwell record --ring ./server &  keep the last events in memory\n"
		    "  dwell snapshot $(pgrep server)  write them to server.dwell.1\n"};
