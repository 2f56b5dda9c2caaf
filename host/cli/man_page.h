/* man_page: manual pages in the language of man(7), from a command's texts and rows of options. */
#ifndef DWELL_HOST_CLI_MAN_PAGE_H
#define DWELL_HOST_CLI_MAN_PAGE_H

#include <stdio.h>

#include "cli/command.h"

/* dwell-NAME(1). */
void man_page_print(const struct command *command, FILE *out);
/* dwell(1): lists the commands. */
void man_page_print_all(FILE *out);

#endif
