/* frame: draws a list with its surroundings and handles keys (frame.h). */
#include "tui/frame.h"

#include <stdio.h>
#include <string.h>

#include "tui/terminal.h"
#include "util/utf8.h"

#define LIST_LINES_MIN 3 /* titles and two rows; the lines above the list give way to them */

static const char common_help[] =
	"up, down, k, j         a row up, a row down\n"
	"PgUp, PgDn, g, G       a page; the first row, the last one (Home, End)\n"
	"s, S                   sort by the next column, by the one before;\n"
	"                       behind the last, in the order that it came in\n"
	"r                      the other way round\n"
	"/                      search: Enter finds the next name with that text\n"
	"n, N                   the next one, the one before; Esc: no marks\n"
	"F                      C++ names in full, or short\n"
	"Ctrl-L                 draw the screen anew\n"
	"?                      this help\n"
	"q                      leave\n";

/* ---- drawing ---- */

static int count_lines(const char *text)
{
	int lines = 0;

	for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n')
		lines++;
	return lines;
}

/* Draws at most `lines` lines of the text, beginning with line `first`. special: the line with another style. */
static void put_lines(const char *text, int first, int row, int lines, int special, enum terminal_style style)
{
	for (int i = 0; text && *text && i < first + lines; i++) {
		size_t bytes = strcspn(text, "\n");

		if (i >= first)
			terminal_put(row + i - first, 0, terminal_columns(), text, bytes, i == special ? style : TERMINAL_PLAIN);
		text += bytes + (text[bytes] == '\n');
	}
}

static void draw_help(struct frame *frame)
{
	int rows = terminal_rows(), own = count_lines(frame->help), all = own + 1 + count_lines(common_help);
	int last = all > rows - 1 ? all - (rows - 1) : 0, at;

	if (frame->help_top > last)
		frame->help_top = last;
	at = own + 1 - frame->help_top; /* start of the common part */
	put_lines(frame->help, frame->help_top, 0, rows - 1, 0, TERMINAL_HEAD);
	put_lines(common_help, at < 0 ? -at : 0, at < 0 ? 0 : at, rows - 1 - (at < 0 ? 0 : at), -1, TERMINAL_PLAIN);
}

/* Draws "1 functions  2 tree". If not all names fit, draws numbers, and the name of the current view only. */
static void put_tabs(const struct frame *frame, int row)
{
	int all = 0, at = 0;

	for (int i = 0; i < frame->tab_count; i++)
		all += (int)strlen(frame->tabs[i]) + 3;
	for (int i = 0; i < frame->tab_count; i++) {
		bool is_shown = i == frame->tab;
		char text[32];
		int bytes = snprintf(text, sizeof text, is_shown || all <= terminal_columns() ? " %d %.24s" : " %d", i + 1, frame->tabs[i]);

		terminal_put(row, at, terminal_columns() - at, text, (size_t)bytes, is_shown ? TERMINAL_CHOSEN : TERMINAL_PLAIN);
		at += bytes;
	}
}

/* Draws "by self 3 of 120" at the right edge: the sort column, and the cursor's row. Returns the first column used; if there is
 * too little room, draws nothing and returns the number of columns. */
static int put_position(const struct frame *frame, int row)
{
	const struct list *list = frame->list;
	const char *title = list_get_sort_title(list);
	char text[FRAME_TEXT_BYTES];
	int bytes, column;

	bytes = snprintf(text, sizeof text, " %s%s%s%zu of %zu ", title ? "by " : "", title ? title : list->is_reversed ? "reversed" : "",
		title && list->is_reversed ? ", reversed  " : title || list->is_reversed ? "  " : "",
		list->outline.shown_count ? list->cursor + 1 : (size_t)0, list->outline.shown_count);
	column = terminal_columns() - bytes;
	if (column < terminal_columns() / 3)
		return terminal_columns();
	terminal_put(row, column, bytes, text, (size_t)bytes, TERMINAL_KEYS);
	return column;
}

static void draw_bottom(const struct frame *frame)
{
	const char *text = frame->is_helping ? "any key leaves the help; up and down move it" : *frame->message ? frame->message : frame->keys;
	int row = terminal_rows() - 1, room;

	terminal_place_cursor(-1, -1);
	terminal_fill(row, 0, terminal_columns(), TERMINAL_KEYS);
	if (frame->is_typing) {
		int used = terminal_put(row, 0, terminal_columns(), "/", 1, TERMINAL_KEYS);

		used += terminal_put(row, used, terminal_columns() - used, frame->typed, strlen(frame->typed), TERMINAL_KEYS);
		terminal_place_cursor(row, used);
		return;
	}
	room = frame->is_helping ? terminal_columns() : put_position(frame, row);
	terminal_put(row, 0, room, text, strlen(text), TERMINAL_KEYS);
}

