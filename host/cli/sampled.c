/* sampled: see sampled.h. */
#include "cli/sampled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/agent.h"
#include "query/precision.h"
#include "record/program/explain.h"
#include "record/program/hooked.h"
#include "record/session/attach.h"
#include "symbol/symbol.h"

static const char *take_until(void *until, const char *text)
{
	char *end;
	double points = strtod(text, &end);

	*(double *)until = points;
	return end != text && !strcmp(end, "pp") && points >= 0.01 && points <= 50 ? NULL : "percentage points, as 0.5pp; 0.01 to 50";
}

#define STACKS "copy, frame-pointers or none"
static const char *take_stacks(void *value, const char *text)
{
	struct sampling_options *options = value;

	options->leaf = !strcmp(text, "none");
	options->pointers = !strcmp(text, "frame-pointers");
	return options->leaf || options->pointers || !strcmp(text, "copy") ? NULL : STACKS;
}

#define ENGINES "perf or timer"
static const char *take_engine(void *engine, const char *text)
{
	*(enum engine_choice *)engine = !strcmp(text, "timer") ? ENGINE_TIMER : ENGINE_PERF;
	return !strcmp(text, "timer") || !strcmp(text, "perf") ? NULL : ENGINES;
}

#define AT(member) offsetof(struct sampled, member)
const struct option_row sampled_rows[] = {
	{"--trace", NULL, OPTION_MARK, 0, "records calls, also where no hooks are found before it runs", .family = "tracing"},
	{"--sample", NULL, OPTION_MARK, 0,
		"looks at the program now and then, instead of recording its calls: nothing has to be compiled for it, and it is "
		"not slowed down; the report is shares, each with how far it may be off",
		SAMPLES},
	ROW_RATE(AT(options.hz)),
	{"--fixed", NULL, OPTION_FLAG, AT(options.fixed),
		"samples at even distances; else these vary at random, so that no rhythm of the program's own can hide in them",
		SAMPLES},
	{"--stacks", "HOW", OPTION_OWN, AT(options),
		"how callers are found. copy (without it): what is needed of the stack is copied, up to 48 KiB. frame-pointers: "
		"less is copied, and behind it the kernel follows these, as far as the code keeps any (-fno-omit-frame-pointer). "
		"none: not at all",
		.read = take_stacks, .choices = STACKS, SAMPLES},
	{"--no-stacks", NULL, OPTION_FLAG, AT(options.leaf),
		"where the program is only, not who called, as --stacks none", SAMPLES},
	{"--engine", "=NAME", OPTION_OWN, AT(options.engine),
		"what looks at it: perf, the kernel's perf events, or timer, timers from within the program (of programs that "
		"record starts); without it timers where perf events are refused",
		.read = take_engine, .choices = ENGINES, SAMPLES},
	{"--until", "PP", OPTION_OWN, AT(until),
		"samples until the share of each function above 1 % is known to so many percentage points: 0.5pp",
		.read = take_until, SAMPLES},
	{0}};

void sampled_finish(const struct option_line *line, struct sampled *sampled)
{
	sampled->sample = option_given(line, "sampling");
	sampled->trace = option_given(line, "tracing");
	sampled->has_rate = option_given(line, "-F");
	sampled->options.pointers &= !sampled->options.leaf; /* --no-stacks behind --stacks */
}

bool sampled_choose_program(const struct sampled *sampled, char reason[static SAMPLED_REASON_BYTES], const char **why)
{
	const char *program = sampled->options.program, *unfound;
	struct diag *unsaid;
	char *path;

	if (sampled->sample || sampled->trace)
		return sampled->sample;
	unsaid = make_diag(); /* that there is no such program is said by who runs it */
	path = make_program_path(program, unsaid);
	free_diag(unsaid);
	if (!path || hooked_program(path, sampled->options.argv)) {
		free(path);
		return false;
	}
	unfound = explain_why_unfound(path);
	snprintf(reason, SAMPLED_REASON_BYTES, "%s: %s", program, unfound ? unfound : "no hooks (dwell cflags tells how to have them)");
	*why = reason;
	free(path);
	return true;
}

bool sampled_choose_process(const struct sampled *sampled, pid_t pid, const char *agent, char reason[static SAMPLED_REASON_BYTES],
	const char **why)
{
	struct diag *unsaid = make_diag(); /* it is said by who traces */
	struct attach attach = {.control = {.memory = -1}};
	bool sample = false;

	if (sampled->trace) {
		free_diag(unsaid);
		return false;
	}
	if (!attach_find(&attach, pid, agent, unsaid) && attach.untraceable && !sampled->sample) {
		snprintf(reason, SAMPLED_REASON_BYTES, "%s: %s", attach.name, attach.untraceable);
		*why = reason;
	}
	sample = attach.runs && (sampled->sample || attach.untraceable);
	attach_end(&attach);
	free_diag(unsaid);
	return sample;
}

/* Now, not at the end: the terminal does not come back, and this is why. */
static void tell_left(uint64_t processes)
{
	fprintf(stderr,
		"dwell: the program has ended and left %llu process%s behind, still sampled; Ctrl-C ends the recording, not the process%s\n",
		(unsigned long long)processes, processes == 1 ? "" : "es", processes == 1 ? "" : "es");
	fflush(stderr);
}

void sampled_tell_reason(const struct sampled *sampled, const char *reason)
{
	if (reason)
		fprintf(stderr, "dwell: %s: sampled at %g Hz\n", reason, sampled->options.hz);
	fflush(stderr);
}

bool sampled_run(struct sampled *sampled, const char *reason, struct launch *launch, struct diag *diag)
{
	struct sampling_rhythm rhythm = {.text = ""};
	struct precision *precision = NULL;
	char *agent;
	bool started;

	sampled->options.rhythm = &rhythm;
	if (!sampled->options.on_left)
		sampled->options.on_left = tell_left;
	if (sampled->until > 0) {
		precision = make_precision(sampled->until, diag);
		if (!precision)
			return false;
		sampled->options.on_file = precision_begin;
		sampled->options.context = precision;
		sampled->options.stop = precision_stop(precision);
	}
	sampled_tell_reason(sampled, reason);
	sampled->options.agent = agent = sampled->options.attach ? NULL : make_timer_agent_path();
	if (sampled->options.attach)
		started = sampling_attach(&sampled->options, diag);
	else
		started = sampling_run(&sampled->options, launch, diag);
	if (started && !sampled->options.attach && !launch->ended && !launch->stopped) {
		fprintf(stderr, "dwell: the recording has ended, and the program goes on\n");
		fflush(stderr);
	}
	if (precision)
		precision_end(precision, diag);
	if (*rhythm.text)
		diag_add(diag, DIAG_WARN, sampled->options.output, DIAG_NO_OFFSET,
			"samples at even distances are in step with the program: %s; without --fixed they cannot be", rhythm.text);
	while (started && !sampled->options.attach && !launch->ended)
		launch_wait(launch, 100000000);
	free_precision(precision);
	free(agent);
	return started;
}
