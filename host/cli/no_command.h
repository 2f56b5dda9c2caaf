/* no_command: what somebody meant who typed a command that dwell does not have. */
#ifndef DWELL_HOST_CLI_NO_COMMAND_H
#define DWELL_HOST_CLI_NO_COMMAND_H

#include <stdbool.h>

#include "util/diag.h"

/* An error that says what to type instead: the command of dwell that does what perf or uftrace do by this name, what to do with a
 * file of this name, or a command whose name is near. may_be_file: it stands where a command does, so it may be the name of a
 * program or of a recording. */
void no_command_add(struct diag *diag, const char *name, bool may_be_file);

#endif
