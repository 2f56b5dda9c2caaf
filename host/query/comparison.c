#include "query/comparison.h"

#include <stdio.h>
#include <string.h>

#include "model/profile/throttled.h"
#include "query/health.h"

static const char *const measures[] = {[DIFF_SHARE] = "share", [DIFF_TIME] = "time", [DIFF_CALLS] = "calls", [DIFF_TOTAL] = "total"};

const char *comparison_measure_name(enum diff_measure measure)
{
	return measures[measure];
}

const char *comparison_time_name(const struct comparison *comparison)
{
	if (comparison->as_sums)
		return "what was counted";
	if (comparison->is_sampled)
		return comparison->is_wall ? "wall time" : "CPU time";
	return diff_is_on_cpu(comparison->diff) ? "CPU time" : "wall time";
}

bool comparison_find_measure(const char *name, enum diff_measure *measure)
{
	for (int m = 0; m < DIFF_MEASURES; m++)
		if (!strcmp(name, measures[m])) {
			*measure = (enum diff_measure)m;
			return true;
		}
	return false;
}

/* Adds an error about the trace. what: its problem. other: the path of a run that differs; "": no other run matters. Always
 * returns false. */
static bool refuse(const struct trace *trace, const char *what, const char *other)
{
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%s%s%s%s", what, *other ? ": cannot be compared with " : "",
		other, *other ? "; record both in the same way" : "");
	return false;
}

/* Warns if the run leaves out other calls than the first run, or calls of throttled functions. Calls left out of only one run
 * count there as time of their callers. */
static void check_left_out(struct comparison *comparison, const struct trace *trace)
{
	const char *left_out = model_get_left_out(trace->model);
	bool is_new = comparison->runs > comparison->warned_runs;

	if (comparison->runs == 1)
		snprintf(comparison->left_out, sizeof comparison->left_out, "%s", left_out);
	if (strcmp(left_out, comparison->left_out)) {
		comparison->is_uneven = true;
		if (is_new)
			diag_add(trace->diag, DIAG_WARN, trace->path, DIAG_NO_OFFSET,
				"was recorded with %s, %s with %s: what one of them leaves out is missing there, and is its callers' time",
				*left_out ? left_out : "all", comparison->first, *comparison->left_out ? comparison->left_out : "all");
	}
	if (!model_get_throttled(trace->model)->count && !model_get_kept_slowest(trace->model)->count)
		return;
	comparison->is_uneven = true;
	if (is_new)
		diag_add(trace->diag, DIAG_WARN, trace->path, DIAG_NO_OFFSET,
			"was recorded with %s: what that left out is missing in the comparison",
			model_get_kept_slowest(trace->model)->count ? "--keep-slowest" : "--throttle");
}

/* The first run sets the unit and the kind that all later runs must have. False with a diag: the run differs, or has nothing to
 * compare. False without a diag: needs_sums was set. */
static bool check_common(struct comparison *comparison, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	bool is_wall = sampling && sampling->is_wall, is_sampled = !comparison->as_sums && diff_is_sampled(profile);
	const char *unit = is_sampled || !profile->has_times ? profile->unit : clock_is_unknown(clock) ? "ticks" : "ns";

	if (diff_profile_is_sums(profile) && !comparison->as_sums) {
		comparison->needs_sums = true;
		return false;
	}
	if (!is_sampled && !comparison->as_sums && (!profile->has_times || profile->is_untimed))
		return refuse(trace, sampling ? "has no samples" : "has neither samples nor times", "");
	if (!profile->function_count || (!profile->has_times && !profile->total))
		return refuse(trace, "has nothing to compare: no function was seen", "");
	if (!comparison->runs++) {
		comparison->is_sampled = is_sampled;
		comparison->is_wall = is_wall;
		comparison->engine = sampling ? sampling->engine : 0;
		comparison->clock = *clock;
		snprintf(comparison->unit, sizeof comparison->unit, "%s", unit);
		return true;
	}
	if (is_sampled != comparison->is_sampled)
		return refuse(trace, is_sampled ? "is sampled" : "is traced, not sampled", comparison->first);
	if (strcmp(unit, comparison->unit)) {
		char what[96];

		snprintf(what, sizeof what, "is measured in %s, not in %s", unit, comparison->unit);
		return refuse(trace, what, comparison->first);
	}
	if (is_sampled && is_wall != comparison->is_wall)
		return refuse(trace, is_wall ? "is of wall time, not of CPU time" : "is of CPU time, not of wall time", comparison->first);
	if (sampling && !comparison->as_sums && sampling->engine != comparison->engine)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, "was sampled in another way than %s", comparison->first);
	return true;
}

