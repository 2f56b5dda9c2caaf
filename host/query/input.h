/* input: options about what is read, of every command that reads a trace: for files that do not say of themselves what others do; and which
 * names of their functions are wanted. */
#ifndef DWELL_HOST_QUERY_INPUT_H
#define DWELL_HOST_QUERY_INPUT_H

#include <stdint.h>

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

/* Opens the reader of the source, which it takes. Null and a diag when an option is wrong, or it cannot be read. */
struct reader *input_make_reader(const struct input_options *options, struct source *take_source, struct diag *diag);

#endif
