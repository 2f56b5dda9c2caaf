/* diff: reads all runs, then compares them by the chosen measure. */
#include "query/ask/diff.h"

#include "query/parameter.h"
#include "query/questions.h"

const struct option_row diff_parameters[] = {
	{"--by", "KEY", OPTION_CHOICE, offsetof(struct diff_question, measure),
		"compare share, time or calls of each function, or total: its time with all that it calls. Without it: time of traces, and of samples if there are enough runs to know how "
		"they differ (two of each, or four in all), otherwise share",
		.choices = "share, time, calls or total"},
	{"--confidence", "N", OPTION_NUMBER, offsetof(struct diff_question, confidence),
		"the confidence in percent: of 100 comparisons of equal programs, N report no change at all (95)", .low = 50, .high = 99.99},
	PARAMETER_LIMIT("functions"),
	PARAMETER_THREAD,
	{0}};

static const char *check(const struct question *question)
{
	return question->runs.counts[COMPARE_OLD] ? NULL : "there is no old run to compare with: dwell_read_add";
}

/* Sets ask->by to the chosen measure, or to the best. False with a diag: a run lacks the measure. */
static bool choose_measure(struct diff_question *ask, struct diag *diag)
{
	const char *lack;

	ask->by = comparison_get_best_measure(&ask->comparison);
	if (ask->measure)
		comparison_find_measure(ask->measure, &ask->by);
	lack = comparison_find_problem(&ask->comparison, ask->by);
	if (lack)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "diff: %sby %s: %s", question_get_option_prefix(&ask->question), comparison_measure_name(ask->by), lack);
	return !lack;
}

/* question.runs has all paths, so path is ignored. */
static bool read(struct question *question, struct trace *trace, const char *path)
{
	struct diff_question *ask = (struct diff_question *)question;

	(void)path;
	ask->comparison = (struct comparison){.level = ask->confidence / 100,
		.thread = question->thread,
		.jobs = trace->jobs,
		.input = trace->input,
		.watch = trace->watch};
	for (int side = 0; side < COMPARE_SIDES; side++) {
		ask->comparison.files[side] = question->runs.files[side];
		ask->comparison.counts[side] = question->runs.counts[side];
	}
	return comparison_read(&ask->comparison, trace->diag) && choose_measure(ask, trace->diag);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	struct diff_question *ask = (struct diff_question *)question;
	const struct diff_table table = {
		.by = ask->by, .limit = question->limit, .changed_only = ask->changed_only, .rest = &question->rest};
	const struct table_sink *sink = question_get_sink(output, question, trace, &ask->comparison.clock);

	if (sink && !diff_write(ask->comparison.diff, &table, sink))
		question_report_no_memory(trace);
}

static void clear(struct question *question)
{
	comparison_clear(&((struct diff_question *)question)->comparison);
}

static const struct diff_question defaults = {.question = {QUESTION_DEFAULTS}, .confidence = 95};

const struct question_type question_diff = {.name = "diff",
	.text = "what changed since the old runs that were added (dwell_read_add), function by function",
	.parameters = diff_parameters,
	.bytes = sizeof defaults,
	.defaults = &defaults,
	.check = check,
	.read = read,
	.write = write,
	.clear = clear};
