/* man_page: a command's manual page, of its rows of options and its text: in the language of man(7). */
#ifndef DWELL_HOST_CLI_MAN_PAGE_H
#define DWELL_HOST_CLI_MAN_PAGE_H

#include <stdio.h>

#include "cli/command.h"

/* dwell-NAME(1). */
void man_page_print(const struct command *command, FILE *out);
/* dwell(1): the commands. */
void man_page_print_all(FILE *out);

#endif
