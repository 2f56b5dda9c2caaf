/* dwell info: what a recording is, and whether all of it is there. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cli/output.h"
#include "query/facts.h"
#include "query/health.h"
#include "query/trace.h"
#include "writer/writer.h"

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

static void print_rows(const struct facts *facts, const struct trace *trace)
{
	struct output_table out = output_begin_table(WRITER_CSV, NULL, NULL, true, trace->diag);

	facts_write_rows(facts, trace, &out.sink);
	output_end_table(&out);
}

static int run(int argc, char **argv, struct diag *diag)
{
	const struct model_options model = {.want_profile = true};
	struct trace trace = {.diag = diag, .hides_tree = true};
	struct facts facts = {0};
	struct options options = {0};

	if (!option_read(&command_info, &options, "file", argc, argv, &options.path, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	if (trace_open(&trace, options.path, diag) && trace_make_model(&trace, &model, false)) {
		facts_read(&facts, &trace);
		if (facts.no_memory)
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: something is missing here");
		if (options.form == WRITER_JSON)
			facts_write_json(&facts, &trace, stdout, "standard output");
		else if (options.form == WRITER_CSV)
			print_rows(&facts, &trace);
		else
			facts_print(&facts, &trace);
		health_warn(&trace);
	}
	facts_clear(&facts);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_info = {"info", "FILE", "Shows what a recording holds and whether it is complete", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell info app.dwell         as text\n"
		    "  dwell info --json app.dwell  for scripts\n"};
