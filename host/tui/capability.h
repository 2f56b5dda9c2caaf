/* capability: what terminfo knows of a terminal. A room of its own, as its header calls everything "columns". */
#ifndef DWELL_HOST_TUI_CAPABILITY_H
#define DWELL_HOST_TUI_CAPABILITY_H

#include <stddef.h>

/* What is wrong with the terminal at that descriptor, as TERM names it; null: it can place its cursor and clear a line, which a view
 * needs. Before ncurses begins. */
const char *capability_find_problem(int fd);
/* When ncurses has begun: the bytes that tell a terminal to be as it was before: no attributes, plain keys, a cursor, its first screen.
 * Returns how many. */
size_t capability_get_leave(char *out, size_t room);

#endif
