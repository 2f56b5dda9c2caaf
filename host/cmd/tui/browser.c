#include "cmd/tui/browser.h"

#include <stdlib.h>
#include <string.h>

#include "cli/summary.h"
#include "tui/frame.h"
#include "tui/terminal.h"
#include "util/progress.h"

#define STEPS_MAX 100u
#define FEW_LINES 16 /* on a terminal with fewer lines the part above the table is as short as possible */

static const char keys[] = "q quit  ? help  Enter callees  c callers  1-8 pages  s sort  / search";
static const char help[] =
	"dwell tui: keys\n"
	"\n"
	"1 to 8, Tab            the pages: functions, tree, callers, callees,\n"
	"                       durations, slowest calls, calls, health\n"
	"Enter                  what the function under the cursor calls; on the\n"
	"                       page of callers: who calls it; opens a path\n"
	"c, e                   callers of it, callees of it\n"
	"d, w                   durations of its calls; the slowest ones, with trees\n"
	"Backspace, Esc         back to the page before\n"
	"right, left, blank     open a path, close it; + and -\n"
	"*                      open all below\n"
	"t                      by CPU time, or by wall-clock time\n";

/* A page with its table. */
struct view {
	struct grid *grid;
	struct list list;
	char *head; /* a line about the page, or why the page is empty */
	bool is_filled, is_empty;
	uint32_t id; /* the function that the page is about; FUNCTION_NONE: all functions */
};

/* A page visited before, for Backspace. */
struct step {
	enum page page;
	uint32_t id;
};

struct browser {
	struct pages pages;
	struct frame frame;
	struct view views[PAGE_COUNT];
	enum page page;
	uint32_t id;    /* the chosen function; FUNCTION_NONE: none */
	struct step steps[STEPS_MAX]; /* pages visited before */
	size_t step_count;
	char *above, *health; /* above: two lines about the file; health: a line about losses */
	bool has_warnings; /* health is a warning */
	char *head; /* all lines above the table, for frame.head */
};

/* ---- the lines above the table ---- */

/* Takes the next line off the text, without the newline. The caller frees the line. */
static char *take_line(const char **text)
{
	size_t bytes = strcspn(*text, "\n");
	char *line = strndup(*text, bytes);

	*text += bytes + ((*text)[bytes] == '\n');
	return line;
}

/* Takes the head of the browser from the summary. Lines about losses are indented. Without losses the last line states that
 * the recording is complete. */
static void read_summary(struct browser *browser, const char *text)
{
	char *first = take_line(&text), *second = take_line(&text);
	unsigned remarks = 0;
	char *health = NULL;

	while (*text) {
		char *line = take_line(&text);

		if (line && !strncmp(line, "  ", 2) && !remarks++) {
			free(health);
			health = strdup(line + 2);
		} else if (line && *line && !remarks) {
			free(health);
			health = strdup(line);
		}
		free(line);
	}
	browser->has_warnings = remarks || *browser->pages.messages;
	if (!remarks && *browser->pages.messages) {
		const char *messages = browser->pages.messages;

		free(health);
		health = take_line(&messages);
		remarks++;
	}
	if (asprintf(&browser->above, "%s\n%s\n", first ? first : "", second ? second : "") < 0)
		browser->above = NULL;
	if (asprintf(&browser->health, "%s%s\n", health ? health : "", remarks > 1 ? "; more of that: 8" : "") < 0)
		browser->health = NULL;
	free(first);
	free(second);
	free(health);
}

static void make_summary(struct browser *browser)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return;
	summary_print(browser->pages.trace, out);
	fclose(out);
	read_summary(browser, text ? text : "");
	free(text);
}

static void put_head(struct browser *browser)
{
	const struct view *view = &browser->views[browser->page];
	bool is_low = terminal_rows() < FEW_LINES;
	char *head = NULL;

	if (asprintf(&head, "%s%s%s%s", is_low || !browser->above ? "" : browser->above, browser->health ? browser->health : "",
		    view->head ? view->head : "", view->head && *view->head ? "\n" : "") < 0)
		return;
	free(browser->head);
	browser->frame.head = browser->head = head;
	browser->frame.warn_line = browser->has_warnings ? is_low ? 1 : 3 : 0;
}

