/* option_row: a row describes an option, and the options that it excludes or needs. Command lines (cli/option.h) and the parameters
 * of questions (query/parameter.h) are read by these rows. */
#ifndef DWELL_HOST_OPTION_OPTION_ROW_H
#define DWELL_HOST_OPTION_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of value, and the type of the member at `at`. */
enum option_kind {
	OPTION_MARK,     /* no member: the command calls option_get_given */
	OPTION_FLAG,     /* bool: set to true */
	OPTION_SET,      /* an enum: set to .number */
	OPTION_TEXT,     /* const char *: borrowed from argv */
	OPTION_FILE,     /* const char *, borrowed from argv: the name of a file */
	OPTION_CHOICE,   /* const char *, borrowed from argv: one of .choices */
	OPTION_COUNT,    /* uint64_t: a whole number */
	OPTION_COUNT_32, /* uint32_t */
	OPTION_NUMBER,   /* double */
	OPTION_SIZE,     /* uint64_t: bytes, given as 512K or 16M */
	OPTION_DURATION, /* uint64_t: nanoseconds, given as 20us or 1.5ms */
	OPTION_MOMENT,   /* int64_t: nanoseconds; may be negative */
	OPTION_OWN,      /* any type: .read reads the text, and writes the member */
	OPTION_ROWS,     /* no option: the rows in .rows, for a part of the struct that begins at `at` */
};

/* Options that a row excludes, or needs. */
struct option_pair {
	const char *with;   /* names or families of options, with blanks between; any of them counts */
	const char *why;    /* the reason, printed after the names of both options; if it begins with a dash, the whole message */
	const char *unless; /* if this option is given, too, both options are allowed; null: none */
};
#define OPTION_EXCLUDES(...) ((const struct option_pair[]){__VA_ARGS__, {0}})

struct option_row {
	const char *name;      /* "--limit", "-o": as listed in the help */
	const char *value;     /* "N"; "=SIZE": shown attached; "[=N]": optional, and attached if given;
	                          null: the option has no value */
	enum option_kind kind;
	size_t at;             /* OPTION_AT(member): where the value goes, in the command's struct options */
	const char *help;      /* broken into lines when printed; '\n' breaks one. Null: the next row's help is for both */
	const char *other;     /* another name, accepted but not listed: "-n", "--output" */
	double low, high;      /* of numbers, sizes (bytes) and durations (ns); high 0: no limit */
	const char *expected;  /* the message about a wrong value is "expected " and this text; null: the kind's text */
	const char *choices;   /* "entry or exit", "share, time or calls"; for kinds other than
	                          OPTION_CHOICE: suggestions for shells */
	const char *(*get_choices)(void);                     /* computes choices */
	const char *(*read)(void *value, const char *text); /* null: good; else what the option expects. text
	                                                       null: the value was left out */
	const char *parameter; /* for OPTION_SET in questions (query/parameter.h): the common name of all
	                          rows that set this member */
	const char *family;    /* a name for several options, for .with and option_get_given; null: none */
	const char *started; /* for `dwell attach`: what `dwell record --off` did about the option when it started the
	                        process ("writes the file"); attach refuses the option for such a process. OPTION_OBEYED:
	                        attach obeys the option there, too */
	const struct option_pair *excludes; /* ends with {0}; only one of two options needs to list the pair */
	struct option_pair needs; /* one of these options must be given */
	const char *missing;   /* the message if the option is missing; null: the option is optional */
	unsigned number;       /* for OPTION_SET: the value; for OPTION_COUNT_32: the default if the value was left out */
	bool repeats;          /* may be given several times, and all count; false: the last counts */
	bool once;             /* giving the option twice is an error */
	bool in_operands;      /* the usage line has the option among the operands */
	bool rare;             /* listed by `dwell help COMMAND` and the manual, but not by --help */
	const struct option_row *rows; /* for OPTION_ROWS: ends with an empty row */
};
#define OPTION_AT(member) offsetof(struct options, member)
#define OPTION_ROWS_MAX 64u
#define OPTION_OBEYED ""

/* Copies all rows of a list into rows. A row of kind OPTION_ROWS is replaced by its rows. list null: no rows. Returns the number of
 * rows; rows beyond OPTION_ROWS_MAX are left out. */
size_t option_list(const struct option_row *list, struct option_row rows[static OPTION_ROWS_MAX]);
/* Why options a and b of a list ("--csv", "--json") exclude each other; null: no conflict, or a or b is not in the list. */
const char *option_excludes(const struct option_row *list, const char *a, const char *b);

/* Whether word is in list, a text of words with blanks between. Either may be null. */
bool option_has_word(const char *list, const char *word);
/* The first given row with any of these names or families (with blanks between); null: none. Bit i of given: row i was given. */
const struct option_row *option_find_given(const struct option_row *rows, size_t count, uint64_t given, const char *of);
/* Finds two given options that exclude each other, sets *one and *other, and returns the reason. Null: no conflict. */
const struct option_pair *option_find_exclusion(const struct option_row *rows, size_t count, uint64_t given,
	const struct option_row **one, const struct option_row **other);

#endif