void frame_draw(struct frame *frame)
{
	int rows = terminal_rows(), head = count_lines(frame->head), most = rows - 1 - LIST_LINES_MIN;

	terminal_clear();
	if (head > most)
		head = most > 0 ? most : 0;
	if (frame->is_helping) {
		draw_help(frame);
	} else {
		put_lines(frame->head, 0, 0, head, frame->warn_line ? frame->warn_line - 1 : 0,
			frame->warn_line ? TERMINAL_WARN : TERMINAL_HEAD);
		if (frame->tab_count && head < most)
			put_tabs(frame, head++);
		list_draw(frame->list, head, rows - 1 - head, frame->is_typing ? frame->typed : frame->search);
	}
	draw_bottom(frame);
	terminal_show();
}

/* ---- keys ---- */

/* Finds the search text in the list; otherwise sets a message. */
static void find_text(struct frame *frame, bool is_next, bool backwards)
{
	if (!*frame->search)
		snprintf(frame->message, sizeof frame->message, "search for what? / asks");
	else if (!list_find(frame->list, frame->search, is_next, backwards))
		snprintf(frame->message, sizeof frame->message, "no name has '%.100s' in it", frame->search);
}

/* Appends the key to the text as UTF-8. */
static void append_key(char *text, uint32_t key)
{
	size_t bytes = strlen(text);

	if (bytes + 5 > FRAME_TEXT_BYTES || utf8_is_unsafe(key))
		return;
	if (key < 0x80) {
		text[bytes++] = (char)key;
	} else if (key < 0x800) {
		text[bytes++] = (char)(0xc0 | key >> 6);
		text[bytes++] = (char)(0x80 | (key & 63));
	} else if (key < 0x10000) {
		text[bytes++] = (char)(0xe0 | key >> 12);
		text[bytes++] = (char)(0x80 | (key >> 6 & 63));
		text[bytes++] = (char)(0x80 | (key & 63));
	} else {
		text[bytes++] = (char)(0xf0 | key >> 18);
		text[bytes++] = (char)(0x80 | (key >> 12 & 63));
		text[bytes++] = (char)(0x80 | (key >> 6 & 63));
		text[bytes++] = (char)(0x80 | (key & 63));
	}
	text[bytes] = 0;
}

/* Handles a key in the search line. */
static void take_search_key(struct frame *frame, uint32_t key)
{
	size_t bytes = strlen(frame->typed);

	if (key == TERMINAL_ESCAPE || (key == TERMINAL_BACK && !bytes)) {
		frame->is_typing = false;
	} else if (key == TERMINAL_ENTER) {
		frame->is_typing = false;
		if (bytes)
			memcpy(frame->search, frame->typed, sizeof frame->search);
		find_text(frame, false, false);
	} else if (key == TERMINAL_BACK) {
		while (bytes && ((unsigned char)frame->typed[--bytes] & 0xc0) == 0x80)
			;
		frame->typed[bytes] = 0;
	} else if (key < 0x110000) {
		append_key(frame->typed, key);
	}
}

/* Handles a key while the help is shown. */
static void take_help_key(struct frame *frame, uint32_t key)
{
	switch (key) {
	case TERMINAL_UP: frame->help_top -= frame->help_top > 0; break;
	case TERMINAL_DOWN: frame->help_top++; break;
	case TERMINAL_PAGE_UP: frame->help_top = frame->help_top > 8 ? frame->help_top - 8 : 0; break;
	case TERMINAL_PAGE_DOWN: frame->help_top += 8; break;
	default: frame->is_helping = false;
	}
}

enum frame_answer frame_take_key(struct frame *frame, uint32_t key)
{
	if (key == TERMINAL_WOKEN || key == TERMINAL_TIME)
		return FRAME_DONE;
	if (key == TERMINAL_INPUT_ENDED)
		return FRAME_QUIT;
	*frame->message = 0;
	if (frame->is_typing) {
		take_search_key(frame, key);
		return FRAME_DONE;
	}
	if (frame->is_helping) {
		take_help_key(frame, key);
		return FRAME_DONE;
	}
	switch (key) {
	case 'q': case 'Q': return FRAME_QUIT;
	case '?': case TERMINAL_F1:
		frame->is_helping = true;
		frame->help_top = 0;
		return FRAME_DONE;
	case '/':
		frame->is_typing = true;
		*frame->typed = 0;
		return FRAME_DONE;
	case 'n': find_text(frame, true, false); return FRAME_DONE;
	case 'N': find_text(frame, true, true); return FRAME_DONE;
	case TERMINAL_ESCAPE:
		if (*frame->search) {
			*frame->search = 0;
			return FRAME_DONE;
		}
		return FRAME_UNUSED_KEY;
	default: return list_take_key(frame->list, key) ? FRAME_DONE : FRAME_UNUSED_KEY;
	}
}
