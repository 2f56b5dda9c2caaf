/* console_name: what a number on a program's console is called: the place in a function, or the text of a name that stands there. For
 * `dwell names`; several programs, each where it was loaded. */
#ifndef DWELL_HOST_CMD_NAMES_CONSOLE_NAME_H
#define DWELL_HOST_CMD_NAMES_CONSOLE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct console_names;

struct console_options {
	bool lines;      /* with the place in the source */
	bool full_names; /* C++ names with arguments */
};

/* words: PROGRAM or PROGRAM@BASE each. Null: a diag says why. */
struct console_names *make_console_names(char *const *words, size_t count, const struct console_options *options, struct diag *diag);
void free_console_names(struct console_names *names);

/* An address_namer (cmd/address_text.h). */
const char *console_name(void *names, uint64_t address, bool is_return);

/* When numbers were seen that may have been addresses: says so if none of them was one. */
void console_names_explain(const struct console_names *names, uint64_t numbers, struct diag *diag);

#endif
