/* console_name: names a number on a program's console: the place in a function, or the function name whose text is at that address.
 * For `dwell names`, with several programs, each at its own base. */
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

/* words: PROGRAM or PROGRAM@BASE, count of them. Null with a diag: a program cannot be read, or needs @BASE. */
struct console_names *make_console_names(
	char *const *words, size_t count, const struct console_options *options, struct diag *diag);
void free_console_names(struct console_names *names);

/* An address_namer (cmd/names/address_text.h). */
const char *console_name(void *names, uint64_t address, bool is_return);

/* Adds a note with the addresses of the program's functions, if the text had numbers but none of them has a name. numbers: how many
 * numbers the text had. */
void console_names_explain(const struct console_names *names, uint64_t numbers, struct diag *diag);

#endif
