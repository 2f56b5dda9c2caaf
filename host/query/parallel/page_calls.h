/* page_calls: the single calls of a trace for a page, however many there are: all calls while there are few, then only the longest;
 * the slowest calls of each function; the density of calls in time where there are too many; and times off the CPU. For samples,
 * spans (spans.h) take the place of calls.
 *
 * One pass of one thread or of many. Each part of a trace has a page_part of its own, kept when the part is joined (parallel.h).
 * All results are sums or independent of order, so they equal the results of a single thread. */
#ifndef DWELL_HOST_QUERY_PARALLEL_PAGE_CALLS_H
#define DWELL_HOST_QUERY_PARALLEL_PAGE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calls/density.h"
#include "analysis/calls/long_calls.h"
#include "analysis/calls/off_cpu_times.h"
#include "analysis/calls/spans.h"
#include "model/model.h"
#include "reader/reader.h"

#define PAGE_CALLS_SLOWEST 12u     /* calls kept for each function */

struct page_calls_slowest {
	struct long_call calls[PAGE_CALLS_SLOWEST]; /* unsorted */
	uint32_t count, shortest; /* number of calls; index of the shortest call */
};

/* The calls of a part of the trace, or of the whole trace. */
struct page_part {
	struct page_calls *owner;
	struct long_calls all;
	struct density density;
	struct off_cpu_times off_cpu_times;
	struct page_calls_slowest *slowest; /* index: function id */
	size_t function_count, function_capacity;
	uint32_t *touched; /* ids of the functions with calls in slowest */
	size_t touched_count, touched_capacity;
	bool has_failed;
};

struct page_calls {
	size_t single_max; /* the number of longest calls to keep */
	struct spans *spans; /* null: calls come from the model. Not null: calls are spans, made of samples */
	const struct clock_map *clock; /* the clock of all ticks; set by page_calls_begin */
	struct page_part whole; /* everything kept */
	struct page_part own;   /* the calls of a model without parts */
	uint64_t floor_ticks; /* atomic: shorter calls are not needed */
	uint32_t shift;       /* atomic: the density's slices are 1 << shift ticks long */
};

/* single_max: the number of longest calls to keep. */
void page_calls_init(struct page_calls *page_calls, size_t single_max);
/* For samples: makes page_calls->spans. Call the function before making the model; the model's option on_sample must be
 * spans_take, with page_calls->spans as context. False: memory ran out. */
bool page_calls_samples(struct page_calls *page_calls);
void page_calls_clear(struct page_calls *page_calls);
/* Empties everything, before the first call or a new pass. reader: has surveyed the chunks; null: the length of the trace is not
 * known in advance. */
void page_calls_begin(struct page_calls *page_calls, const struct model *model, const struct reader *reader);

/* For the options on_call and on_off_cpu. Their context is a struct page_part. */
call_fn page_calls_take;
off_cpu_fn page_calls_take_off;

/* Null: memory ran out. */
struct page_part *make_page_part(struct page_calls *page_calls);
void free_page_part(struct page_part *page_part);
/* keep: merges a part that was joined; drop: discards the calls of a part that was not. Both leave the page_part empty. */
void page_calls_keep(struct page_calls *page_calls, struct page_part *page_part);
void page_calls_drop(struct page_part *page_part);
/* Function ids have changed: map[old] is the new id. Applies to everything kept so far. */
void page_calls_renumber(struct page_calls *page_calls, const uint32_t *map, size_t count);
/* No more calls follow. False: memory ran out, and something is missing. */
bool page_calls_end(struct page_calls *page_calls);

#endif
