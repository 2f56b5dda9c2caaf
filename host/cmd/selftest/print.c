/* selftest_print: see selftest_print.h. */
#include "cmd/selftest/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RATE_MIN 0.8
/* A share of the same run is the less when another one is the more: their intervals miss together. Standard deviations, with that, at
 * which fewer intervals hold the truth than chance would have it. */
#define HELD_DEVIATIONS 4.0
/* Fewer intervals make no verdict: of 50 intervals that hold the truth twice in three times only, so few hold it in 98 of 100 trials
 * that it is seen. */
#define INTERVALS_MIN 50u
/* What is left of a tenth that is sampled in step: nothing, or all. */
#define IN_STEP_POINTS 4.0

static const struct column columns[] = {{.key = "workload", .unit = UNIT_TEXT},
	{.key = "period_us", .unit = UNIT_MEAN},
	{.key = "jittered", .unit = UNIT_COUNT},
	{.key = "run", .unit = UNIT_COUNT},
	{.key = "function", .unit = UNIT_NAME},
	{.key = "true_percent", .unit = UNIT_PERCENT},
	{.key = "self_percent", .unit = UNIT_PERCENT},
	{.key = "self_low", .unit = UNIT_PERCENT},
	{.key = "self_high", .unit = UNIT_PERCENT}};

static bool is_table(const struct selftest_print *print)
{
	return print->form != WRITER_TEXT;
}

void selftest_print_begin(struct selftest_print *print)
{
	const struct writer_options options = {.form = print->form};

	if (!is_table(print)) {
		puts("Programs that know how long each of their functions took are sampled as dwell record --sample does.");
		return;
	}
	print->table = make_table_writer(&options, stdout, "standard output", print->diag);
	print->table.begin(print->table.context, "selftest", columns, sizeof columns / sizeof *columns);
}

void selftest_print_close(struct selftest_print *print)
{
	if (!is_table(print))
		return;
	print->table.end(print->table.context);
	free_table_writer(&print->table);
}

static void put_rows(const struct selftest_print *print, const struct trial *trial, const struct trial_result *result, uint32_t run)
{
	bool is_periodic = !strcmp(trial->workload, "periodic");

	for (uint32_t i = 0; i < result->truth.count; i++) {
		const struct cell cells[] = {{.text = trial->workload},
			{.real = trial->period_ns / 1000, .absent = !is_periodic},
			{.count = !trial->fixed},
			{.count = run},
			{.text = result->truth.functions[i].name},
			{.real = truth_percent(&result->truth, i)},
			{.real = result->found[i].percent},
			{.real = result->found[i].low},
			{.real = result->found[i].high}};

		print->table.row(print->table.context, cells);
	}
}

static const char *engine_name(enum dwell_sampling_engine engine)
{
	switch (engine) {
	case DWELL_ENGINE_TASK_CLOCK:
		return "perf events, by the CPU time of each thread";
	case DWELL_ENGINE_CYCLES:
		return "perf events, by the processor's cycles";
	default:
		return "timers from within the program";
	}
}

static void print_shares(const struct selftest_print *print, const struct trial *trial, const struct trial_result *result)
{
	printf("Sampled by %s.\n\nFive functions, %g s at %g sample%s a second: %" PRIu64 " sample%s\n\n", engine_name(result->engine),
		trial->seconds, trial->hz, trial->hz == 1 ? "" : "s", result->samples, result->samples == 1 ? "" : "s");
	puts("  truth %   found %      from        to  function");
	for (uint32_t i = 0; i < result->truth.count; i++)
		printf("%9.2f %9.2f %9.2f %9.2f  %s%s\n", truth_percent(&result->truth, i), result->found[i].percent, result->found[i].low,
			result->found[i].high, result->truth.functions[i].name,
			!result->found[i].near ? "  FAR OFF" : !result->found[i].held ? "  outside, as one in 20 may be" : "");
	printf("\nasked for %g sample%s a second of CPU time, got %.4g%s\n", trial->hz, trial->hz == 1 ? "" : "s", result->delivered_hz,
		print->rate_low ? ": TOO FEW" : "");
}

