/* view: which modules hold an address of a process. They may overlap, and they come while others are looked for: what came is sorted into
 * runs, each more than twice as long as the next, so that n of them cost n log² n, whatever their order. */
#ifndef DWELL_HOST_MODEL_VIEW_H
#define DWELL_HOST_MODEL_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view_span {
	uint32_t process, module;
	uint64_t low, high; /* [low, high) */
	uint64_t reach; /* the largest high of its process up to here in its run: where a search downwards may stop */
};

#define VIEW_RUNS_MAX 64u

/* Zeroed: empty. */
struct view {
	struct view_span *list;
	size_t count, capacity;
	size_t sorted; /* so many are in runs, the rest is not yet */
	size_t runs[VIEW_RUNS_MAX]; /* where they begin */
	uint32_t run_count;
};

/* False: no memory. */
bool view_add(struct view *view, uint32_t process, size_t module, uint64_t low, uint64_t high);

/* A search: of each run, the last one first, those that hold the address, from the one that begins last downwards. */
struct view_search {
	const struct view *view;
	uint64_t address;
	uint32_t process, run;
	uint32_t looked;
	size_t at;       /* the next one to look at is before it */
};
struct view_search view_begin(struct view *view, uint32_t process, uint64_t address);
/* Null: no more. */
const struct view_span *view_next(struct view_search *search);
void view_clear(struct view *view);

#endif
