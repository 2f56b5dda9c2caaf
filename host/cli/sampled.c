/* sampled: decides between sampling and tracing, and runs the sampler. */
#include "cli/sampled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/agent.h"
#include "record/program/explain.h"
#include "record/program/hooked.h"
#include "record/program/plans.h"
#include "record/session/attach.h"
#include "record/session/may_inject.h"
#include "symbol/symbol.h"

#define ENGINES "perf or timer"
static const char *take_engine(void *engine, const char *text)
{
	*(enum engine_choice *)engine = !strcmp(text, "timer") ? ENGINE_TIMER : ENGINE_PERF;
	return !strcmp(text, "timer") || !strcmp(text, "perf") ? NULL : ENGINES;
}

#define AT(member) offsetof(struct sampled, member)
const struct option_row sampled_rows[] = {
	{"--trace", NULL, OPTION_FLAG, AT(traces),
		"record each call even if the program has no hooks: dwell changes its code in memory while it runs (x86-64). "
		"Libraries only if --only names them ('module:libz.so*'). dwell symbols --sites shows which functions can be "
		"recorded",
		.family = "tracing", .started = "has chosen how its calls are recorded"},
	{"--sample", NULL, OPTION_MARK, 0,
		"sample the program instead of recording its calls: nothing to compile, hardly any slowdown. Reports show "
		"shares, each with its error",
		SAMPLES},
	ROW_RATE(AT(options.hz)),
	{"--no-stacks", NULL, OPTION_FLAG, AT(options.leaf),
		"where the program is only, not who called", .rare = true, SAMPLES},
	{"--engine", "=NAME", OPTION_OWN, AT(options.engine),
		"what takes the samples: perf, the kernel's perf events; or timer, timers inside of a program that record "
		"starts. Without it: perf, or timer where perf events are refused", .rare = true,
		.read = take_engine, .choices = ENGINES, SAMPLES},
	{0}};

void sampled_finish(const struct option_line *line, struct sampled *sampled)
{
	sampled->sample = option_get_given(line, "sampling");
	sampled->trace = option_get_given(line, "tracing");
}

bool sampled_choose_program(struct sampled *sampled, char reason[static SAMPLED_REASON_BYTES], const char **why)
{
	const char *program = sampled->options.program, *unfound;
	struct diag *ignored;
	char *path;

	if (sampled->sample || sampled->trace)
		return sampled->sample;
	ignored = make_diag(); /* the code that runs the program reports a missing program */
	path = make_program_path(program, ignored);
	free_diag(ignored);
	if (!path || hooked_program(path, sampled->options.argv)) {
		free(path);
		return false;
	}
	unfound = explain_why_hooks_unfound(path);
	sampled->can_trace = PLANS_ARE_MADE && !explain_is_static(path) && !explain_is_of_musl(path);
	snprintf(reason, SAMPLED_REASON_BYTES, "%s: %s", program, unfound ? unfound : "no hooks");
	*why = reason;
	free(path);
	return true;
}

bool sampled_choose_process(struct sampled *sampled, pid_t pid, const char *agent, char reason[static SAMPLED_REASON_BYTES],
	const char **why)
{
	struct diag *ignored = make_diag(); /* the code that traces reports errors */
	struct attach attach = {.control = {.image.memory = -1}};
	bool sample = false;
	char path[64];

	if (sampled->trace) {
		free_diag(ignored);
		return false;
	}
	if (!attach_find(&attach, pid, agent, ignored) && attach.why_untraceable && !sampled->sample) {
		snprintf(reason, SAMPLED_REASON_BYTES, "%s: %s", attach.name, attach.why_untraceable);
		*why = reason;
	}
	sample = attach.runs && (sampled->sample || attach.why_untraceable);
	snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
	sampled->can_trace = PLANS_ARE_MADE && !explain_is_static(path) && !explain_is_of_musl(path) &&
			     may_make_system_calls(pid, attach.name, ignored);
	attach_end(&attach);
	free_diag(ignored);
	return sample;
}

/* Prints at once, not at the end: this explains why the shell's prompt does not return. */
static void print_left_behind(uint64_t processes)
{
	fprintf(stderr,
		"dwell: the program has ended and left %llu process%s behind, still sampled; Ctrl-C ends the recording, not the process%s\n",
		(unsigned long long)processes, processes == 1 ? "" : "es", processes == 1 ? "" : "es");
	fflush(stderr);
}

void sampled_print_reason(const struct sampled *sampled, const char *reason)
{
	if (reason)
		fprintf(stderr, "dwell: %s: sampled at %g Hz%s\n", reason, sampled->options.hz,
			sampled->can_trace ? "; with --trace, each of its calls is recorded" : "");
	fflush(stderr);
}

bool sampled_run(struct sampled *sampled, const char *reason, struct launch *launch, struct diag *diag)
{
	char *agent;
	bool started;

	if (!sampled->options.on_processes_left)
		sampled->options.on_processes_left = print_left_behind;
	sampled_print_reason(sampled, reason);
	sampled->options.agent = agent = sampled->options.attach ? NULL : make_timer_agent_path();
	if (sampled->options.attach)
		started = sampling_attach(&sampled->options, diag);
	else
		started = sampling_run(&sampled->options, launch, diag);
	if (started && !sampled->options.attach && !launch->ended && !launch->stopped) {
		fprintf(stderr, "dwell: the recording has ended, and the program goes on\n");
		fflush(stderr);
	}
	while (started && !sampled->options.attach && !launch->ended)
		launch_wait(launch, 100000000);
	free(agent);
	return started;
}
