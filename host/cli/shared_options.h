/* Rows of options that several commands have. The command's struct options has a member of the name that the row puts its value in. */
#ifndef DWELL_HOST_CLI_SHARED_OPTIONS_H
#define DWELL_HOST_CLI_SHARED_OPTIONS_H

#include "analysis/by.h"
#include "cli/option.h"
#include "query/trace.h"
#include "writer/writer.h"

#define ROW_THREAD                                                                                                                 \
	{"--thread", "T", OPTION_TEXT, OPTION_AT(thread),                                                                          \
		"only the thread of that name or number, or those whose names match a pattern: 'worker*'"}
#define ROW_JOBS                                                                                                                   \
	{"--jobs", "N", OPTION_COUNT, OPTION_AT(jobs), "threads that read the file: the processors there are; 1: one. The result is the same"}
#define ROW_RAW {"--raw", NULL, OPTION_FLAG, OPTION_AT(raw), "times as recorded, with what recording cost"}
#define ROW_LINES {"--lines", NULL, OPTION_FLAG, OPTION_AT(lines), "where each function begins in the source, too"}
#define ROW_LIMIT(what) {"--limit", "N", OPTION_COUNT, OPTION_AT(limit), "only the first N " what " (-n N is the same)", "-n"}
#define ROW_FULL_NAMES                                                                                                             \
	{"--full-names", NULL, OPTION_FLAG, OPTION_AT(full_names),                                                                 \
		"C++ names with all their arguments, not shortened or cut to the terminal; --csv and --json have them anyway"}
#define HELP_GLOBALS_ONLY "functions that no other file can see have no name: app+0x1234"
#define ROW_INLINES                                                                                                                \
	{"--inlines", NULL, OPTION_FLAG, OPTION_AT(inlines),                                                                       \
		"of samples: functions that the compiler put into others count for themselves, as 'f (inlined)'; takes debug "         \
		"information (-g)"}
/* The file that is written to; the member is `output`. */
#define ROW_OUTPUT                                                                                                                 \
	{"-o", "FILE", OPTION_FILE, OPTION_AT(output),                                                                             \
		"write to FILE; standard output without it. FILE is there when all is written, or stays as it was", "--output"}

/* Two rows each; columns: what --csv writes. More of a row may follow. */
#define ROWS_FORM(columns, ...) ROWS_FORM_JSON(columns, "the same as JSON", __VA_ARGS__)
#define ROWS_FORM_JSON(columns, json, ...)                                                                                         \
	{"--csv", NULL, OPTION_SET, OPTION_AT(form), columns, .number = WRITER_CSV,                                                \
		.excludes = OPTION_EXCLUDES({"--json", "one of them at a time"}), __VA_ARGS__},                                    \
		{"--json", NULL, OPTION_SET, OPTION_AT(form), json, .number = WRITER_JSON, __VA_ARGS__}
#define ROWS_BY(help, ...)                                                                                                         \
	{"--cpu", NULL, OPTION_SET, OPTION_AT(by), NULL, .number = BY_CPU,                                                         \
		.excludes = OPTION_EXCLUDES({"--wall", "one of them at a time"}), __VA_ARGS__},                                    \
		{"--wall", NULL, OPTION_SET, OPTION_AT(by), help, .number = BY_WALL, __VA_ARGS__}
#define HELP_BY_OF_SUMS "by time on the CPU, or by the clock, waiting included; without it by --cpu where the trace knows it"
#define HELP_BY_OF_CALLS                                                                                                           \
	"by time on the CPU, without what a call waited or was preempted for; or by the clock, the default"

/* --program, --format, --hz and --globals-only; the member is `input`. */
extern const struct option_row input_rows[];
#define ROWS_INPUT {.kind = OPTION_ROWS, .at = OPTION_AT(input), .rows = input_rows}
/* Of what a file is read for, and how. */
#define ROWS_READING ROW_THREAD, ROW_JOBS, ROWS_INPUT

/* For the text behind the options: of single calls, and of those that ask about a function. */
#define ABOUT_AS_RECORDED "\nTimes are as recorded, with what recording cost. dwell report takes it out.\n"
#define ABOUT_FUNCTION                                                                                                             \
	"FUNC is a name as dwell report shows it, or without its C++ arguments or\n"                                               \
	".constprop.0; * stands for any text, ? for any letter. Where several functions\n"                                         \
	"have that name, or match, they are taken together. A function whose name is\n"                                           \
	"exactly FUNC is taken alone, as parse(char const*) is. FILE as for dwell report.\n"

#endif
