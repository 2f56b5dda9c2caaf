/* dwell tree: where the time went, call path by call path. */
#include <stdio.h>

#include "analysis/off_cpu_columns.h"
#include "cli/question_command.h"
#include "cli/ordered_by.h"
#include "cli/summary.h"

static const char about[] =
	"Each call path has one line, below its caller's; the largest total comes first.\n"
	"total is the time in the function when called on that path, with all that it\n"
	"calls; self is total without what it calls. FILE is as for dwell report.\n";

static const struct option_row rows[] = {ROWS_QUESTION(tree_parameters),
	ROWS_FORM("columns: depth,function,calls,total_ns,total_cpu_ns,total,self_ns,self_cpu_ns,self," OFF_CPU_KEYS ". A cell is empty if its value is "
		"not known. total and self are for samples and folded stacks"),
	{0}};

static void print_head(const struct trace *trace, const struct question *question)
{
	bool is_cpu = by_is_cpu(question->by, model_get_profile(trace->model));

	summary_print(trace, stdout);
	ordered_by_print(trace, is_cpu ? "total cpu" : "total wall", is_cpu ? BY_CPU : BY_WALL);
}

static int run(int argc, char **argv, struct diag *diag)
{
	static const struct answer_texts texts = {.print_head = print_head};

	return question_command(&command_tree, &question_tree, &texts, argc, argv, diag);
}

const struct command command_tree = {"tree", "[FILE]", "Shows where the time went, call path by call path", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell tree app.dwell                    all call paths\n"
		    "  dwell tree --min 1 --depth 8 app.dwell  only large paths, eight levels\n"};
