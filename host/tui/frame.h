/* frame: a list with surroundings: lines above with the list's description and quality, a line below with the keys, a search line,
 * and help. For views that change by themselves (top) and for static views (tui). */
#ifndef DWELL_HOST_TUI_FRAME_H
#define DWELL_HOST_TUI_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/list.h"

#define FRAME_TEXT_BYTES 256u

struct frame {
	const char *head;   /* lines, may be empty; valid UTF-8, control characters are shown as ? */
	const char *keys;   /* text of the line below */
	const char *help;   /* lines with the keys of this view, under a heading; shown before the common keys */
	struct list *list;
	int warn_line;      /* line of head with a warning, from 1; 0: none */
	const char *const *tabs; /* names of all views; tab is the current one */
	int tab_count, tab;
	bool is_helping;
	int help_top;       /* first visible line of the help */
	bool is_typing;     /* the user is typing a text to search for */
	char typed[FRAME_TEXT_BYTES], search[FRAME_TEXT_BYTES]; /* typed so far; last search, "": none */
	char message[FRAME_TEXT_BYTES]; /* shown instead of the keys, until the next key */
};

enum frame_answer {
	FRAME_DONE,  /* the frame or its list has handled the key */
	FRAME_QUIT,  /* the user leaves, or the input has ended */
	FRAME_UNUSED_KEY, /* neither the frame nor its list uses the key: the caller may use it */
};

/* Draws the frame and its list on the whole terminal. */
void frame_draw(struct frame *frame);
enum frame_answer frame_take_key(struct frame *frame, uint32_t key);

#endif
