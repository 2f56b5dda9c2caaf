/* What dwell says about itself: from the command table alone, so that a new row needs no other line. */
#ifndef DWELL_HOST_CLI_HELP_H
#define DWELL_HOST_CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

/* The command table, for commands that tell of others. It ends with null; main sets it. */
void help_set_commands(const struct command *const *commands);
const struct command *const *help_commands(void);

/* `dwell --help`: the commands, a line each. commands ends with null. */
void help_print_all(const struct command *const *commands, FILE *out);
/* `dwell help COMMAND`. */
void help_print(const struct command *command, FILE *out);
/* The command whose name is nearest to what was typed, null when none is near. */
const struct command *help_nearest(const struct command *const *commands, const char *typed);

#endif
