#include "query/read/asked.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/near.h"
#include "util/units.h"

#define SLOWEST_COUNT 5u
#define SLOWEST_COUNT_MAX 1000u
#define SLOWEST_PERCENT_MIN 1.0

/* What each question can be told, each parameter once. */
#define FUNCTION(required) {"function", "a name as the functions have it, or a pattern with * and ?", DWELL_PARAMETER_TEXT, required}
#define THREAD {"thread", "only the thread of that name or number, or those that match a pattern", DWELL_PARAMETER_TEXT, 0}
#define BY {"by", "cpu or wall: the time that orders, and that percentages are of; the better one that is known", DWELL_PARAMETER_TEXT, 0}
#define LIMIT(what) {"limit", "only the first rows" what, DWELL_PARAMETER_COUNT, 0}
#define RAW {"raw", "times as recorded, with what recording cost", DWELL_PARAMETER_SWITCH, 0}
#define DEPTH(what) {"depth", what, DWELL_PARAMETER_COUNT, 0}
#define MIN(of) {"min", "leave out paths with less than that part of " of, DWELL_PARAMETER_PERCENT, 0}

static const struct dwell_parameter_info of_functions[] = {
	THREAD, BY, {"sort", "the column that orders", DWELL_PARAMETER_TEXT, 0}, LIMIT(""), RAW};
static const struct dwell_parameter_info of_tree[] = {THREAD, BY, LIMIT(""), DEPTH("only so many levels"), MIN("the whole"), RAW};
static const struct dwell_parameter_info of_relatives[] = {FUNCTION(1), THREAD, BY, LIMIT(""), RAW};
static const struct dwell_parameter_info of_durations[] = {FUNCTION(1), THREAD};
static const struct dwell_parameter_info of_slowest[] = {
	FUNCTION(1), THREAD, BY, LIMIT(": calls; 5"), DEPTH("only so many levels below the call"), MIN("the call; 1")};
static const struct dwell_parameter_info of_calls[] = {FUNCTION(0), THREAD,
	{"longer", "only calls that took as long", DWELL_PARAMETER_DURATION, 0}, BY,
	{"from", "only calls that ran after this moment", DWELL_PARAMETER_DURATION, 0},
	{"to", "only calls that ran before this moment", DWELL_PARAMETER_DURATION, 0}, DEPTH("only calls less deep"),
	{"order", "entry or exit; entry", DWELL_PARAMETER_TEXT, 0}, LIMIT(""),
	{"args", "with arguments and returned values, where they were recorded", DWELL_PARAMETER_SWITCH, 0}};

static const struct dwell_parameter_info of_diff[] = {
	THREAD, {"by", "what the verdict is of: share, time or calls", DWELL_PARAMETER_TEXT, 0},
	{"confidence", "in so many of 100 comparisons of equal programs dwell reports no change; 95", DWELL_PARAMETER_PERCENT, 0},
	LIMIT("")};

#define PARAMETERS(list) list, sizeof(list) / sizeof *(list)

static const struct dwell_question questions[] = {
	{"functions", "where the time went, function by function; of samples their shares", PARAMETERS(of_functions)},
	{"tree", "where the time went, call path by call path", PARAMETERS(of_tree)},
	{"callers", "who calls a function, how often and for how long", PARAMETERS(of_relatives)},
	{"callees", "what a function calls, how often and for how long", PARAMETERS(of_relatives)},
	{"durations", "how long the calls of a function took", PARAMETERS(of_durations)},
	{"slowest", "the slowest calls of a function, and what each of them did", PARAMETERS(of_slowest)},
	{"calls", "the calls one by one", PARAMETERS(of_calls)},
	{"info", "what the recording is, and how much of it is there: a row for each value", NULL, 0},
	{"diff", "what changed since the old runs that were added (dwell_read_add), function by function", PARAMETERS(of_diff)},
};
#define QUESTIONS (sizeof questions / sizeof *questions)

const struct dwell_question *asked_get_question(size_t index)
{
	return index < QUESTIONS ? &questions[index] : NULL;
}

static bool refuse(struct diag *diag, const char *name, const struct dwell_parameter *parameter, const char *expected)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s '%s': expected %s", name, parameter->name, parameter->value, expected);
	return false;
}

/* The value as its kind has it. */
struct value {
	const char *text;
	uint64_t count;
	int64_t ns;
	double percent;
};

static bool read_value(
	const char *name, const struct dwell_parameter *parameter, enum dwell_parameter_kind kind, struct value *value, struct diag *diag)
{
	char *end;

	*value = (struct value){.text = parameter->value};
	errno = 0;
	switch (kind) {
	case DWELL_PARAMETER_COUNT:
		value->count = strtoull(parameter->value, &end, 10);
		return (*parameter->value >= '0' && *parameter->value <= '9' && !*end && !errno) ||
		       refuse(diag, name, parameter, "a whole number from 0");
	case DWELL_PARAMETER_PERCENT:
		value->percent = strtod(parameter->value, &end);
		return (end != parameter->value && !*end && value->percent >= 0 && value->percent <= 100) ||
		       refuse(diag, name, parameter, "a number from 0 to 100");
	case DWELL_PARAMETER_DURATION:
		return units_read_ns(parameter->value, &value->ns) ||
		       refuse(diag, name, parameter, "a time with its unit, as 20us, 1.5ms or 2s");
	case DWELL_PARAMETER_SWITCH:
		value->count = strcmp(parameter->value, "0") != 0;
		return !*parameter->value || !strcmp(parameter->value, "0") || !strcmp(parameter->value, "1") ||
		       refuse(diag, name, parameter, "1 or 0");
	default:
		return true;
	}
}

