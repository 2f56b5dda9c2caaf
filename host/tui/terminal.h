/* terminal: the user's terminal, taken for a view and given back as it was: at the end, while the process is stopped (Ctrl-Z), and also
 * where a signal or a crash ends the process. All that is known of ncurses is in here. There is one terminal, so there is no object.
 *
 * What is put on it may hold any byte: control characters and what is not UTF-8 never get there. */
#ifndef DWELL_HOST_TUI_TERMINAL_H
#define DWELL_HOST_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tui/loop.h"
#include "util/diag.h"

/* What a key is: a character, or one of these. */
enum terminal_key {
	TERMINAL_TIME = 0x110000, /* none until the moment has come */
	TERMINAL_WOKEN,           /* none: loop_wake; or the size has changed, and all has to be drawn again */
	TERMINAL_GONE,            /* nobody will type any more */
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
	TERMINAL_OTHER,
};

/* Each can be told from plain text without a colour, too. */
enum terminal_style {
	TERMINAL_PLAIN,
	TERMINAL_TITLE,  /* of columns */
	TERMINAL_CHOSEN, /* the row that the cursor is on */
	TERMINAL_HEAD,
	TERMINAL_WARN,
	TERMINAL_KEYS,
	TERMINAL_FOUND,  /* what was searched for */
	TERMINAL_STYLES
};

/* Whether it is a terminal that can be drawn on; else a diag says why it cannot. */
bool terminal_check(FILE *out, struct diag *diag);

/* out: the terminal. keys: a descriptor (borrowed) of it to read from, −1: the one that the process belongs to. loop: woken when the size
 * changes or the process is continued. False and a diag: it is none, or one that cannot be drawn on. */
bool terminal_begin(FILE *out, int keys, const struct loop *loop, struct diag *diag);
/* Gives it back; may be called when there is none. */
void terminal_end(void);

/* Waits for a key; LOOP_FOREVER. Ctrl-Z is done in here. */
uint32_t terminal_get_key(uint64_t until_ns);
/* In something that takes long: stops where Ctrl-Z was typed, and draws what was put. */
void terminal_breathe(void);

int terminal_rows(void);
int terminal_columns(void);
/* More than ASCII can be shown. */
bool terminal_has_utf8(void);

/* Nothing is on it. */
void terminal_clear(void);
/* A line of text from a row and column on (from 0), so many columns at the most. Valid UTF-8 that is safe (text_cell_format). What lies
 * outside is left away. Returns the columns that it took. */
int terminal_put(int row, int column, int columns, const char *text, size_t bytes, enum terminal_style style);
/* The style up to a column. */
void terminal_fill(int row, int column, int columns, enum terminal_style style);
/* Where the user types; −1: nowhere. */
void terminal_place_cursor(int row, int column);
void terminal_show(void);

#endif
