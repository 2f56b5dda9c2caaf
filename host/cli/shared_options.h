/* shared_options: rows of options that several commands have. The command's struct options must have the member that the macro
 * names: ROW_JOBS needs a member jobs. */
#ifndef DWELL_HOST_CLI_SHARED_OPTIONS_H
#define DWELL_HOST_CLI_SHARED_OPTIONS_H

#include "analysis/by.h"
#include "cli/option.h"
#include "query/parameter.h"
#include "query/trace.h"
#include "writer/writer.h"

#define ROW_THREAD ROW_THREAD_AT(OPTION_AT(thread))
#define ROW_JOBS                                                                                                                   \
	{"--jobs", "N", OPTION_COUNT, OPTION_AT(jobs), "read with N threads (default: one per processor); the result is the same", .rare = true, .low = 1}
#define ROW_RAW ROW_RAW_AT(OPTION_AT(raw))
#define ROW_LINES ROW_LINES_AT(OPTION_AT(lines))
#define ROW_LIMIT(what) ROW_LIMIT_AT(OPTION_AT(limit), what)
#define ROWS_BY(text, ...) ROWS_BY_AT(OPTION_AT(by), text, __VA_ARGS__)
#define ROW_FULL_NAMES                                                                                                             \
	{"--full-names", NULL, OPTION_FLAG, OPTION_AT(full_names),                                                                 \
		"show C++ names with all arguments, not shortened for the terminal; --csv and --json always do"}
#define HELP_GLOBALS_ONLY "show static functions as addresses: app+0x1234"
/* The output file; the member is named `output`. */
#define ROW_OUTPUT                                                                                                                 \
	{"-o", "FILE", OPTION_FILE, OPTION_AT(output),                                                                             \
		"write to FILE instead of standard output. FILE stays as it was until everything is written", "--output"}

/* Reads auto, always or never, for the whole process. */
const char *option_read_color(void *value, const char *text);
#define ROW_COLOR {"--color", "=WHEN", OPTION_OWN, 0, "auto (the default), always or never", .read = option_read_color, .choices = "auto, always or never", .rare = true}
/* Rows for the form of tables. columns: the columns of --csv. More members of a row may follow. */
#define ROWS_FORM(columns, ...) ROWS_FORM_JSON(columns, "the same as JSON", __VA_ARGS__)
#define ROWS_FORM_JSON(columns, json, ...) \
	{"--csv", NULL, OPTION_SET, OPTION_AT(form), columns, .number = WRITER_CSV, \
		.excludes = OPTION_EXCLUDES({"--json", "one of them at a time"}), __VA_ARGS__}, \
		{"--json", NULL, OPTION_SET, OPTION_AT(form), json, .number = WRITER_JSON, __VA_ARGS__}, \
		ROW_COLOR

/* --program, --format, --hz, --event and --globals-only; the member is named `input`. */
extern const struct option_row input_rows[];
#define ROWS_INPUT {.kind = OPTION_ROWS, .at = OPTION_AT(input), .rows = input_rows}
/* Rows that choose what to read from a file, and how. */
#define ROWS_READING ROW_THREAD, ROW_JOBS, ROWS_INPUT

/* Texts after the options, for commands about single calls, and for commands about a function. */
#define ABOUT_AS_RECORDED "\nTimes are as recorded, with the cost of recording. dwell report takes it out.\n"
/* For commands that show single calls to people. */
#define ABOUT_CLOCK_STEP \
	"If the clock has steps of 10 ns, for example, a time below one step is shown as\n" \
	"<10 ns. --csv and --json have all times as recorded.\n"
#define ABOUT_FUNCTION \
	"FUNC is a name as dwell report shows it, or without its C++ arguments or\n" \
	".constprop.0. * matches any text, ? any letter. Several functions that match are\n" \
	"taken together, but one whose name is exactly FUNC is taken alone:\n" \
	"parse(char const*). FILE is as for dwell report.\n"

#endif
