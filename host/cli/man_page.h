/* man_page: a command's manual page, of its help: in the language of man(7). */
#ifndef DWELL_HOST_CLI_MAN_PAGE_H
#define DWELL_HOST_CLI_MAN_PAGE_H

#include <stdio.h>

#include "cli/command.h"

/* dwell-NAME(1). */
void man_page_print(const struct command *command, FILE *out);
/* dwell(1): the commands. They end with null. */
void man_page_print_all(const struct command *const *commands, FILE *out);

#endif
