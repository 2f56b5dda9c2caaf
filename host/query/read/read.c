/* read: dwell/read.h in terms of this room. */
#include "dwell/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/read/asked.h"
#include "query/call_list.h"
#include "query/comparison.h"
#include "query/facts.h"
#include "query/health.h"
#include "query/longest.h"
#include "query/read/read_rows.h"
#include "util/array.h"
#include "util/progress.h"

struct dwell_recording {
	char *path, *program, *format;
	char **runs[COMPARE_SIDES]; /* for a diff; path is the first new one */
	size_t run_count[COMPARE_SIDES], run_capacity[COMPARE_SIDES];
	struct dwell_read_options options;
	struct diag *diag; /* of the last question; null: there was none */
	char *error;       /* the first error in it, in a line; null: there was none */
};

/* A question that is answered. */
struct answer {
	struct trace trace;
	struct asked asked;
	struct read_rows rows;
	struct table_sink sink;
	struct progress_watch watch;
};

uint32_t dwell_read_version(void)
{
	return DWELL_READ_VERSION_MAJOR << 16 | DWELL_READ_VERSION_MINOR;
}

static bool copy_text(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return *to || !text;
}

struct dwell_recording *dwell_read_open(const char *path, const struct dwell_read_options *options)
{
	struct dwell_recording *recording = calloc(1, sizeof *recording);

	if (!recording)
		return NULL;
	if (options) /* what a later version has beside is its default here */
		memcpy(&recording->options, options, options->size < sizeof *options ? options->size : sizeof *options);
	if (copy_text(&recording->path, path) && copy_text(&recording->program, recording->options.program) &&
		copy_text(&recording->format, recording->options.format) && dwell_read_add(recording, path, DWELL_RUN_NEW))
		return recording;
	dwell_read_close(recording);
	return NULL;
}

int dwell_read_add(struct dwell_recording *recording, const char *path, enum dwell_run run)
{
	enum compare_side side = run == DWELL_RUN_OLD ? COMPARE_OLD : COMPARE_NEW;
	size_t count = recording ? recording->run_count[side] : 0;

	if (!recording ||
		!array_reserve(&recording->runs[side], &recording->run_capacity[side], count + 1, sizeof *recording->runs[side]) ||
		!copy_text(&recording->runs[side][count], path))
		return 0;
	recording->run_count[side]++;
	return 1;
}

void dwell_read_close(struct dwell_recording *recording)
{
	if (!recording)
		return;
	free_diag(recording->diag);
	free(recording->error);
	for (int side = 0; side < COMPARE_SIDES; side++) {
		for (size_t i = 0; i < recording->run_count[side]; i++)
			free(recording->runs[side][i]);
		free(recording->runs[side]);
	}
	free(recording->path);
	free(recording->program);
	free(recording->format);
	free(recording);
}

const struct dwell_question *dwell_read_question(size_t index)
{
	return asked_get_question(index);
}

/* ---- the answer ---- */

static void begin_rows(struct answer *answer)
{
	answer->rows.is_ticks = clock_is_unknown(model_get_clock(answer->trace.model));
	answer->sink = read_rows_get_sink(&answer->rows);
}

static const struct table_sink *begin_calls(void *context, struct trace *trace)
{
	struct answer *answer = context;

	(void)trace;
	begin_rows(answer);
	return &answer->sink;
}

static void answer_calls(struct answer *answer, const struct dwell_recording *recording)
{
	const struct asked *asked = &answer->asked;
	struct call_list list = {.function = asked->question.function,
		.thread = asked->question.thread,
		.filter = asked->filter,
		.by = asked->question.by,
		.limit = asked->question.limit,
		.by_exit = asked->by_exit,
		.args = asked->args,
		.begin = begin_calls,
		.context = answer};

	answer->trace.wants_values = asked->args;
	if (trace_open(&answer->trace, recording->path, answer->trace.diag))
		call_list_write(&list, &answer->trace);
}

static void answer_slowest(struct answer *answer, const struct dwell_recording *recording)
{
	const struct question *question = &answer->asked.question;
	struct trace *trace = &answer->trace;
	struct longest longest = {
		.function = question->function, .thread = question->thread, .count = (size_t)question->limit, .by = question->by};

	if (trace_open(trace, recording->path, trace->diag) && longest_find(&longest, trace)) {
		const struct slowest_form form = {trace->model, question->depth_limit, question->percent_min};

		begin_rows(answer);
		answer->rows.has_starved |= !slowest_write(longest.slowest, &form, 0, slowest_count(longest.slowest), &answer->sink);
	}
	longest_clear(&longest);
}

static void answer_profile(struct answer *answer, const struct dwell_recording *recording)
{
	if (question_read(&answer->asked.question, &answer->trace, recording->path)) {
		begin_rows(answer);
		question_write(&answer->asked.question, &answer->trace, &answer->sink);
	}
	question_clear(&answer->asked.question);
}

