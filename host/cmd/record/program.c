/* program: runs the tracer or the sampler. */
#include "cmd/record/program.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/agent.h"
#include "cli/command.h"

/* Prints at once, not at the end: this explains why the shell's prompt does not return. */
static void print_left_behind(uint64_t processes)
{
	fprintf(stderr,
		"dwell: the program has ended and left %llu process%s behind, still recorded; Ctrl-C ends the recording, not the process%s\n",
		(unsigned long long)processes, processes == 1 ? "" : "es", processes == 1 ? "" : "es");
	fflush(stderr);
}

int record_program(struct record_program *what, struct diag *diag)
{
	struct tracing *tracing = what->tracing;
	struct sampled *sampled = what->sampled;
	char reason[SAMPLED_REASON_BYTES], *agent = NULL, *line = NULL;
	const char *why = NULL;
	struct launch launch = {0};
	bool sample = sampled_choose_program(sampled, reason, &why), started = false;
	int status = COMMAND_BY_DIAG;

	what->was_sampled = sample;
	tracing->options.on_processes_left = print_left_behind;
	if (!sample && sampled->options.for_ns)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"record: --for limits sampling, and this program has hooks; add --sample, or record its calls for a time with dwell "
			"attach --for");
	else if (sample || (agent = make_agent_path(diag))) {
		tracing->options.agent = agent;
		tracing->options.recorded = sampled->options.recorded = what->recorded;
		tracing->options.command_line = sampled->options.command_line = line = make_command_line(what->argc, what->argv);
		started = sample ? sampled_run(sampled, why, &launch, diag) : recording_run(&tracing->options, &launch, diag);
	}
	if (started) {
		status = launch_status(&launch);
		if (status >= LAUNCH_KILLED)
			status = COMMAND_KILLED + status - LAUNCH_KILLED;
		if (status == 0 && diag_has_error(diag))
			status = COMMAND_BY_DIAG;
	}
	free(agent);
	free(line);
	return status;
}
