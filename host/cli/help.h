/* help: prints help from the commands and their rows of options alone, so a new row needs no other change. */
#ifndef DWELL_HOST_CLI_HELP_H
#define DWELL_HOST_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/command.h"

/* `dwell --help`: all commands, a line for each. */
void help_print_all(FILE *out);
/* is_short: `dwell COMMAND --help`, without rare options; otherwise `dwell help COMMAND`, with all options. */
void help_print(const struct command *command, bool is_short, FILE *out);
/* The command with the name nearest to typed; null: none is near. */
const struct command *help_nearest(const char *typed);

/* " [--cpu | --wall] [--limit N] FILE": options and operands in one line, with a blank in front. The caller frees the text. */
char *help_make_usage(const struct command *command);
/* The number of rows, from rows[0] on, with one common help text: rows without help, and then the row with the text. */
size_t help_count_shared_rows(const struct option_row *rows, size_t count);
/* "--cpu, --wall", "--ring=SIZE": the names of count options with their values. The caller frees the text. */
char *help_make_option_names(const struct option_row *rows, size_t count);

#endif
