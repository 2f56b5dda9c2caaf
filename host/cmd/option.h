/* option: what the options of several commands have in common. */
#ifndef DWELL_HOST_CMD_OPTION_H
#define DWELL_HOST_CMD_OPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/command.h"

/* What getopt_long says with '?' or ':' (its option string begins with ':'), as a diag. Always false. */
bool option_refuse(const struct command *command, int option, char **argv, struct diag *diag);

/* A whole number from 0. False and a diag when text is none. name is "--limit". */
bool option_read_count(const struct command *command, const char *name, const char *text, uint64_t *count, struct diag *diag);
/* A number from 0 to 100. */
bool option_read_percent(const struct command *command, const char *name, const char *text, double *percent, struct diag *diag);

/* The one file behind the options; noun is what the command calls it: "file", "program". False and a diag when there is none, or several. */
bool option_read_file(const struct command *command, const char *noun, int argc, char **argv, const char **path, struct diag *diag);

#endif
