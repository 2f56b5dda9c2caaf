#include "query/read/parameters.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option/option_value.h"
#include "query/questions.h"

static const char function_text[] = "a name as the functions have it, or a pattern with * and ?";

/* The parameter's name of a row: "by" for --cpu and --wall, "limit" for --limit. */
static const char *name_of(const struct option_row *row)
{
	return row->parameter ? row->parameter : row->name + 2;
}

/* ---- for dwell/read.h ---- */

/* What dwell/read.h shows of the questions. Made once, by describe_all. */
static struct dwell_question questions[QUESTION_TYPES];
static struct dwell_parameter_info infos[QUESTION_TYPES][OPTION_ROWS_MAX];

static enum dwell_parameter_kind kind_of(const struct option_row *row)
{
	switch (row->kind) {
	case OPTION_FLAG:
		return DWELL_PARAMETER_SWITCH;
	case OPTION_COUNT:
		return DWELL_PARAMETER_COUNT;
	case OPTION_NUMBER:
		return DWELL_PARAMETER_PERCENT;
	case OPTION_DURATION:
	case OPTION_MOMENT:
		return DWELL_PARAMETER_DURATION;
	default:
		return DWELL_PARAMETER_TEXT;
	}
}

/* The parameter's help with its possible words: "cpu or wall: by CPU time, …". Never freed. */
static const char *make_text(const struct option_row *rows, size_t at)
{
	const struct option_row *row = &rows[at];
	char *text = NULL;

	if (row->kind == OPTION_SET && asprintf(&text, "%s or %s: %s", rows[at - 1].name + 2, row->name + 2, row->help) < 0)
		text = NULL;
	if (row->kind == OPTION_CHOICE && asprintf(&text, "%s: %s", row->choices, row->help) < 0)
		text = NULL;
	return text ? text : row->help;
}

static void describe(const struct question_type *type, struct dwell_question *question, struct dwell_parameter_info *parameters)
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t row_count = option_list(type->parameters, rows), count = 0;

	if (type->of_function)
		parameters[count++] = (struct dwell_parameter_info){"function", function_text, DWELL_PARAMETER_TEXT, !type->usual_function};
	for (size_t i = 0; i < row_count && count < OPTION_ROWS_MAX; i++)
		if (rows[i].help) /* without help, the next row describes both */
			parameters[count++] =
				(struct dwell_parameter_info){name_of(&rows[i]), make_text(rows, i), kind_of(&rows[i]), 0};
	*question = (struct dwell_question){type->name, type->text, parameters, count};
}

static void describe_all(void)
{
	for (size_t i = 0; i < QUESTION_TYPES; i++)
		describe(question_types[i], &questions[i], infos[i]);
}

const struct dwell_question *parameters_get_question(size_t index)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, describe_all);
	return index < QUESTION_TYPES ? &questions[index] : NULL;
}

/* ---- values from the caller ---- */

const struct question_type *parameters_find_type(const char *name, struct diag *diag)
{
	char list[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < QUESTION_TYPES; i++) {
		if (!strcmp(question_types[i]->name, name))
			return question_types[i];
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", !i ? "" : i + 1 < QUESTION_TYPES ? ", " : " or ",
			question_types[i]->name);
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no question '%s': expected %s", name, list);
	return NULL;
}

/* Setting the parameters of a question. */
struct reading {
	struct question *question;
	struct option_row rows[OPTION_ROWS_MAX];
	size_t count;
	uint64_t given; /* bit i: the caller gave the parameter of rows[i] */
	struct diag *diag;
};

static bool refuse(const struct reading *reading, const struct dwell_parameter *parameter, const char *expected)
{
	diag_add(reading->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s '%s': expected %s", reading->question->type->name, parameter->name,
		parameter->value, expected);
	return false;
}

/* Turns a switch on, if the value is "1" or empty, or off. */
static bool set_switch(struct reading *reading, const struct option_row *row, const struct dwell_parameter *parameter)
{
	bool is_off = !strcmp(parameter->value, "0");

	if (!is_off && *parameter->value && strcmp(parameter->value, "1"))
		return refuse(reading, parameter, "1 or 0");
	*(bool *)((char *)reading->question + row->at) = !is_off;
	return true;
}

static bool set_row(struct reading *reading, const struct option_row *row, const struct dwell_parameter *parameter)
{
	char buffer[OPTION_EXPECTED_BYTES];
	const char *expected;

	reading->given |= UINT64_C(1) << (row - reading->rows);
	if (row->kind == OPTION_FLAG)
		return set_switch(reading, row, parameter);
	expected = option_read_value(row, reading->question, parameter->value, buffer);
	return !expected || refuse(reading, parameter, expected);
}

/* Sets the row whose option has the parameter's value as its name: --cpu for "cpu". */
static bool set_word(struct reading *reading, const struct dwell_parameter *parameter)
{
	char words[128] = "";
	size_t used = 0;

	for (size_t i = 0; i < reading->count; i++) {
		const struct option_row *row = &reading->rows[i];

		if (strcmp(name_of(row), parameter->name) != 0)
			continue;
		if (!strcmp(row->name + 2, parameter->value))
			return set_row(reading, row, parameter);
		if (used < sizeof words)
			used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", used ? " or " : "", row->name + 2);
	}
	return refuse(reading, parameter, words);
}

static bool set_parameter(struct reading *reading, const struct dwell_parameter *parameter)
{
	struct question *question = reading->question;

	if (question->type->of_function && !strcmp(parameter->name, "function")) {
		question->function = parameter->value;
		return true;
	}
	for (size_t i = 0; i < reading->count; i++)
		if (!strcmp(name_of(&reading->rows[i]), parameter->name))
			return reading->rows[i].kind == OPTION_SET ? set_word(reading, parameter)
								   : set_row(reading, &reading->rows[i], parameter);
	diag_add(reading->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: it has no parameter '%s'", question->type->name, parameter->name);
	return false;
}

/* False with a diag: a given parameter needs another parameter, which is missing. */
static bool check_needs(const struct reading *reading)
{
	for (size_t i = 0; i < reading->count; i++) {
		const struct option_row *row = &reading->rows[i];

		if (!(reading->given >> i & 1) || !row->needs.with ||
			option_find_given(reading->rows, reading->count, reading->given, row->needs.with))
			continue;
		diag_add(reading->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: it needs the parameter '%s'%s%s", reading->question->type->name,
			name_of(row), row->needs.with + 2, row->needs.why ? ": " : "", row->needs.why ? row->needs.why : "");
		return false;
	}
	return true;
}

bool parameters_read(struct question *question, const struct dwell_parameter *parameters, size_t count, struct diag *diag)
{
	struct reading reading = {.question = question, .diag = diag};
	const char *problem;

	reading.count = option_list(question->type->parameters, reading.rows);
	for (size_t i = 0; i < count; i++)
		if (!set_parameter(&reading, &parameters[i]))
			return false;
	if (!check_needs(&reading))
		return false;
	problem = question->type->of_function && !question->function ? "it needs the parameter 'function'"
		  : question->type->check                            ? question->type->check(question)
								     : NULL;
	if (problem)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s", question->type->name, problem);
	return !problem;
}