static void draw(struct browser *browser)
{
	put_head(browser);
	frame_draw(&browser->frame);
}

static void show_progress(void *context, const char *line)
{
	struct browser *browser = context;

	snprintf(browser->frame.message, sizeof browser->frame.message, "%s", line);
	draw(browser);
	terminal_update();
}

/* ---- pages ---- */

/* The first message of the diag, without "dwell: ". The caller frees the message. */
static char *make_reason(struct diag *diag)
{
	static const char who[] = "dwell: ";
	char *text = NULL, *reason;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	const char *from;

	if (!out)
		return NULL;
	diag_print(diag, out);
	fclose(out);
	from = text && !strncmp(text, who, strlen(who)) ? text + strlen(who) : text ? text : "";
	reason = take_line(&from);
	free(text);
	return reason;
}

/* Writes the current page to the view. If the page has no answer, the view's head is the reason. */
static void fill_view(struct browser *browser, struct view *view)
{
	struct functions *functions = model_get_functions(browser->pages.trace->model);
	const char *function = browser->id == FUNCTION_NONE ? NULL : functions_get_name(functions, browser->id);
	struct diag *diag = make_diag();
	char *head = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&head, &bytes);

	list_clear(&view->list);
	view->is_empty =
		!out || !view->grid || !page_write(&browser->pages, browser->page, function, browser->id, view->grid, out, diag);
	*browser->frame.message = 0; /* clears the progress */
	if (out)
		fclose(out);
	free(view->head);
	view->head = head;
	if (view->is_empty) {
		free(head);
		view->head = make_reason(diag);
	} else {
		if (head)
			head[strcspn(head, "\n")] = 0;
		list_set(&view->list, view->grid);
	}
	if (!view->is_empty && (view->grid->left_out || view->grid->is_short_of_memory))
		snprintf(browser->frame.message, sizeof browser->frame.message, "more rows than are kept: the last ones are not here");
	free_diag(diag);
	view->is_filled = true;
	view->id = browser->id;
}

/* Switches to a page, and fills the page if necessary. */
static void show(struct browser *browser, enum page page)
{
	struct view *view = &browser->views[page];

	browser->page = page;
	browser->frame.tab = (int)page;
	browser->frame.list = &view->list;
	if (!view->is_filled || (page_is_of_function(page) && view->id != browser->id)) {
		if (page == PAGE_SLOWEST || page == PAGE_CALLS) {
			list_clear(&view->list);
			show_progress(browser, "reading the file again");
		}
		fill_view(browser, view);
	}
}

/* Chooses the function under the cursor. False: no function. */
static bool choose_function(struct browser *browser)
{
	uint32_t function;

	if (!list_get_name(browser->frame.list, &function) || !function) {
		snprintf(browser->frame.message, sizeof browser->frame.message, "no function is under the cursor");
		return false;
	}
	/* Pages of single calls have a model with other ids, so the function is found by name. */
	if (browser->page != PAGE_SLOWEST && browser->page != PAGE_CALLS) {
		browser->id = function - 1;
		return true;
	}
	return pages_find_function(&browser->pages, list_get_name(browser->frame.list, &function), &browser->id);
}

/* Adds the current page to the steps; if there are too many steps, drops the oldest. */
static void push_step(struct browser *browser)
{
	if (browser->step_count == STEPS_MAX)
		memmove(browser->steps, browser->steps + 1, --browser->step_count * sizeof *browser->steps);
	browser->steps[browser->step_count++] = (struct step){browser->page, browser->id};
}

