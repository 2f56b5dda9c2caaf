/* What is at the other end of an output: a person at a terminal, or a program. */
#ifndef DWELL_HOST_UTIL_TERM_H
#define DWELL_HOST_UTIL_TERM_H

#include <stdbool.h>
#include <stdio.h>

bool term_is_terminal(FILE *out);
/* What the user says of colours, for the whole process; AUTO at the start. */
enum term_colour { TERM_COLOUR_AUTO, TERM_COLOUR_ALWAYS, TERM_COLOUR_NEVER };
void term_set_colour(enum term_colour colour);
/* AUTO: on a terminal that can, unless the user says no: NO_COLOR is set and not empty (no-color.org), or TERM is "dumb". */
bool term_has_colour(FILE *out);
/* Whether the user's locale is UTF-8: whoever reads it can show more than ASCII. */
bool term_has_utf8(void);
/* Columns of a line: COLUMNS if it is set, for pipes, too; else what the terminal says, or 80. 0: no terminal, unlimited. */
int term_width(FILE *out);

#endif
