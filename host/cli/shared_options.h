/* Rows of options that several commands have. The command's struct options has a member of the name that the row puts its value in. */
#ifndef DWELL_HOST_CLI_SHARED_OPTIONS_H
#define DWELL_HOST_CLI_SHARED_OPTIONS_H

#include "analysis/by.h"
#include "cli/option.h"
#include "query/trace.h"
#include "writer/writer.h"

#define ROW_THREAD                                                                                                                 \
	{"--thread", "T", OPTION_TEXT, OPTION_AT(thread),                                                                          \
		"only this thread: its name, its number, or a pattern ('worker*')"}
#define ROW_JOBS                                                                                                                   \
	{"--jobs", "N", OPTION_COUNT, OPTION_AT(jobs), "read with N threads (default: one per processor); the result is the same", .rare = true, .low = 1}
#define ROW_RAW {"--raw", NULL, OPTION_FLAG, OPTION_AT(raw), "show times as recorded, with the cost of recording"}
#define ROW_LINES {"--lines", NULL, OPTION_FLAG, OPTION_AT(lines), "show also where each function begins in the source"}
#define ROW_LIMIT(what) {"--limit", "N", OPTION_COUNT, OPTION_AT(limit), "only the first N " what "", "-n"}
#define ROW_FULL_NAMES                                                                                                             \
	{"--full-names", NULL, OPTION_FLAG, OPTION_AT(full_names),                                                                 \
		"show C++ names with all arguments, not shortened for the terminal; --csv and --json always do"}
#define HELP_GLOBALS_ONLY "show static functions as addresses: app+0x1234"
/* The file that is written to; the member is `output`. */
#define ROW_OUTPUT                                                                                                                 \
	{"-o", "FILE", OPTION_FILE, OPTION_AT(output),                                                                             \
		"write to FILE instead of standard output. FILE stays as it was until everything is written", "--output"}

/* auto, always or never, for the whole process. */
const char *option_read_color(void *value, const char *text);
#define ROW_COLOR {"--color", "=WHEN", OPTION_OWN, 0, "auto (the default), always or never", .read = option_read_color, .choices = "auto, always or never", .rare = true}
/* Rows of tables; columns: what --csv writes. More of a row may follow. */
#define ROWS_FORM(columns, ...) ROWS_FORM_JSON(columns, "the same as JSON", __VA_ARGS__)
#define ROWS_FORM_JSON(columns, json, ...) \
	{"--csv", NULL, OPTION_SET, OPTION_AT(form), columns, .number = WRITER_CSV, \
		.excludes = OPTION_EXCLUDES({"--json", "one of them at a time"}), __VA_ARGS__}, \
		{"--json", NULL, OPTION_SET, OPTION_AT(form), json, .number = WRITER_JSON, __VA_ARGS__}, \
		ROW_COLOR
#define ROWS_BY(help, ...)                                                                                                         \
	{"--cpu", NULL, OPTION_SET, OPTION_AT(by), NULL, .number = BY_CPU,                                                         \
		.excludes = OPTION_EXCLUDES({"--wall", "one of them at a time"}), __VA_ARGS__},                                    \
		{"--wall", NULL, OPTION_SET, OPTION_AT(by), help, .number = BY_WALL, __VA_ARGS__}
#define HELP_BY_OF_SUMS "by CPU time, or by wall-clock time (waiting included). Without it: CPU time if the trace has it"
#define HELP_BY_OF_CALLS                                                                                                           \
	"by CPU time, or by wall-clock time with waiting and preemption (the default)"

/* --program, --format, --hz and --globals-only; the member is `input`. */
extern const struct option_row input_rows[];
#define ROWS_INPUT {.kind = OPTION_ROWS, .at = OPTION_AT(input), .rows = input_rows}
/* Of what a file is read for, and how. */
#define ROWS_READING ROW_THREAD, ROW_JOBS, ROWS_INPUT

/* For the text behind the options: of single calls, and of those that ask about a function. */
#define ABOUT_AS_RECORDED "\nTimes are as recorded, with the cost of recording. dwell report takes it out.\n"
/* Of single calls, for people. */
#define ABOUT_CLOCK_STEP \
	"If the clock has steps of 10 ns, for example, a time below one step is shown as\n" \
	"<10 ns. --csv and --json have all times as recorded.\n"
#define ABOUT_FUNCTION \
	"FUNC is a name as dwell report shows it, or without its C++ arguments or\n" \
	".constprop.0. * matches any text, ? any letter. Several functions that match are\n" \
	"taken together, but one whose name is exactly FUNC is taken alone:\n" \
	"parse(char const*). FILE is as for dwell report.\n"

#endif
