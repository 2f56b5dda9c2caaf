/* trial: see trial.h. */
#include "cmd/selftest/trial.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/agent.h"
#include "query/trace.h"
#include "sample/sampling.h"

/* The intervals of shares that cannot be told from the truth by what the truth is itself unsure of: the program's start, clock reads. */
#define TRUTH_UNSURE_PERCENT 0.05

static bool read_truth(const char *path, struct truth *truth, struct diag *diag)
{
	FILE *file = fopen(path, "r");
	bool good = file && truth_read(truth, file);

	if (file)
		fclose(file);
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: the workload did not end as it should");
	return good;
}

static uint32_t find_function(const struct model *model, const char *name)
{
	struct functions *functions = model_get_functions(model);

	for (uint32_t id = 0; id < functions_count(functions); id++)
		if (!strcmp(functions_get_name(functions, id), name))
			return id;
	return FUNCTION_NONE;
}

static void compare(const struct trace *trace, struct trial_result *result)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct message_sampling *sampling = model_get_sampling(trace->model);

	result->samples = profile->estimates.samples;
	result->engine = sampling ? sampling->engine : DWELL_ENGINE_TASK_CLOCK;
	result->delivered_hz = result->truth.total_ns > 0 ? (double)result->samples * 1e9 / result->truth.total_ns : 0;
	for (uint32_t i = 0; i < result->truth.count; i++) {
		uint32_t id = find_function(trace->model, result->truth.functions[i].name);
		double self = id < profile->function_count ? (double)profile->functions[id].self : 0;
		struct estimate_share share = estimates_get_share(&profile->estimates, id, self);
		struct trial_found *found = &result->found[i];
		double truth = truth_percent(&result->truth, i), off;

		*found = (struct trial_found){.percent = 100 * share.share, .low = 100 * share.low, .high = 100 * share.high};
		found->held = truth >= found->low - TRUTH_UNSURE_PERCENT && truth <= found->high + TRUTH_UNSURE_PERCENT;
		off = truth > found->percent ? found->high - found->percent : found->percent - found->low;
		found->near = truth >= found->percent - 2 * off - TRUTH_UNSURE_PERCENT &&
			truth <= found->percent + 2 * off + TRUTH_UNSURE_PERCENT;
	}
}

static bool read_trace(const char *path, struct trial_result *result, struct diag *diag)
{
	const struct model_options options = {.want_profile = true};
	struct trace trace = {.diag = diag, .jobs = 1};
	bool good = trace_open(&trace, path, diag) && trace_make_model(&trace, &options, false) && trace_read(&trace);

	if (good)
		compare(&trace, result);
	trace_close(&trace);
	return good;
}

/* The workload is this very program. */
static bool sample(
	const struct trial *trial, const char *truth_path, const char *trace_path, struct trial_result *result, struct diag *diag)
{
	char self[4096], seconds[32], period[32];
	char *argv[] = {self, "selftest", "--workload", (char *)trial->workload, "--seconds", seconds, "--truth", (char *)truth_path,
		trial->period_ns > 0 ? "--period" : NULL, period, NULL};
	struct sampling_options options = {
		.hz = trial->hz, .fixed = trial->fixed, .no_rhythm_note = true, .program = self, .argv = argv, .output = trace_path,
		.command_line = "dwell selftest"};
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	struct launch launch = {0};
	sigset_t mask;
	char *agent;
	bool good;

	if (length <= 0) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: cannot find its own program: /proc/self/exe cannot be read");
		return false;
	}
	self[length] = 0;
	snprintf(seconds, sizeof seconds, "%g", trial->seconds);
	snprintf(period, sizeof period, "%.0fns", trial->period_ns);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	options.agent = agent = make_timer_agent_path();
	good = sampling_run(&options, &launch, diag);
	free(agent);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	result->stopped = good && launch_status(&launch) >= LAUNCH_KILLED;
	return good && !result->stopped && !diag_has_error(diag);
}

bool trial_run(const struct trial *trial, const char *folder, struct trial_result *result, struct diag *diag)
{
	char truth_path[4200], trace_path[4200];
	bool good;

	*result = (struct trial_result){0};
	snprintf(truth_path, sizeof truth_path, "%s/truth", folder);
	snprintf(trace_path, sizeof trace_path, "%s/trace.dwell", folder);
	good = sample(trial, truth_path, trace_path, result, diag) && read_truth(truth_path, &result->truth, diag) &&
		read_trace(trace_path, result, diag);
	remove(truth_path);
	remove(trace_path);
	return good;
}
