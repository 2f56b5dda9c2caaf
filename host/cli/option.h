/* option: one row says all of an option. Parsing, refusals, --help, manual pages and completions are made from a command's rows:
 *
 *     static const struct option_row rows[] = {
 *             {"--limit", "N", OPTION_COUNT, OPTION_AT(limit), "only the first N calls"},
 *             {"--folded", NULL, OPTION_FLAG, OPTION_AT(folded), "folded stacks", .excludes = OPTION_EXCLUDES({"--limit", "all of them"})},
 *             {0}};
 *     if (option_read(&command_calls, &options, "file", argc, argv, &options.path, diag)) ...
 *
 * --help and -h are always there. Values that are not given stay as they were. Rows that several commands have are in
 * cli/shared_options.h. */
#ifndef DWELL_HOST_CLI_OPTION_H
#define DWELL_HOST_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/command.h"

/* What the value is, and the type of what is at `at`. */
enum option_kind {
	OPTION_MARK,     /* nothing: option_given tells whether it was there */
	OPTION_FLAG,     /* bool: set */
	OPTION_SET,      /* an enum: becomes .number */
	OPTION_TEXT,     /* const char *: borrowed from argv */
	OPTION_FILE,     /* likewise, the name of a file */
	OPTION_CHOICE,   /* likewise, one of .choices */
	OPTION_COUNT,    /* uint64_t: a whole number */
	OPTION_COUNT_32, /* uint32_t */
	OPTION_NUMBER,   /* double */
	OPTION_SIZE,     /* uint64_t: bytes, given as 512K or 16M */
	OPTION_DURATION, /* uint64_t: nanoseconds, given as 20us or 1.5ms */
	OPTION_MOMENT,   /* int64_t: likewise, may be negative */
	OPTION_OWN,      /* whatever .read makes of it */
	OPTION_REFUSED,  /* it is not here, and .help is what the message says; in no list */
	OPTION_ROWS,     /* no option: .rows of a part of the struct, which is at `at` */
};

/* Other options that an option goes without, or only with. */
struct option_pair {
	const char *with;   /* their names or families, with blanks between: any of them */
	const char *why;    /* what the message says behind both names; all of it, when it begins with a dash */
	const char *unless; /* it is good when this option is there, too; null: never */
};
#define OPTION_EXCLUDES(...) ((const struct option_pair[]){__VA_ARGS__, {0}})

struct option_row {
	const char *name;      /* "--limit", "-o": as the help lists it */
	const char *value;     /* "N"; "=SIZE": shown attached; "[=N]": may be left out, else is attached; null: it takes none */
	enum option_kind kind;
	size_t at;             /* OPTION_AT(member): where the value goes, in the command's struct options */
	const char *help;      /* broken into lines when it is printed; '\n' breaks one. Null: the next row's help is of both */
	const char *other;     /* another name that is taken, and not listed: "-n", "--output" */
	double low, high;      /* of numbers, sizes (bytes) and durations (ns); high 0: no limit */
	const char *expected;  /* of a wrong value, behind "expected "; null: what the kind says */
	const char *choices;   /* "entry or exit", "share, time or calls"; of other kinds than OPTION_CHOICE: what shells offer */
	const char *(*get_choices)(void);                     /* the same, worked out */
	const char *(*read)(void *value, const char *text); /* null: good; else what was expected. text null: it was left out */
	const char *family;    /* a name for several options, for .with and option_given; null: none */
	const struct option_pair *excludes; /* ends with {0}; one of two options has it */
	struct option_pair needs; /* one of these has to be there */
	const char *missing;   /* what the message says without it; null: it may be left out */
	unsigned number;       /* of OPTION_SET; of OPTION_COUNT_32 whose value was left out */
	bool repeats;          /* may be given several times, and each counts; else the last one does */
	bool once;             /* a second one is a mistake */
	bool in_operands;      /* the operands of the usage line have it */
	const struct option_row *rows; /* of OPTION_ROWS: ends with an empty row */
};
#define OPTION_AT(member) offsetof(struct options, member)
#define OPTION_ROWS_MAX 64u

/* All rows of a command, those of OPTION_ROWS in their places. Returns how many. */
size_t option_list(const struct command *command, struct option_row rows[static OPTION_ROWS_MAX]);
/* Why a and b ("--csv", "--json") do not go together in a command; null: they do, or one of them is no option of it. */
const char *option_excludes(const struct command *command, const char *a, const char *b);

/* A command line that was read. */
struct option_line {
	const struct command *command;
	uint64_t given; /* bit i: row i of option_list */
	int first;      /* argv[first] is the first word behind the options, argc: there is none */
};
/* The first option that was given, of these names or families, with blanks between; null: none. */
const char *option_given(const struct option_line *line, const char *of);

/* Reads the options and the one word behind them; noun is what the command calls it: "file", "program". options is the command's struct.
 * False: there is nothing to do, since help was printed, or a diag says what is wrong. */
bool option_read(const struct command *command, void *options, const char *noun, int argc, char **argv, const char **word,
	struct diag *diag);
/* The same for a command that asks about a function: what is behind the options is its name, then the file. */
bool option_read_function(const struct command *command, void *options, int argc, char **argv, const char **function, const char **path,
	struct diag *diag);
/* The same for a command that reads what is behind the options itself. */
bool option_read_line(const struct command *command, void *options, int argc, char **argv, struct option_line *line, struct diag *diag);

/* A diag: what is wrong with the words behind the options, and how the command is used. Always false. */
bool option_refuse_words(const struct command *command, const char *problem, struct diag *diag);
/* A diag: the name of the command and the problem. Always false. */
bool option_refuse(const struct command *command, const char *problem, struct diag *diag);

#endif
