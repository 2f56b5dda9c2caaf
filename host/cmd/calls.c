/* dwell calls: lists single calls. */
#include <stdio.h>

#include "analysis/calls/call_values.h"
#include "analysis/off_cpu_columns.h"
#include "cli/question_command.h"
#include "cli/summary.h"
#include "query/ask/calls.h"

static const char about[] =
	"thread is the thread's name if it is unique, else its number, or number/stream\n"
	"if that number was used again. From a pipe dwell shows the name or number that\n"
	"is known at the thread's first call. enter is the time since the recording\n"
	"began. depth 0 is outermost.\n"
	"\n"
	"A ~ marks a lower bound: the call began before the recording, ended where events\n"
	"were lost, or was still running at the end. Behind lost events that hide which\n"
	"calls were open, depth begins at 0 again. A call that went on there is listed at\n"
	"its exit, also with depth 0; dwell tree shows what it called below it.\n"
	"\n"
	"cpu is the part of a time in which the thread was on a CPU, waiting the part in\n"
	"which it waited, for a lock or for data, and preempted that in which it was able\n"
	"to run while another thread ran. Together they are the time. The last two are\n"
	"shown where a call waits and the terminal has room. If a part of a time is not\n"
	"known, all of it is unknown.\n" ABOUT_AS_RECORDED ABOUT_CLOCK_STEP;

static const struct option_row rows[] = {ROWS_QUESTION(calls_parameters),
	ROWS_FORM("columns: thread,depth,function,enter_ns,total_ns,total_cpu_ns,total_off_ns,self_ns,self_cpu_ns,self_off_ns,note (no "
		"entry, unwound, lost, open); with --args also arg1,...,arg6,ret,lr in hex; then " OFF_CPU_KEYS
		". A cell is empty if its value is not known"),
	{0}};

static const struct calls_question *get_calls_question(const struct question *question)
{
	return (const struct calls_question *)question;
}

static void print_foot(const struct trace *trace, const struct question *question, const struct output_table *table)
{
	(void)trace, (void)table;
	if (get_calls_question(question)->args && get_calls_question(question)->count && get_calls_question(question)->have_values)
		puts("\n" CALL_VALUES_FOOT);
}

static void add_notes(const struct trace *trace, const struct question *question)
{
	if (get_calls_question(question)->args && get_calls_question(question)->count && !get_calls_question(question)->have_values)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, CALL_VALUES_NONE);
	if (trace->model)
		summary_note_counted(trace);
}

static int run(int argc, char **argv, struct diag *diag)
{
	static const struct answer_texts texts = {.print_foot = print_foot, .add_notes = add_notes};

	return question_command(&command_calls, &question_calls, &texts, argc, argv, diag);
}

const struct command command_calls = {"calls", "[FILE]", "Lists single calls in order of time", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell calls --longer 1ms app.dwell      calls of at least a millisecond\n"
		    "  dwell calls --function parse app.dwell  each call of parse\n"};
