/* unknown_command: suggests a command to a user who typed an unknown command. */
#ifndef DWELL_HOST_CLI_UNKNOWN_COMMAND_H
#define DWELL_HOST_CLI_UNKNOWN_COMMAND_H

#include <stdbool.h>

#include "util/diag.h"

/* Adds an error with a suggestion: dwell's command for the task of this perf or uftrace command, what to do with a file of
 * this name, or a command with a similar name. may_be_file: name stands in the place of a command, so it may also be the name
 * of a program or recording. */
void unknown_command_report(struct diag *diag, const char *name, bool may_be_file);

#endif
