/* page_calls: what a page shows of single calls, of a trace that may have any number of them: all while there are few, then the
 * longest; those in chosen windows of time; the slowest of each function; and how dense they are where they are too many. Of samples,
 * what a thread's have in common (spans.h) is what calls are of a trace.
 *
 * One pass of one thread or of many: each part of a trace has a page_part of its own, and those of parts that are joined are kept
 * (parallel.h). All of it adds up, or is the same in whatever order it comes; so the result is that of one thread. */
#ifndef DWELL_HOST_QUERY_PARALLEL_PAGE_CALLS_H
#define DWELL_HOST_QUERY_PARALLEL_PAGE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calls/density.h"
#include "analysis/calls/long_calls.h"
#include "analysis/calls/spans.h"
#include "model/model.h"
#include "reader/reader.h"

#define PAGE_CALLS_SLOWEST 12u     /* calls of each function */
#define PAGE_CALLS_WINDOWS_MAX 16u

struct page_calls_window {
	int64_t from_ns, to_ns; /* since the origin */
};

struct page_calls_slowest {
	struct long_call calls[PAGE_CALLS_SLOWEST]; /* in no order */
	uint32_t count, shortest; /* index of */
};

/* Of a part, or of the whole. */
struct page_part {
	struct page_calls *owner;
	struct long_calls all, inside; /* inside: of windows */
	struct density density;
	struct page_calls_slowest *slowest; /* by function id */
	size_t function_count, function_capacity;
	uint32_t *touched; /* functions that have some */
	size_t touched_count, touched_capacity;
	bool has_failed;
};

struct page_calls {
	struct page_calls_window windows[PAGE_CALLS_WINDOWS_MAX];
	size_t window_count;
	size_t single_max; /* calls that are kept of all; of windows as many again */
	struct spans *spans; /* null: calls come. Else they are told samples, by a model whose on_sample is theirs */
	const struct clock_map *clock; /* what their ticks are: set by page_calls_begin */
	struct page_part whole; /* what is kept */
	struct page_part own;   /* of what is modelled without parts */
	uint64_t floor_ticks, inside_floor_ticks; /* atomic: what is shorter need not be brought */
	uint32_t shift;         /* atomic: of the density */
};

/* single_max: more calls than that are not kept. */
void page_calls_init(struct page_calls *page_calls, size_t single_max);
/* Of samples: before the model is made, which has spans_take as on_sample and page_calls->spans as context. False: no memory. */
bool page_calls_samples(struct page_calls *page_calls);
void page_calls_clear(struct page_calls *page_calls);
/* Before calls come: again, too. reader: null, or where chunks are known. */
void page_calls_begin(struct page_calls *page_calls, const struct model *model, const struct reader *reader);

/* For on_call: its context is a struct page_part. */
call_fn page_calls_take;

/* Null when there is no memory. */
struct page_part *make_page_part(struct page_calls *page_calls);
void free_page_part(struct page_part *page_part);
/* Of a part that is joined: it is kept; of one that is not: it is forgotten. Empty then. */
void page_calls_keep(struct page_calls *page_calls, struct page_part *page_part);
void page_calls_drop(struct page_part *page_part);
/* Ids have changed, of what was kept so far. */
void page_calls_renumber(struct page_calls *page_calls, const uint32_t *map, size_t count);
/* All is kept. False: there was no memory, and some of it is missing. */
bool page_calls_end(struct page_calls *page_calls);

/* Of the windows' calls: is it in one? */
bool page_calls_is_inside(const struct page_calls *page_calls, uint64_t enter_ticks, uint64_t exit_ticks);

#endif
