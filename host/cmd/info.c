/* dwell info: facts about a recording, and its completeness. */
#include <stdio.h>

#include "cli/answer.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "query/ask/info.h"
#include "query/health.h"
#include "query/questions.h"

static const char about[] =
	"Shows what was recorded, where, by what, when and how long; the processes,\n"
	"threads and modules; and what is lost, damaged or unsure, or that nothing is.\n"
	"For each thread, self + recording + lost + outside = elapsed. dwell reads the\n"
	"whole file. `-` is standard input.\n";

struct options {
	struct input_options input;
	enum writer_form form;
	const char *path;
};

static const struct option_row rows[] = {
	ROWS_INPUT, ROWS_FORM("columns: section,row,key,value: every measured value, one per line"), {0}};

static void print(struct answer *answer, struct trace *trace)
{
	facts_print(&((const struct info_question *)answer->question)->facts, trace);
}

static int run(int argc, char **argv, struct diag *diag)
{
	static const struct answer_texts texts = {.print = print};
	struct info_question info;
	struct options options = {0};
	struct trace trace = {.diag = diag};
	struct answer answer = {.question = &info.question, .texts = &texts, .full_names = true};

	if (!option_read_file(&command_info, &options, argc, argv, &options.path, diag))
		return COMMAND_BY_DIAG;
	question_begin(answer.question, &question_info);
	trace.input = options.input;
	answer.form = options.form;
	if (question_read(answer.question, &trace, options.path)) {
		if (options.form == WRITER_JSON)
			facts_write_json(&info.facts, &trace, stdout, "standard output");
		else
			answer_write(&answer, &trace);
		health_warn(&trace);
	}
	question_clear(answer.question);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_info = {"info", "[FILE]", "Shows what a recording holds and whether it is complete", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell info app.dwell         as text\n"
		    "  dwell info --json app.dwell  for scripts\n"};
