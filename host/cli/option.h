/* option: the command line of a command that reads one file, as a table: what there is, and where its value goes.
 *
 *     const struct option_row rows[] = {
 *             {"limit", OPTION_COUNT, &options.limit},
 *             {"csv", OPTION_CSV, &options.form},
 *     };
 *     if (option_read(&command_calls, rows, 2, "file", argc, argv, &options.path, diag)) ...
 *
 * --help and -h are always there, and print the command's help. Values that are not given stay as they were. */
#ifndef DWELL_HOST_CLI_OPTION_H
#define DWELL_HOST_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/by.h"
#include "cli/command.h"
#include "writer/writer.h"

enum option_kind {
	OPTION_FLAG,    /* bool: set */
	OPTION_TEXT,    /* const char *: borrowed from argv */
	OPTION_COUNT,   /* uint64_t: a whole number from 0 */
	OPTION_PERCENT, /* double: a number from 0 to 100 */
	OPTION_DURATION,/* uint64_t: nanoseconds, given as 20us or 1.5ms */
	OPTION_MOMENT,  /* int64_t: likewise, may be negative */
	OPTION_CSV,     /* enum writer_form: one of these two at the most */
	OPTION_JSON,
	OPTION_CPU,     /* enum by: one of these two at the most */
	OPTION_WALL,
};

struct option_row {
	const char *name; /* "limit", for --limit */
	enum option_kind kind;
	void *value;
	char letter; /* 'n', for -n; 0: none */
};

#define OPTION_ROWS_MAX 24

/* What is said of options that several commands have. */
#define OPTION_HELP_THREAD                                                                                                         \
	"  --thread T     only the thread of that name or number, or those whose names\n"                                          \
	"                 match a pattern: 'worker*'\n"
#define OPTION_HELP_JOBS                                                                                                           \
	"  --jobs N       threads that read the file: the processors there are; 1: one.\n"                                         \
	"                 The result is the same\n"
#define OPTION_HELP_RAW                                                                                                            \
	"  --raw          times as recorded, with what recording cost\n"
/* Of commands that show single calls. */
#define OPTION_HELP_AS_RECORDED "\nTimes are as recorded, with what recording cost. dwell report takes it out.\n"
#define OPTION_HELP_LINES "  --lines        where each function begins in the source, too\n"
#define OPTION_HELP_LIMIT(what) "  --limit N      only the first N " what " (-n N is the same)\n"
#define OPTION_HELP_NAMES                                                                                                          \
	"  --full-names   C++ names with all their arguments, not shortened or cut to the\n"                                       \
	"                 terminal; --csv and --json have them anyway\n"
#define OPTION_HELP_GLOBALS "  --globals-only functions that no other file can see have no name: app+0x1234\n"
#define OPTION_HELP_JSON "  --json         the same as JSON\n"

/* Rows of a command's table of options, and what its help and its usage line say of them. */
#define INPUT_ROWS(input)                                                                                                          \
	{"program", OPTION_TEXT, &(input)->program}, {"format", OPTION_TEXT, &(input)->format}, {"hz", OPTION_COUNT, &(input)->clock_hz},   \
	{"globals-only", OPTION_FLAG, &(input)->names.globals_only}
#define INPUT_HELP                                                                                                                 \
	"  --program FILE for dumps, which do not name their program: the file that its\n"                                         \
	"                 functions are looked up in. FILE@ADDRESS where it lies\n"                                                \
	"                 elsewhere than it was linked for: ADDRESS is where its lowest\n"                                         \
	"                 byte is\n"                                                                                               \
	"  --format F     what FILE is, where that cannot be told: " READER_FORMATS ";\n"                                          \
	"                 with ,big or ,little behind it the order of bytes; with ,names\n"                                        \
	"                 (c6000, ccs) hooks were given names, not addresses, or with\n"                                           \
	"                 ,returns nothing; with ,wraps their counter has 32 bits\n"                                               \
	"  --hz N         for dumps, which do not say it: ticks of their clock a second\n"
#define INPUT_ARGUMENTS "[--program FILE] [--format F] [--hz N] "
/* The same with the names. */
#define INPUT_NAMES_HELP INPUT_HELP OPTION_HELP_GLOBALS
#define INPUT_NAMES_ARGUMENTS INPUT_ARGUMENTS "[--globals-only] "

#define INLINED_HELP                                                                                                               \
	"  --inlines      of samples: functions that the compiler put into others count\n"                                         \
	"                 for themselves, as 'f (inlined)'; takes debug information (-g)\n"
#define ASK_FUNCTION_HELP                                                                                                          \
	"FUNC is a name as dwell report shows it, or without its C++ arguments or\n"                                               \
	".constprop.0; * stands for any text, ? for any letter. Where several functions\n"                                         \
	"have that name, or match, they are taken together. A function whose name is\n"                                           \
	"exactly FUNC is taken alone, as parse(char const*) is. FILE as for dwell report.\n"

/* Reads the options and the one file behind them; noun is what the command calls it: "file", "program". False: there is nothing to do, since
 * help was printed, or a diag says what is wrong. */
bool option_read(const struct command *command, const struct option_row *rows, size_t count, const char *noun, int argc, char **argv,
	const char **path, struct diag *diag);

/* --csv or --json, of which there is one at the most. False, and a diag: the other one was there. */
bool option_read_form(const struct command *command, enum writer_form wanted, enum writer_form *form, struct diag *diag);

/* The same for a command that asks about a function: what is behind the options is its name, then the file. */
bool option_read_function(const struct command *command, const struct option_row *rows, size_t count, int argc, char **argv,
	const char **function, const char **path, struct diag *diag);

/* The same for a command that reads what is behind the options itself: argv[*first] on. */
bool option_read_words(const struct command *command, const struct option_row *rows, size_t count, int argc, char **argv, int *first,
	struct diag *diag);

/* --cpu or --wall, for commands that read their options themselves. False and a diag when it was the other one before. */
bool option_read_by(const struct command *command, enum by wanted, enum by *by, struct diag *diag);

/* What getopt_long says with '?' or ':' (its option string begins with ':'), as a diag that names the nearest option; and -h. Always
 * false. */
bool option_refuse(const struct command *command, int option, char **argv, struct diag *diag);

#endif
