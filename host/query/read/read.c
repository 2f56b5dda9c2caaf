/* read: implements dwell/read.h with the questions of this room. */
#include "dwell/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff.h"
#include "analysis/with_lines.h"
#include "query/health.h"
#include "query/question.h"
#include "query/read/parameters.h"
#include "query/read/read_rows.h"
#include "util/array.h"
#include "util/progress.h"

struct dwell_recording {
	char *path, *program, *format, *event;
	char **runs[COMPARE_SIDES]; /* for a diff; path is the first new run */
	size_t run_count[COMPARE_SIDES], run_capacity[COMPARE_SIDES];
	struct dwell_read_options options;
	struct diag *diag; /* messages of the last question; null: none yet */
	char *error;       /* its first error, in one line; null: no error */
};

/* A question while it is answered. */
struct answer {
	struct trace trace;
	struct read_rows rows;
	struct table_sink inner, sink; /* the question writes to sink, which adds source lines; inner writes to rows */
	struct lines *lines; /* null: no source lines requested */
	bool has_begun; /* the question has an answer */
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
	if (options) /* options of later versions keep their defaults */
		memcpy(&recording->options, options, options->size < sizeof *options ? options->size : sizeof *options);
	if (copy_text(&recording->path, path) && copy_text(&recording->program, recording->options.program) &&
		copy_text(&recording->format, recording->options.format) &&
		copy_text(&recording->event, recording->options.event) && dwell_read_add(recording, path, DWELL_RUN_NEW))
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
	free(recording->event);
	free(recording);
}

const struct dwell_question *dwell_read_question(size_t index)
{
	return parameters_get_question(index);
}

/* ---- the answer ---- */

static const struct table_sink *begin_rows(
	void *context, struct question *question, struct trace *trace, const struct clock_map *clock)
{
	struct answer *answer = context;

	answer->rows.is_ticks = clock && clock_is_unknown(clock);
	answer->inner = read_rows_get_sink(&answer->rows);
	if (question->lines)
		answer->lines = make_lines(model_get_functions(trace->model), trace->diag);
	answer->sink = make_lines_sink(answer->lines, &answer->inner);
	answer->has_begun = true;
	return &answer->sink;
}

static void end_rows(struct answer *answer)
{
	if (answer->has_begun)
		free_lines_sink(&answer->sink);
	free_lines(answer->lines);
	read_rows_clear(&answer->rows);
}

/* Discards the messages of the last question. */
static bool begin_diag(struct dwell_recording *recording)
{
	free_diag(recording->diag);
	free(recording->error);
	recording->error = NULL;
	recording->diag = make_diag();
	return recording->diag;
}

/* Keeps the first error of the question as one line. */
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

static struct question *make_question(const struct dwell_recording *recording, const struct question_type *type)
{
	struct question *question = calloc(1, type->bytes);

	if (!question) {
		diag_add(recording->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return NULL;
	}
	question_begin(question, type);
	for (int side = 0; side < COMPARE_SIDES; side++) {
		question->runs.files[side] = recording->runs[side];
		question->runs.counts[side] = recording->run_count[side];
	}
	return question;
}

static void answer_question(struct answer *answer, const struct dwell_recording *recording, struct question *question)
{
	const struct question_output output = {begin_rows, answer};
	struct trace *trace = &answer->trace;

	answer->watch =
		(struct progress_watch){recording->options.progress, recording->options.progress_context, &answer->rows.is_done};
	*trace = (struct trace){.diag = recording->diag, .jobs = recording->options.threads, .watch = &answer->watch};
	trace->input = (struct input_options){
		.program = recording->program, .format = recording->format, .clock_hz = recording->options.clock_hz};
	trace->input.event = recording->event;
	trace->input.names.globals_only = recording->options.globals_only;
	if (question_read(question, trace, recording->path))
		question_write(question, trace, &output);
	if (answer->rows.has_starved)
		question_report_no_memory(trace);
	if (trace->model)
		health_warn(trace);
	end_rows(answer);
	question_clear(question);
	trace_close(trace);
}

enum dwell_read_status dwell_read_ask(struct dwell_recording *recording, const char *question_name,
	const struct dwell_parameter *parameters, size_t count, dwell_read_take *take, void *context)
{
	struct answer answer = {.rows = {.take = take, .context = context}};
	const struct question_type *type;
	struct question *question;
	bool good;

	if (!recording || !begin_diag(recording))
		return DWELL_READ_FAILED;
	type = parameters_find_type(question_name, recording->diag);
	question = type ? make_question(recording, type) : NULL;
	if (question && parameters_read(question, parameters, count, recording->diag))
		answer_question(&answer, recording, question);
	keep_error(recording);
	good = answer.has_begun && !diag_has_error(recording->diag);
	free(question);
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
