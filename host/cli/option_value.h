/* option_value: texts of options → values, by the kind of their rows. */
#ifndef DWELL_HOST_CLI_OPTION_VALUE_H
#define DWELL_HOST_CLI_OPTION_VALUE_H

#include <sys/types.h>

#include "cli/option_row.h"

#define OPTION_EXPECTED_BYTES 96u

/* Puts what the text says where the row says, in options. Null: good; else what was expected, which may be in expected. */
const char *option_read_value(const struct option_row *row, void *options, const char *text, char expected[static OPTION_EXPECTED_BYTES]);

/* What a value may be one of, for shells; null: it is not known. */
const char *option_choices(const struct option_row *row);
/* The next word of choices ("a, b or c"); *at begins as choices. Null: no more; else *bytes of it. */
const char *option_next_choice(const char **at, size_t *bytes);

/* pid_t: for rows of OPTION_OWN … */
const char *option_take_pid(void *pid, const char *text);
/* … and for words behind the options. False and a diag: it is none. */
bool option_read_pid(const struct command *command, const char *text, pid_t *pid, struct diag *diag);

#endif
