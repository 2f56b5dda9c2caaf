/* screen: a terminal on which a text stays in its place; or what is no terminal, to which each is written behind the one before. */
#ifndef DWELL_HOST_CMD_SCREEN_H
#define DWELL_HOST_CMD_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct screen {
	FILE *out;
	int saved; /* of the standard output that was hidden from the program, −1: none */
	bool is_terminal, begun, any;
	bool is_unread; /* nobody reads what is shown any more */
	char *last; /* what was shown last */
};

/* Standard output from now on. hide: a program that is started now must not write on the same terminal: it gets /dev/null. */
void screen_begin(struct screen *screen, bool hide);
/* Text, lines and all, in place of the one before. */
void screen_show(struct screen *screen, const char *text, size_t bytes);
/* How it was before; what was shown last stays there to be read. */
void screen_end(struct screen *screen);

/* Rows of a table that fit, with so many lines around them, up to the limit; one at least. */
uint64_t screen_rows(const struct screen *screen, uint64_t limit, unsigned head_lines);

#endif
