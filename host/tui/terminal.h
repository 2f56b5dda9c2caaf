/* terminal: the user's terminal, taken over for a view and restored: at the end, while the process is
 * stopped (Ctrl-Z), and when a signal or a crash ends the process. Only terminal.c and capability.c use
 * ncurses. A process has one terminal, so there is no object.
 *
 * Text for the terminal may contain any byte: control characters and malformed UTF-8 never get through. */
#ifndef DWELL_HOST_TUI_TERMINAL_H
#define DWELL_HOST_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tui/loop.h"
#include "util/diag.h"

/* A key: a character, or one of these. */
enum terminal_key {
	TERMINAL_TIME = 0x110000, /* no key until the time */
	TERMINAL_WOKEN,           /* no key: loop_wake was called, or the size has changed; redraw everything */
	TERMINAL_INPUT_ENDED,            /* the input has ended */
	TERMINAL_UP,
	TERMINAL_DOWN,
	TERMINAL_LEFT,
	TERMINAL_RIGHT,
	TERMINAL_PAGE_UP,
	TERMINAL_PAGE_DOWN,
	TERMINAL_HOME,
	TERMINAL_END,
	TERMINAL_ENTER,
	TERMINAL_BACK,
	TERMINAL_TAB,
	TERMINAL_BACK_TAB,
	TERMINAL_ESCAPE,
	TERMINAL_F1,
	TERMINAL_OTHER,           /* a key without a meaning here */
};

/* All styles are distinguishable without colours. */
enum terminal_style {
	TERMINAL_PLAIN,
	TERMINAL_TITLE,  /* titles of columns */
	TERMINAL_CHOSEN, /* the row at the cursor */
	TERMINAL_HEAD,
	TERMINAL_WARN,
	TERMINAL_KEYS,
	TERMINAL_FOUND,  /* search hits */
	TERMINAL_STYLES
};

/* Returns whether out is a terminal that can place its cursor; otherwise adds a diag with the reason. */
bool terminal_check(FILE *out, struct diag *diag);

/* out: the terminal. keys: a descriptor (borrowed) to read keys from, −1: the process's controlling terminal. loop: woken when the
 * size changes or the process continues. Returns false and adds a diag if the terminal is unusable. */
bool terminal_begin(FILE *out, int keys, const struct loop *loop, struct diag *diag);
/* Restores the terminal, if it was taken over. */
void terminal_end(void);

/* Waits for a key until a time, or LOOP_FOREVER. Handles Ctrl-Z by itself. */
uint32_t terminal_get_key(uint64_t until_ns);
/* Call during long tasks: stops the process after Ctrl-Z, and shows what was drawn. */
void terminal_update(void);

int terminal_rows(void);
int terminal_columns(void);
/* Returns whether the terminal can show more than ASCII. */
bool terminal_has_utf8(void);

/* Empties the drawing. All functions below change the drawing, which terminal_show puts on the terminal. */
void terminal_clear(void);
/* Draws a line of safe, valid UTF-8 (text_cell_format) from a row and column on (from 0), at most `columns`
 * wide. Clips at the terminal's edges. Returns the columns used. */
int terminal_put(int row, int column, int columns, const char *text, size_t bytes, enum terminal_style style);
/* Fills columns of a row with the style. */
void terminal_fill(int row, int column, int columns, enum terminal_style style);
/* Places the cursor for typing; −1: hides it. */
void terminal_place_cursor(int row, int column);
/* Puts the drawing on the terminal. */
void terminal_show(void);

#endif