static void add_shares(struct selftest_print *print, const struct trial *trial, const struct trial_result *result, uint32_t run)
{
	bool any = false;

	print->shares_tried = true;
	for (uint32_t i = 0; i < result->truth.count; i++) {
		print->intervals++;
		print->held += result->found[i].held;
		any |= result->found[i].percent > 0;
		if (!run)
			print->shares_far |= !result->found[i].near;
	}
	print->nothing_found |= !any;
	print->short_runs += run > 0;
	if (run)
		return;
	print->rate_low |= result->delivered_hz < RATE_MIN * trial->hz;
	if (!is_table(print))
		print_shares(print, trial, result);
}

static void add_periodic(struct selftest_print *print, const struct trial *trial, const struct trial_result *result)
{
	double truth = truth_percent(&result->truth, 0), off = fabs(result->found[0].percent - truth);
	double *worst = trial->fixed ? &print->worst_fixed : &print->worst_jittered;

	if (off > *worst)
		*worst = off;
	if (!trial->fixed) { /* its interval is one like the others */
		print->periodic_far |= !result->found[0].near && off > IN_STEP_POINTS;
		print->intervals++;
		print->held += result->found[0].held;
	}
	if (is_table(print))
		return;
	if (!print->periods++)
		puts("\nA program whose period is in step with the sampling; one function has a tenth of it\n\n"
		     "   period ms   truth %   found %      from        to  samples");
	printf("%12.4f %9.2f %9.2f %9.2f %9.2f  %s%s\n", trial->period_ns / 1e6, truth, result->found[0].percent, result->found[0].low,
		result->found[0].high, trial->fixed ? "at even distances (--fixed)" : "at random distances",
		!trial->fixed && !result->found[0].near && off > IN_STEP_POINTS ? "  FAR OFF" : "");
}

void selftest_print_trial(struct selftest_print *print, const struct trial *trial, const struct trial_result *result, uint32_t run)
{
	if (print->table.row) /* somebody may want the verdict alone */
		put_rows(print, trial, result, run);
	if (!strcmp(trial->workload, "shares"))
		add_shares(print, trial, result, run);
	else
		add_periodic(print, trial, result);
	fflush(stdout);
}

static bool too_few_held(const struct selftest_print *print)
{
	double count = print->intervals;

	return print->held < 0.95 * count - HELD_DEVIATIONS * sqrt(0.95 * 0.05 * count) - 0.5;
}

static bool too_few_tried(const struct selftest_print *print)
{
	return print->shares_tried && print->intervals < INTERVALS_MIN;
}

static void print_verdict(const struct selftest_print *print, bool good)
{
	puts("");
	if (print->shares_tried)
		printf("%" PRIu32 " of %" PRIu32 " intervals hold the truth (%.1f %%; 95 %% are to), in %" PRIu32 " runs%s\n", print->held,
			print->intervals, 100.0 * print->held / print->intervals, print->short_runs + 1, too_few_held(print) ? ": TOO FEW" : "");
	if (print->periods)
		printf("the periodic program's worst error: %.2f percentage points; %.2f at even distances, without the jitter\n",
			print->worst_jittered, print->worst_fixed);
	if (print->nothing_found)
		puts("\nNone of the functions was found: this dwell has no symbols (it is stripped), so that nothing can be said.");
	else if (good && too_few_tried(print))
		printf("\nWhether sampling can be trusted here cannot be told: a verdict takes %u intervals or more (--runs 9, or more).\n", INTERVALS_MIN);
	else if (good)
		puts("\nSampling can be trusted here: shares are what they are said to be, within their intervals.");
	else
		printf("\nSampling CANNOT be trusted here:%s%s%s%s.\n", print->shares_far ? " shares are far from the truth;" : "",
			too_few_held(print) ? " intervals hold the truth too seldom;" : "",
			print->rate_low ? " too few samples come;" : "", print->periodic_far ? " a program in step with it is misjudged;" : "");
}

bool selftest_print_end(struct selftest_print *print)
{
	bool good = !print->shares_far && !print->rate_low && !print->periodic_far && !print->nothing_found && !too_few_held(print);

	if (!is_table(print))
		print_verdict(print, good);
	return good && !too_few_tried(print);
}
