/* live_view: the table of dwell top on a terminal: updated in place, with keys to sort, search and freeze it. Without a terminal,
 * top prints each table by watch.h alone. */
#ifndef DWELL_HOST_WATCH_LIVE_VIEW_H
#define DWELL_HOST_WATCH_LIVE_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tui/frame.h"
#include "watch/watch.h"

struct live_view {
	struct frame frame; /* the lines around the list */
	struct list list;   /* the rows as the user sorted and searched them */
	struct grid *grid;  /* the last table; owned */
	char *head;         /* the lines above it; null: no table yet. Owned */
	bool is_frozen;     /* the user froze the view: no table replaces the last one */
};

/* pre: the terminal is in use (tui). False: memory ran out. Call live_view_clear in either case. */
bool live_view_begin(struct live_view *view);
void live_view_clear(struct live_view *view);

/* Writes a table from watch, as watch_write does with by and limit, and draws it. False: nothing was drawn, because the view
 * is frozen, there is no data yet, or memory ran out. */
bool live_view_update(struct live_view *view, struct watch *watch, enum by by, uint64_t limit);
/* Handles a key. False: the user quits. */
bool live_view_take_key(struct live_view *view, uint32_t key);
/* Prints the last table to out as text, for the time after the view is closed. Prints at most `lines` lines, the head
 * included, but at least one row. width: columns of the terminal; 0: unlimited. */
void live_view_print(const struct live_view *view, int width, uint64_t lines, bool colour, FILE *out);

#endif
