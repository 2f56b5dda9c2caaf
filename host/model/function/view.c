/* view: spans of mapped modules in sorted runs, and the search in them. */
#include "model/function/view.h"

#include <stdlib.h>

#include "util/array.h"

/* The most spans that a search looks at: only a hostile map has more at one address. */
#define SEARCH_MAX 1024u

bool view_add(struct view *view, uint32_t process, size_t module, uint64_t low, uint64_t high)
{
	if (!array_reserve(&view->list, &view->capacity, view->count + 1, sizeof *view->list))
		return false;
	view->list[view->count++] = (struct view_span){.process = process, .module = (uint32_t)module, .low = low, .high = high};
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct view_span *left = a, *right = b;

	if (left->process != right->process)
		return left->process < right->process ? -1 : 1;
	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return left->module < right->module ? -1 : left->module > right->module;
}

/* Sorts the new spans into a run, together with earlier runs that are at most twice as long. */
static void sort_new_spans(struct view *view)
{
	size_t begin = view->sorted;

	if (begin == view->count)
		return;
	while (view->run_count && begin - view->runs[view->run_count - 1] <= 2 * (view->count - begin))
		begin = view->runs[--view->run_count];
	qsort(view->list + begin, view->count - begin, sizeof *view->list, by_address);
	for (size_t i = begin; i < view->count; i++) {
		struct view_span *span = &view->list[i];

		span->reach = span->high;
		if (i > begin && span[-1].process == span->process && span[-1].reach > span->reach)
			span->reach = span[-1].reach;
	}
	view->runs[view->run_count++] = begin;
	view->sorted = view->count;
}

/* Positions the search: list[at - 1] begins at or below the address, list[at] does not. */
static void enter_run(struct view_search *search)
{
	const struct view *view = search->view;
	size_t low = view->runs[search->run], high = search->run + 1 < view->run_count ? view->runs[search->run + 1] : view->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct view_span *span = &view->list[middle];

		if (span->process < search->process || (span->process == search->process && span->low <= search->address))
			low = middle + 1;
		else
			high = middle;
	}
	search->at = low;
}

struct view_search view_begin(struct view *view, uint32_t process, uint64_t address)
{
	struct view_search search = {.view = view, .address = address, .process = process};

	sort_new_spans(view);
	search.run = view->run_count;
	if (search.run) {
		search.run--;
		enter_run(&search);
	}
	return search;
}

const struct view_span *view_next(struct view_search *search)
{
	const struct view *view = search->view;

	if (!view->run_count)
		return NULL;
	while (search->looked < SEARCH_MAX) {
		const struct view_span *span = search->at > view->runs[search->run] ? &view->list[search->at - 1] : NULL;

		if (span && span->process == search->process && span->reach > search->address) {
			search->looked++;
			search->at--;
			if (span->high > search->address)
				return span;
		} else if (search->run) {
			search->run--;
			enter_run(search);
		} else {
			break;
		}
	}
	return NULL;
}

void view_clear(struct view *view)
{
	free(view->list);
	*view = (struct view){0};
}
