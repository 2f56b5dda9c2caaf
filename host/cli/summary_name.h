/* summary_name: names in lines for people. */
#ifndef DWELL_HOST_CLI_SUMMARY_NAME_H
#define DWELL_HOST_CLI_SUMMARY_NAME_H

#include <stdio.h>

/* Prints a name from a hostile file in a safe form. */
void summary_print_name(FILE *out, const char *name);

#endif
