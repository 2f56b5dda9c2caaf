/* dwell info: what a recording is, and whether all of it is there. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/option.h"
#include "cli/summary.h"
#include "query/facts.h"
#include "query/trace.h"
#include "writer/writer.h"

static const char help[] = INPUT_NAMES_HELP
			   "  --csv          section,row,key,value: all that is measured, zeros too, a line\n"
			   "                 each\n"
			   "  --json         the same as JSON\n"
			   "\n"
			   "Says what was recorded, where, by what, when and how long; the processes,\n"
			   "threads and modules; and what is lost, damaged or unsure, or plainly that\n"
			   "nothing is. For each thread, self + recording + lost + outside = elapsed. The\n"
			   "whole file is read. `-` is standard input.\n";

/* False: a diag says why. */
static bool read_options(
	int argc, char **argv, const char **path, enum writer_form *form, struct input_options *input, struct diag *diag)
{
	const struct option_row rows[] = {INPUT_ROWS(input), {"csv", OPTION_CSV, form}, {"json", OPTION_JSON, form}};

	return option_read(&command_info, rows, sizeof rows / sizeof *rows, "file", argc, argv, path, diag);
}

static int run(int argc, char **argv, struct diag *diag)
{
	const struct model_options model = {.want_profile = true};
	struct trace trace = {.diag = diag, .hides_tree = true};
	struct facts facts = {0};
	enum writer_form form = WRITER_TEXT;
	const char *path;

	if (!read_options(argc, argv, &path, &form, &trace.input, diag))
		return COMMAND_BY_DIAG;
	if (trace_open(&trace, path, diag) && trace_make_model(&trace, &model, false)) {
		facts_read(&facts, &trace);
		if (facts.no_memory)
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: something is missing here");
		if (form == WRITER_JSON)
			facts_write_json(&facts, &trace, stdout, "standard output");
		else if (form == WRITER_CSV)
			facts_print_csv(&facts, &trace);
		else
			facts_print(&facts, &trace);
		summary_warn(&trace);
	}
	facts_clear(&facts);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_info = {
	"info", INPUT_NAMES_ARGUMENTS "[--csv | --json] FILE", "Shows what a recording is, and whether all of it is there", help, run};