/* One of two words. */
static bool read_word(
	const char *name, const struct dwell_parameter *parameter, const char *yes, const char *no, bool *is_yes, struct diag *diag)
{
	*is_yes = !strcmp(parameter->value, yes);
	if (*is_yes || !strcmp(parameter->value, no))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s '%s': expected %s or %s", name, parameter->name, parameter->value, yes, no);
	return false;
}

static bool set_by(struct asked *asked, const char *name, const struct dwell_parameter *parameter, struct diag *diag)
{
	bool is_cpu;

	if (asked->kind == ASKED_DIFF) {
		asked->has_measure = comparison_find_measure(parameter->value, &asked->measure);
		return asked->has_measure || refuse(diag, name, parameter, "share, time or calls");
	}
	if (!read_word(name, parameter, "cpu", "wall", &is_cpu, diag))
		return false;
	asked->question.by = is_cpu ? BY_CPU : BY_WALL;
	return true;
}

static bool set(struct asked *asked, const char *name, const struct dwell_parameter *parameter, const struct value *value,
	struct diag *diag)
{
	struct question *question = &asked->question;
	const char *key = parameter->name;

	if (!strcmp(key, "function"))
		question->function = value->text;
	else if (!strcmp(key, "thread"))
		question->thread = value->text;
	else if (!strcmp(key, "sort"))
		question->sort = value->text;
	else if (!strcmp(key, "limit"))
		question->limit = value->count;
	else if (!strcmp(key, "depth"))
		question->depth_limit = asked->filter.depth_limit = value->count;
	else if (!strcmp(key, "min"))
		question->percent_min = value->percent;
	else if (!strcmp(key, "raw"))
		question->raw = value->count;
	else if (!strcmp(key, "args"))
		asked->args = value->count;
	else if (!strcmp(key, "from"))
		asked->filter.from_ns = value->ns;
	else if (!strcmp(key, "to"))
		asked->filter.to_ns = value->ns;
	else if (!strcmp(key, "longer") && value->ns < 0)
		return refuse(diag, name, parameter, "a duration from 0");
	else if (!strcmp(key, "longer"))
		asked->filter.longer_ns = (uint64_t)value->ns;
	else if (!strcmp(key, "order"))
		return read_word(name, parameter, "exit", "entry", &asked->by_exit, diag);
	else if (!strcmp(key, "confidence") && (value->percent < 50 || value->percent > 99.99))
		return refuse(diag, name, parameter, "a number from 50 to 99.99");
	else if (!strcmp(key, "confidence"))
		asked->level = value->percent / 100;
	else
		return set_by(asked, name, parameter, diag);
	return true;
}

static bool read_parameter(struct asked *asked, const struct dwell_question *question, const struct dwell_parameter *parameter,
	struct diag *diag)
{
	struct value value;

	for (size_t i = 0; i < question->parameter_count; i++)
		if (!strcmp(question->parameters[i].name, parameter->name))
			return read_value(question->name, parameter, question->parameters[i].kind, &value, diag) &&
			       set(asked, question->name, parameter, &value, diag);
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: it has no parameter '%s'", question->name, parameter->name);
	return false;
}

static const struct dwell_question *find(const char *name, struct diag *diag)
{
	for (size_t i = 0; i < QUESTIONS; i++)
		if (!strcmp(questions[i].name, name))
			return &questions[i];
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
		"no question '%s': expected functions, tree, callers, callees, durations, slowest, calls, info or diff", name);
	return NULL;
}

static bool check_calls(const struct asked *asked, struct diag *diag)
{
	if (asked->question.by != BY_BEST && !asked->filter.longer_ns)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "calls: by tells which time longer is of: it needs the parameter 'longer'");
	else if (asked->filter.to_ns < asked->filter.from_ns)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "calls: to is before from");
	else
		return true;
	return false;
}

bool asked_read(struct asked *asked, const char *name, const struct dwell_parameter *parameters, size_t count, struct diag *diag)
{
	const struct dwell_question *question = find(name, diag);
	static const struct {
		enum asked_kind kind;
		enum question_kind profile;
	} kinds[] = {{ASKED_PROFILE, QUESTION_FUNCTIONS}, {ASKED_PROFILE, QUESTION_TREE}, {ASKED_PROFILE, QUESTION_CALLERS},
		{ASKED_PROFILE, QUESTION_CALLEES}, {ASKED_PROFILE, QUESTION_DURATIONS}, {ASKED_SLOWEST, 0}, {ASKED_CALLS, 0},
		{ASKED_INFO, 0}, {ASKED_DIFF, 0}};

	if (!question)
		return false;
	*asked = (struct asked){.kind = kinds[question - questions].kind,
		.filter = call_filter_all(),
		.level = 0.95,
		.question = {.kind = kinds[question - questions].profile, .limit = UINT64_MAX, .depth_limit = UINT64_MAX}};
	if (asked->kind == ASKED_SLOWEST) {
		asked->question.limit = SLOWEST_COUNT;
		asked->question.percent_min = SLOWEST_PERCENT_MIN;
	}
	for (size_t i = 0; i < count; i++)
		if (!read_parameter(asked, question, &parameters[i], diag))
			return false;
	for (size_t i = 0; i < question->parameter_count; i++)
		if (question->parameters[i].is_required && !asked->question.function) {
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: it needs the parameter '%s'", name, question->parameters[i].name);
			return false;
		}
	asked->filter.longer_on_cpu = asked->question.by == BY_CPU;
	if (asked->kind == ASKED_CALLS)
		return check_calls(asked, diag);
	if (asked->kind != ASKED_SLOWEST || (asked->question.limit && asked->question.limit <= SLOWEST_COUNT_MAX))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "slowest: limit %" PRIu64 ": expected 1 to %u calls", asked->question.limit, SLOWEST_COUNT_MAX);
	return false;
}
