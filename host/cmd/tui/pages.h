/* pages: the tables of dwell tui, mostly answers to questions about a function. */
#ifndef DWELL_HOST_CMD_TUI_PAGES_H
#define DWELL_HOST_CMD_TUI_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/by.h"
#include "query/trace.h"
#include "tui/grid.h"

enum page {
	PAGE_FUNCTIONS,
	PAGE_TREE,
	PAGE_CALLERS,
	PAGE_CALLEES,
	PAGE_DURATIONS,
	PAGE_SLOWEST,
	PAGE_CALLS,
	PAGE_HEALTH,
	PAGE_COUNT
};

/* The title of a page. */
const char *page_title(enum page page);
/* Whether a page is about a single function. */
bool page_is_of_function(enum page page);

struct pages {
	struct trace *trace; /* with its profile, including tree and durations */
	const char *path, *thread; /* thread null: all threads */
	enum by by;
	const char *messages; /* lines: the messages from reading the file */
};

/* Finds a function's id in the model by the name in reports. False: not found. */
bool pages_find_function(const struct pages *pages, const char *name, uint32_t *id);

/* Writes a page to the grid, and a line about it, possibly empty, to head. function: name of the function as reports show
 * it; id: its id in the model. False with a diag: there is nothing to show. The pages of the slowest calls and of single
 * calls read the file again. */
bool page_write(const struct pages *pages, enum page page, const char *function, uint32_t id, struct grid *grid, FILE *head,
	struct diag *diag);

#endif