bool comparison_add(struct comparison *comparison, struct trace *trace, enum compare_side side)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct diff_run run = {.profile = profile,
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.as_sums = comparison->as_sums};
	bool good;

	if (!comparison->first)
		comparison->first = trace->path;
	good = check_common(comparison, trace);
	if (good)
		check_left_out(comparison, trace);
	comparison->has_cost |= good && model_get_overhead(trace->model)->is_known;
	comparison->samples[side] += (double)profile->estimates.samples;
	if (good && !diff_add(comparison->diff, side, &run))
		good = refuse(trace, "out of memory", "");
	if (comparison->needs_sums || (good && comparison->runs <= comparison->warned_runs))
		return good;
	comparison->warned_runs = comparison->runs;
	/* --program applies to all files, so a single warning is enough */
	comparison->has_program_warning = comparison->has_program_warning || trace_check_program(trace);
	health_warn(trace);
	health_warn_of_counts(trace);
	return good;
}

static bool read_run(struct comparison *comparison, enum compare_side side, const char *path, struct diag *diag)
{
	const struct model_options model = {
		.want_profile = true, .raw = true, .no_durations = true, .thread = comparison->thread};
	struct trace trace = {.diag = diag,
		.jobs = comparison->jobs,
		.input = comparison->input,
		.watch = comparison->watch,
		.skips_check = true,
		.skips_tree_warning = true};
	bool good;

	if (!comparison->first)
		comparison->first = path; /* messages may need the path after the trace is closed */
	good = trace_read_model(&trace, path, &model) && comparison_add(comparison, &trace, side);
	trace_close(&trace);
	return good;
}

bool comparison_begin(struct comparison *comparison, struct diag *diag)
{
	comparison->diff = make_diff();
	if (!comparison->diff)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return comparison->diff;
}

bool comparison_end(struct comparison *comparison, struct diag *diag)
{
	if (diff_finish(comparison->diff, comparison->level))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

static bool read_all(struct comparison *comparison, struct diag *diag)
{
	bool good = comparison_begin(comparison, diag);

	for (int side = 0; side < COMPARE_SIDES; side++)
		for (size_t i = 0; good && i < comparison->counts[side]; i++)
			good = read_run(comparison, side, comparison->files[side][i], diag);
	return good && comparison_end(comparison, diag);
}

bool comparison_read(struct comparison *comparison, struct diag *diag)
{
	if (read_all(comparison, diag))
		return true;
	if (!comparison->needs_sums)
		return false;
	/* One run has nothing but sums, so all runs are compared as sums. */
	free_diff(comparison->diff);
	comparison->needs_sums = comparison->is_uneven = false;
	comparison->as_sums = true;
	comparison->runs = 0;
	for (int side = 0; side < COMPARE_SIDES; side++)
		comparison->samples[side] = 0;
	return read_all(comparison, diag);
}

void comparison_clear(struct comparison *comparison)
{
	free_diff(comparison->diff);
	comparison->diff = NULL;
}

enum diff_measure comparison_get_best_measure(const struct comparison *comparison)
{
	const struct diff *diff = comparison->diff;
	bool is_fact = diff_has_measure(diff, DIFF_CALLS) || diff_is_of_sums(diff);

	return diff_has_measure(diff, DIFF_TIME) && (diff_knows_runs(diff) || is_fact) ? DIFF_TIME : DIFF_SHARE;
}

const char *comparison_find_problem(const struct comparison *comparison, enum diff_measure measure)
{
	if (diff_has_measure(comparison->diff, measure))
		return NULL;
	if (measure == DIFF_TOTAL && diff_is_of_sums(comparison->diff))
		return "these are sums, without callers";
	return measure == DIFF_CALLS ? "samples count no calls" : "these are not measured in time";
}
