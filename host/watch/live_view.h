/* live_view: a table of dwell top that stays in its place on a terminal: with keys to sort, search and freeze it. */
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

/* On a terminal that has begun. False: no memory. live_view_clear in any case. */
bool live_view_begin(struct live_view *view);
void live_view_clear(struct live_view *view);

/* What is known by now, unless it is frozen; and draws it. False: there was nothing to show. */
bool live_view_update(struct live_view *view, struct watch *watch, enum by by, uint64_t limit);
/* A key of the terminal. False: the user wants to leave. */
bool live_view_take_key(struct live_view *view, uint32_t key);
/* What was shown last, to be read on: so many lines, of that width; 0: any. */
void live_view_print(const struct live_view *view, int width, uint64_t lines, bool colour, FILE *out);

#endif
