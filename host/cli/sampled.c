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
#include "util/units.h"

static const char stacks_values[] = "copy, frame-pointers or none", engine_values[] = "perf or timer";

static bool refuse(const struct command *command, const char *what, const char *value, const char *expected, struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s '%s': expected %s", command->name, what, value, expected);
	return false;
}

static bool read_rate(const struct command *command, struct sampled *sampled, const char *text, struct diag *diag)
{
	char expected[64], *end;
	double hz = strtod(text, &end);

	if (*text && !*end && hz >= SAMPLING_HZ_MIN && hz <= SAMPLING_HZ_MAX) {
		sampled->options.hz = hz;
		return true;
	}
	snprintf(expected, sizeof expected, "a number from %g to %g", SAMPLING_HZ_MIN, SAMPLING_HZ_MAX);
	return refuse(command, "-F", text, expected, diag);
}

static bool read_for(const struct command *command, struct sampled *sampled, const char *text, struct diag *diag)
{
	int64_t time;

	if (!units_read_ns(text, &time) || time <= 0)
		return refuse(command, "--for", text, "a time with its unit, as 5s, 500ms or 2min", diag);
	sampled->options.for_ns = (uint64_t)time;
	return true;
}

static bool read_until(const struct command *command, struct sampled *sampled, const char *text, struct diag *diag)
{
	char *end;

	sampled->until = strtod(text, &end);
	if (end != text && !strcmp(end, "pp") && sampled->until >= 0.01 && sampled->until <= 50)
		return true;
	return refuse(command, "--until", text, "percentage points, as 0.5pp; 0.01 to 50", diag);
}

static bool read_stacks(const struct command *command, struct sampled *sampled, const char *text, struct diag *diag)
{
	sampled->options.leaf = !strcmp(text, "none");
	sampled->options.pointers = !strcmp(text, "frame-pointers");
	if (sampled->options.leaf || sampled->options.pointers || !strcmp(text, "copy"))
		return true;
	return refuse(command, "--stacks", text, stacks_values, diag);
}

bool sampled_take(const struct command *command, struct sampled *sampled, int option, const char *value, struct diag *diag)
{
	switch (option) {
	case SAMPLED_RATE:
		sampled->sample = "-F";
		sampled->has_rate = true;
		return read_rate(command, sampled, value, diag);
	case SAMPLED_SAMPLE:
		sampled->sample = "--sample";
		return true;
	case SAMPLED_FIXED:
		sampled->sample = "--fixed";
		sampled->options.fixed = true;
		return true;
	case SAMPLED_NO_STACKS:
		sampled->sample = "--no-stacks";
		return read_stacks(command, sampled, "none", diag);
	case SAMPLED_STACKS:
		sampled->sample = "--stacks";
		return read_stacks(command, sampled, value, diag);
	case SAMPLED_UNTIL:
		sampled->sample = "--until";
		return read_until(command, sampled, value, diag);
	case SAMPLED_ENGINE:
		sampled->sample = "--engine";
		sampled->options.engine = !strcmp(value, "timer") ? ENGINE_TIMER : ENGINE_PERF;
		return !strcmp(value, "timer") || !strcmp(value, "perf") || refuse(command, "--engine", value, engine_values, diag);
	case SAMPLED_FOR:
		return read_for(command, sampled, value, diag);
	default:
		sampled->trace = "--trace";
		return true;
	}
}

const char *sampled_get_values(const char *option)
{
	return !strcmp(option, "--stacks") ? stacks_values : !strcmp(option, "--engine") ? engine_values : NULL;
}

bool sampled_check(const struct command *command, const struct sampled *sampled, struct diag *diag)
{
	if (!sampled->sample || !sampled->trace)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s samples and %s traces: one or the other", command->name, sampled->sample,
		sampled->trace);
	return false;
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
