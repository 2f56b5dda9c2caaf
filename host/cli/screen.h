/* screen: standard output while a program runs that may write to the same terminal. */
#ifndef DWELL_HOST_CLI_SCREEN_H
#define DWELL_HOST_CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct screen {
	FILE *out;
	int saved[3]; /* standard input, output and error, which were hidden from the program; −1: were not */
	bool is_terminal, any;
	bool is_unread; /* nobody reads what is shown any more */
};

/* Standard output from now on. hide: a program that is started now must not write on the same terminal, or take its keys: what is a
 * terminal of its three standard files is /dev/null. */
void screen_begin(struct screen *screen, bool hide);
/* Where keys are read from: a descriptor of the terminal, −1: standard input is none. */
int screen_get_keys(const struct screen *screen);
/* Text, lines and all, behind the one before. */
void screen_show(struct screen *screen, const char *text, size_t bytes);
/* How it was before. */
void screen_end(struct screen *screen);

/* Of the terminal. */
unsigned screen_lines(const struct screen *screen);

#endif
