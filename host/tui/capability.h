/* capability: terminfo's facts about a terminal. A separate file, since terminfo's header defines names such as "columns". */
#ifndef DWELL_HOST_TUI_CAPABILITY_H
#define DWELL_HOST_TUI_CAPABILITY_H

#include <stddef.h>

/* Returns the problem of the terminal at the descriptor, named by TERM; null: the terminal can place the cursor
 * and clear a line, as a view needs. Call before ncurses starts. */
const char *capability_find_problem(int fd);
/* Writes the bytes that restore the terminal to out: no attributes, plain keys, a visible cursor, the screen from before. Returns
 * their number, at most room. Call after ncurses has started. */
size_t capability_get_restore(char *out, size_t room);

#endif
