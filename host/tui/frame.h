/* frame: a list with what is around it: lines above it that say what it is and how good it is, one below it with the keys; a line to
 * search in; help. What views that change by themselves (top) and views that do not (tui) have in common. */
#ifndef DWELL_HOST_TUI_FRAME_H
#define DWELL_HOST_TUI_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/list.h"

#define FRAME_TEXT_BYTES 256u

struct frame {
	const char *head;   /* lines, may be empty; valid UTF-8, control characters are shown as ? */
	const char *keys;   /* what the line below says */
	const char *help;   /* lines: keys of this view, behind those that all have */
	struct list *list;
	int warn_line;      /* line of head that is no good news, from 1; 0: none */
	const char *const *tabs; /* names of views that there are; tab is the one that is shown */
	int tab_count, tab;
	bool is_helping;
	int help_top;       /* first line of it that is shown */
	bool is_typing;     /* the text to search for */
	char typed[FRAME_TEXT_BYTES], search[FRAME_TEXT_BYTES];
	char message[FRAME_TEXT_BYTES]; /* instead of the keys, until the next key */
};

enum frame_answer {
	FRAME_DONE,  /* the key was for the frame or its list */
	FRAME_QUIT,
	FRAME_OTHER, /* it means nothing to either of them */
};

/* Draws all of it and shows it. */
void frame_draw(struct frame *frame);
enum frame_answer frame_take_key(struct frame *frame, uint32_t key);

#endif
