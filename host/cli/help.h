/* What dwell says about itself: from the commands and their rows of options alone, so that a new row needs no other line. */
#ifndef DWELL_HOST_CLI_HELP_H
#define DWELL_HOST_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/option_row.h"

/* `dwell --help`: the commands, a line each. */
void help_print_all(FILE *out);
/* `dwell COMMAND --help`: without rare options; `dwell help COMMAND`: with all of them. */
void help_print(const struct command *command, bool is_short, FILE *out);
/* The command whose name is nearest to what was typed, null when none is near. */
const struct command *help_nearest(const char *typed);

/* " [--cpu | --wall] [--limit N] FILE": options and operands in one line, behind a blank. To be freed. */
char *help_make_usage(const struct command *command);
/* From a row on: those that one text is of, which is that of the last one. Returns how many. */
size_t help_count_together(const struct option_row *rows, size_t count);
/* "--cpu, --wall", "--ring=SIZE": so many options with their values. To be freed. */
char *help_make_head(const struct option_row *rows, size_t count);

#endif