/* Shows a page about the function under the cursor. */
static void show_about_chosen(struct browser *browser, enum page page)
{
	const struct step here = {browser->page, browser->id};

	if (!choose_function(browser))
		return;
	push_step(browser);
	browser->steps[browser->step_count - 1] = here;
	show(browser, page);
}

/* Shows a page. If only the new page is about a single function, the function is the one under the cursor. */
static void go_to(struct browser *browser, enum page page)
{
	if (page == browser->page)
		return;
	if (page_is_of_function(page) && !page_is_of_function(browser->page) && browser->page != PAGE_HEALTH) {
		show_about_chosen(browser, page);
		return;
	}
	push_step(browser);
	show(browser, page);
}

static void go_back(struct browser *browser)
{
	struct step step;

	if (!browser->step_count)
		return;
	step = browser->steps[--browser->step_count];
	browser->id = step.id;
	show(browser, step.page);
}

/* Switches between CPU time and wall-clock time. If only one time is known, a message reports that. */
static void change_time(struct browser *browser)
{
	const struct profile *profile = model_get_profile(browser->pages.trace->model);
	bool was_cpu = by_is_cpu(browser->pages.by, profile);

	if (!was_cpu && !profile_knows_cpu(profile)) {
		snprintf(browser->frame.message, sizeof browser->frame.message, "only one time is known of this recording");
		return;
	}
	browser->pages.by = was_cpu ? BY_WALL : BY_CPU;
	for (int i = 0; i < PAGE_COUNT; i++)
		browser->views[i].is_filled = false;
	show(browser, browser->page);
	snprintf(browser->frame.message, sizeof browser->frame.message, "%s", was_cpu ? "by wall-clock time" : "by CPU time");
}

static void take_key(struct browser *browser, uint32_t key)
{
	switch (key) {
	case TERMINAL_TAB: go_to(browser, (enum page)((browser->page + 1) % PAGE_COUNT)); break;
	case TERMINAL_BACK_TAB: go_to(browser, (enum page)((browser->page + PAGE_COUNT - 1) % PAGE_COUNT)); break;
	case TERMINAL_ENTER: show_about_chosen(browser, browser->page == PAGE_CALLERS ? PAGE_CALLERS : PAGE_CALLEES); break;
	case 'c': show_about_chosen(browser, PAGE_CALLERS); break;
	case 'e': show_about_chosen(browser, PAGE_CALLEES); break;
	case 'd': show_about_chosen(browser, PAGE_DURATIONS); break;
	case 'w': show_about_chosen(browser, PAGE_SLOWEST); break;
	case 't': change_time(browser); break;
	case TERMINAL_BACK: case TERMINAL_ESCAPE: go_back(browser); break;
	default:
		if (key >= '1' && key < '1' + PAGE_COUNT)
			go_to(browser, (enum page)(key - '1'));
	}
}

void browser_run(const struct pages *pages)
{
	struct browser browser = {.pages = *pages, .id = FUNCTION_NONE};
	enum frame_answer answer = FRAME_DONE;
	const char *names[PAGE_COUNT];

	browser.frame = (struct frame){.keys = keys, .help = help, .tabs = names, .tab_count = PAGE_COUNT};
	for (int i = 0; i < PAGE_COUNT; i++) {
		names[i] = page_title((enum page)i);
		browser.views[i].grid = make_grid();
	}
	make_summary(&browser);
	progress_set_owner(show_progress, &browser);
	show(&browser, PAGE_FUNCTIONS);
	while (answer != FRAME_QUIT) {
		uint32_t key;

		draw(&browser);
		key = terminal_get_key(LOOP_FOREVER);
		answer = frame_take_key(&browser.frame, key);
		if (answer == FRAME_UNUSED_KEY)
			take_key(&browser, key);
	}
	progress_set_owner(NULL, NULL);
	for (int i = 0; i < PAGE_COUNT; i++) {
		list_clear(&browser.views[i].list);
		free_grid(browser.views[i].grid);
		free(browser.views[i].head);
	}
	free(browser.above);
	free(browser.health);
	free(browser.head);
}
