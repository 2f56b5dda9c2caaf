/* input: the options --program, --format, --hz, --event and --globals-only of all commands that read a trace. The first three give
 * facts that some formats lack; --event chooses what is counted; the last chooses function names. */
#ifndef DWELL_HOST_QUERY_INPUT_H
#define DWELL_HOST_QUERY_INPUT_H

#include <stdint.h>

#include "io/source.h"
#include "reader/reader.h"
#include "symbol/symbol.h"
#include "util/diag.h"

struct input_options {
	const char *program; /* FILE or FILE@ADDRESS: the program to which the addresses belong, for files
	                        without modules; null: not given */
	const char *format;  /* of the file: NAME, optionally with ,big or ,little, and ,names or ,returns;
	                        null: detected by content */
	const char *otherwise; /* no option: the format to use if detection fails; null: the file is refused */
	const char *event;   /* the event to read, of several in the file; null: not given */
	uint64_t clock_hz;   /* clock rate, for files without it; 0: not given */
	struct symbol_choice names;
};

/* Opens a reader for the source and takes ownership of the source. Null with a diag: an option is wrong, or
 * the source cannot be read. */
struct reader *input_make_reader(const struct input_options *options, struct source *take_source, struct diag *diag);

#endif
