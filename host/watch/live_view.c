/* live_view: draws the table of dwell top into a list on the terminal, and handles the keys (live_view.h). */
#include "watch/live_view.h"

#include <stdlib.h>
#include <string.h>

#include "tui/terminal.h"
#include "writer/writer.h"

static const char keys[] = "q quit  s sort  r reverse  / search  f freeze  ? help";
static const char frozen_keys[] = "FROZEN: f goes on  q quit  s sort  r reverse  / search  ? help";
static const char help[] = "dwell top: keys\n"
			   "\n"
			   "f, blank               freeze the table, or go on; it is recorded all the same\n";

bool live_view_begin(struct live_view *view)
{
	*view = (struct live_view){.grid = make_grid()};
	view->frame = (struct frame){.head = "The first table comes in a second.", .keys = keys, .help = help, .list = &view->list};
	if (view->grid)
		frame_draw(&view->frame);
	return view->grid;
}

void live_view_clear(struct live_view *view)
{
	list_clear(&view->list);
	free_grid(view->grid);
	free(view->head);
	*view = (struct live_view){0};
}

bool live_view_update(struct live_view *view, struct watch *watch, enum by by, uint64_t limit)
{
	struct table_sink sink = grid_get_sink(view->grid);
	char *head = NULL;
	size_t bytes = 0;
	struct watch_form form = {.by = by, .limit = limit, .head = open_memstream(&head, &bytes)};
	bool done;

	if (view->is_frozen || !form.head) {
		if (form.head)
			fclose(form.head);
		free(head);
		return false;
	}
	done = watch_write(watch, &form, &sink);
	fclose(form.head);
	if (!done) {
		free(head);
		return false;
	}
	free(view->head);
	view->frame.head = view->head = head;
	list_set(&view->list, view->grid);
	frame_draw(&view->frame);
	return true;
}

bool live_view_take_key(struct live_view *view, uint32_t key)
{
	switch (frame_take_key(&view->frame, key)) {
	case FRAME_QUIT:
		return false;
	case FRAME_UNUSED_KEY:
		if (key != 'f' && key != ' ')
			break;
		view->is_frozen = !view->is_frozen;
		view->frame.keys = view->is_frozen ? frozen_keys : keys;
		break;
	case FRAME_DONE:
		break;
	}
	frame_draw(&view->frame);
	return true;
}

void live_view_print(const struct live_view *view, int width, uint64_t lines, bool colour, FILE *out)
{
	const struct writer_options options = {
		.form = WRITER_TEXT, .colour = colour, .width = width, .full_names = view->list.full_names};
	struct diag *ignored = make_diag(); /* errors of a terminal that is gone do not matter */
	struct table_sink sink = make_table_writer(&options, out, "standard output", ignored);
	uint64_t around = 4;

	for (const char *line = view->head; line && *line; line += strcspn(line, "\n"), line += *line == '\n', around++)
		fprintf(out, "%.*s\n", (int)(width && strcspn(line, "\n") > (size_t)width ? (size_t)width : strcspn(line, "\n")), line);
	if (view->head)
		putc('\n', out);
	list_write(&view->list, "top", lines > around ? lines - around : 1, &sink);
	free_table_writer(&sink);
	free_diag(ignored);
}