static void answer_info(struct answer *answer, const struct dwell_recording *recording)
{
	const struct model_options model = {.want_profile = true};
	struct trace *trace = &answer->trace;
	struct facts facts = {0};

	trace->hides_tree = true;
	if (trace_open(trace, recording->path, trace->diag) && trace_make_model(trace, &model, false)) {
		facts_read(&facts, trace);
		answer->rows.has_starved |= facts.no_memory;
		begin_rows(answer);
		facts_write_rows(&facts, trace, &answer->sink);
	}
	facts_clear(&facts);
}

static void write_diff(struct answer *answer, const struct comparison *comparison)
{
	const struct asked *asked = &answer->asked;
	const struct diff_table table = {
		.by = asked->has_measure ? asked->measure : comparison_get_best(comparison), .limit = asked->question.limit};
	const char *lack = comparison_lacks(comparison, table.by);

	if (lack) {
		diag_add(answer->trace.diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "diff: by '%s': %s", comparison_measure_name(table.by), lack);
		return;
	}
	answer->rows.is_ticks = clock_is_unknown(&comparison->clock);
	answer->sink = read_rows_get_sink(&answer->rows);
	answer->rows.has_starved |= !diff_write(comparison->diff, &table, &answer->sink);
}

static void answer_diff(struct answer *answer, const struct dwell_recording *recording)
{
	const struct asked *asked = &answer->asked;
	struct trace *trace = &answer->trace;
	struct comparison comparison = {.level = asked->level,
		.thread = asked->question.thread,
		.jobs = trace->jobs,
		.input = trace->input,
		.watch = trace->watch};

	if (!recording->run_count[COMPARE_OLD]) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "diff: there is no old run to compare with: dwell_read_add");
		return;
	}
	for (int side = 0; side < COMPARE_SIDES; side++) {
		comparison.files[side] = recording->runs[side];
		comparison.counts[side] = recording->run_count[side];
	}
	if (comparison_read(&comparison, trace->diag))
		write_diff(answer, &comparison);
	comparison_clear(&comparison);
}

/* What was said of the last question goes. */
static bool begin_diag(struct dwell_recording *recording)
{
	free_diag(recording->diag);
	free(recording->error);
	recording->error = NULL;
	recording->diag = make_diag();
	return recording->diag;
}

static void keep_error(struct dwell_recording *recording)
{
	struct diag_message message;
	size_t bytes = 0;
	FILE *out = NULL;

	for (size_t i = 0; !out && diag_get(recording->diag, i, &message); i++)
		if (message.level == DIAG_ERROR)
			out = open_memstream(&recording->error, &bytes);
	if (!out)
		return;
	if (message.file && message.offset != DIAG_NO_OFFSET)
		fprintf(out, "%s:0x%" PRIx64 ": ", message.file, message.offset);
	else if (message.file)
		fprintf(out, "%s: ", message.file);
	fputs(message.text, out);
	fclose(out);
}

enum dwell_read_status dwell_read_ask(struct dwell_recording *recording, const char *question, const struct dwell_parameter *parameters,
	size_t count, dwell_read_take *take, void *context)
{
	static void (*const answer_kind[])(struct answer *answer, const struct dwell_recording *recording) = {
		answer_profile, answer_calls, answer_slowest, answer_diff, answer_info};
	struct answer answer = {.rows = {.take = take, .context = context}};
	bool good;

	if (!recording || !begin_diag(recording))
		return DWELL_READ_FAILED;
	if (!asked_read(&answer.asked, question, parameters, count, recording->diag)) {
		keep_error(recording);
		return DWELL_READ_FAILED;
	}
	answer.watch = (struct progress_watch){recording->options.progress, recording->options.progress_context, &answer.rows.is_done};
	answer.trace = (struct trace){.diag = recording->diag, .jobs = recording->options.threads, .watch = &answer.watch};
	answer.trace.input = (struct input_options){
		.program = recording->program, .format = recording->format, .clock_hz = recording->options.clock_hz};
	answer_kind[answer.asked.kind](&answer, recording);
	if (answer.rows.has_starved)
		diag_add(recording->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	if (answer.trace.model)
		health_warn(&answer.trace);
	keep_error(recording);
	good = answer.sink.context && !diag_has_error(recording->diag);
	trace_close(&answer.trace);
	read_rows_clear(&answer.rows);
	return answer.rows.is_done ? DWELL_READ_CANCELLED : good ? DWELL_READ_OK : DWELL_READ_FAILED;
}

/* ---- messages ---- */

int dwell_read_message(const struct dwell_recording *recording, size_t index, struct dwell_message *message)
{
	static const enum dwell_message_level levels[] = {DWELL_MESSAGE_NOTE, DWELL_MESSAGE_WARNING, DWELL_MESSAGE_ERROR};
	struct diag_message kept;

	if (!recording || !recording->diag || !diag_get(recording->diag, index, &kept))
		return 0;
	*message = (struct dwell_message){levels[kept.level], kept.text, kept.file, kept.offset};
	return 1;
}

const char *dwell_read_error(const struct dwell_recording *recording)
{
	return recording ? recording->error : "out of memory";
}
