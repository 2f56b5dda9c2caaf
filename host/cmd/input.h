/* input: options about what is read, of every command that reads a trace: for files that do not say of themselves what others do; and which
 * names of their functions are wanted. */
#ifndef DWELL_HOST_CMD_INPUT_H
#define DWELL_HOST_CMD_INPUT_H

#include <stdint.h>

#include "cmd/option.h"
#include "io/source.h"
#include "reader/reader.h"
#include "symbol/symbol.h"
#include "util/diag.h"

struct input_options {
	const char *program; /* FILE or FILE@ADDRESS: whose addresses are in a file that names no modules; null: not told */
	const char *format;  /* NAME, perhaps with ,big or ,little, and ,names or ,returns: what the file is; null: found by content */
	const char *otherwise; /* no option: the format of a file whose format cannot be told; null: it is refused */
	uint64_t clock_hz;   /* of a file that does not say how fast its clock ticks; 0: not told */
	struct symbol_choice names;
};

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

/* Opens the reader of the source, which it takes. Null and a diag when an option is wrong, or it cannot be read. */
struct reader *input_make_reader(const struct input_options *options, struct source *take_source, struct diag *diag);

#endif
