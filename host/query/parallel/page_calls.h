/* page_calls: what a page shows of single calls, of a trace that may have any number of them: all while there are few, then the
 * longest; the slowest of each function; how dense they are where they are too many; and when threads were
 * off the CPU. Of samples, what a thread's have in common (spans.h) is what calls are of a trace.
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
#include "analysis/calls/off_times.h"
#include "analysis/calls/spans.h"
#include "model/model.h"
#include "reader/reader.h"

#define PAGE_CALLS_SLOWEST 12u     /* calls of each function */

struct page_calls_slowest {
	struct long_call calls[PAGE_CALLS_SLOWEST]; /* in no order */
	uint32_t count, shortest; /* index of */
};

/* Of a part, or of the whole. */
struct page_part {
	struct page_calls *owner;
	struct long_calls all;
	struct density density;
	struct off_times off_times;
	struct page_calls_slowest *slowest; /* by function id */
	size_t function_count, function_capacity;
	uint32_t *touched; /* functions that have some */
	size_t touched_count, touched_capacity;
	bool has_failed;
};

struct page_calls {
	size_t single_max; /* calls that are kept of all */
	struct spans *spans; /* null: calls come. Else they are told samples, by a model whose on_sample is theirs */
	const struct clock_map *clock; /* what their ticks are: set by page_calls_begin */
	struct page_part whole; /* what is kept */
	struct page_part own;   /* of what is modelled without parts */
	uint64_t floor_ticks; /* atomic: what is shorter need not be brought */
	uint32_t shift;         /* atomic: of the density */
};

/* single_max: more calls than that are not kept. */
void page_calls_init(struct page_calls *page_calls, size_t single_max);
/* Of samples: before the model is made, which has spans_take as on_sample and page_calls->spans as context. False: no memory. */
bool page_calls_samples(struct page_calls *page_calls);
void page_calls_clear(struct page_calls *page_calls);
/* Before calls come: again, too. reader: null, or where chunks are known. */
void page_calls_begin(struct page_calls *page_calls, const struct model *model, const struct reader *reader);

/* For on_call and on_off: their context is a struct page_part. */
call_fn page_calls_take;
off_fn page_calls_take_off;

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

#endif
