/* option_row: what a row says of an option, and which rows go together. option.h reads command lines by them. */
#ifndef DWELL_HOST_CLI_OPTION_ROW_H
#define DWELL_HOST_CLI_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	bool rare;             /* `dwell help COMMAND` and the manual list it, --help does not */
	const struct option_row *rows; /* of OPTION_ROWS: ends with an empty row */
};
#define OPTION_AT(member) offsetof(struct options, member)
#define OPTION_ROWS_MAX 64u

/* All rows of a command, those of OPTION_ROWS in their places. Returns how many. */
size_t option_list(const struct command *command, struct option_row rows[static OPTION_ROWS_MAX]);
/* Why a and b ("--csv", "--json") do not go together in a command; null: they do, or one of them is no option of it. */
const char *option_excludes(const struct command *command, const char *a, const char *b);

/* Whether the word is in a list of words with blanks between. Either may be null. */
bool option_has_word(const char *list, const char *word);
/* Of rows, bit i of given: row i was given. The first of these names or families, with blanks between; null: none. */
const struct option_row *option_find_given(const struct option_row *rows, size_t count, uint64_t given, const char *of);
/* What one of those that were given goes without, *other: which it is; null: nothing. */
const struct option_pair *option_find_exclusion(
	const struct option_row *rows, size_t count, uint64_t given, const struct option_row **one, const struct option_row **other);

#endif
