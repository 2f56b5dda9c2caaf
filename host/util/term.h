/* term: whether an output goes to a terminal, and what the terminal can show: colours, UTF-8, columns. */
#ifndef DWELL_HOST_UTIL_TERM_H
#define DWELL_HOST_UTIL_TERM_H

#include <stdbool.h>
#include <stdio.h>

bool term_is_terminal(FILE *out);
/* The user's choice about colours, for the whole process; AUTO at the start. */
enum term_colour { TERM_COLOUR_AUTO, TERM_COLOUR_ALWAYS, TERM_COLOUR_NEVER };
void term_set_colour(enum term_colour colour);
/* AUTO: colours on a capable terminal, unless NO_COLOR is set and not empty (no-color.org), or TERM is "dumb". */
bool term_has_colour(FILE *out);
/* Returns whether the user's locale is UTF-8: the output may then contain more than ASCII. */
bool term_has_utf8(void);
/* Returns the width of a line: COLUMNS if set, for pipes, too; else the terminal's, or 80. 0: no terminal, unlimited. */
int term_width(FILE *out);

#endif
