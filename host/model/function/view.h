/* view: finds the modules that contain an address of a process. For module.c. Modules may overlap, and come between searches. So
 * the spans of modules are kept in sorted runs, each more than twice as long as the next: n spans in any order cost n log² n
 * steps. */
#ifndef DWELL_HOST_MODEL_FUNCTION_VIEW_H
#define DWELL_HOST_MODEL_FUNCTION_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view_span {
	uint32_t process, module;
	uint64_t low, high; /* [low, high) */
	/* The largest high of this span and of the spans of its process before it in the run. If an address is reach or
	 * higher, none of these spans contains the address, and a search downwards may stop. */
	uint64_t reach;
};

#define VIEW_RUNS_MAX 64u

/* Zeroed: empty. */
struct view {
	struct view_span *list;
	size_t count, capacity;
	size_t sorted; /* number of spans in runs; the spans behind them are unsorted */
	size_t runs[VIEW_RUNS_MAX]; /* where each run begins */
	uint32_t run_count;
};

/* False: no memory. */
bool view_add(struct view *view, uint32_t process, size_t module, uint64_t low, uint64_t high);

/* A search for the spans that contain an address. Each call of view_next returns one: run by run, the last run first, in each run
 * downwards from the highest low. */
struct view_search {
	const struct view *view;
	uint64_t address;
	uint32_t process, run;
	uint32_t looked; /* number of spans looked at */
	size_t at;       /* the next span to look at is before this one */
};
struct view_search view_begin(struct view *view, uint32_t process, uint64_t address);
/* Null: no more. */
const struct view_span *view_next(struct view_search *search);
void view_clear(struct view *view);

#endif
