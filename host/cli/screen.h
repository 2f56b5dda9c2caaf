/* screen: standard output of dwell top. While the screen is in use, a program started by dwell must not use the same terminal. */
#ifndef DWELL_HOST_CLI_SCREEN_H
#define DWELL_HOST_CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct screen {
	FILE *out;
	int saved[3]; /* descriptors of the terminal for standard input, output and error, which are /dev/null now; −1: unchanged */
	bool is_terminal, has_text; /* out is a terminal; text was written */
	bool is_unread; /* the output was closed by its reader */
};

/* Begins using standard output. hide: a program started from now on must not write to the same terminal or read its keys, so
 * terminals among its standard files become /dev/null. */
void screen_begin(struct screen *screen, bool hide);
/* A descriptor of the terminal for reading keys; −1: standard input is no terminal. */
int screen_get_keys(const struct screen *screen);
/* Writes text as a whole, after an empty line if there was text before. */
void screen_show(struct screen *screen, const char *text, size_t bytes);
/* Restores the standard files. */
void screen_end(struct screen *screen);

/* The terminal's number of lines. */
unsigned screen_lines(const struct screen *screen);

#endif
