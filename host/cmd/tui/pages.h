/* pages: the tables that dwell tui shows of a file, each the answer to a question; most are of one function. */
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

/* What they are called. */
extern const char *const page_names[PAGE_COUNT];
/* Whether a page is of a function. */
bool page_is_of_function(enum page page);

struct pages {
	struct trace *trace; /* with its profile: tree, durations and all */
	const char *path, *thread;
	enum by by;
	const char *messages; /* lines: what was found out about the file when it was read */
};

/* The number of a function in the model, by its name as reports show it. False: none is meant. */
bool pages_find_function(const struct pages *pages, const char *name, uint32_t *id);

/* Writes a page to the grid, and a line about it to head: none, or of what its function is. function: its name as reports show it, id: its
 * number in the model. False and a diag: there is nothing to show. The slowest, and the calls, are read from the file again. */
bool page_write(const struct pages *pages, enum page page, const char *function, uint32_t id, struct grid *grid, FILE *head,
	struct diag *diag);

#endif
