/* live_view: a table of dwell top that is updated in place on a terminal, with keys to sort, search and freeze it. */
#ifndef DWELL_HOST_WATCH_LIVE_VIEW_H
#define DWELL_HOST_WATCH_LIVE_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tui/frame.h"
#include "watch/watch.h"

struct live_view {
	struct frame frame;
	struct list list;
	struct grid *grid;
	char *head;
	bool is_frozen;
};

/* pre: the terminal is in use (tui). False: memory ran out. Call live_view_clear in either case. */
bool live_view_begin(struct live_view *view);
void live_view_clear(struct live_view *view);

/* Draws the current table, unless the view is frozen. False: there was nothing to draw. */
bool live_view_update(struct live_view *view, struct watch *watch, enum by by, uint64_t limit);
/* Handles a key. False: the user quits. */
bool live_view_take_key(struct live_view *view, uint32_t key);
/* Prints the last table once more below, for after the end: at most lines lines of this width; width 0: any. */
void live_view_print(const struct live_view *view, int width, uint64_t lines, bool colour, FILE *out);

#endif
