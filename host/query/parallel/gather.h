/* gather: what a page shows of single calls, of a trace that may have any number of them: all while there are few, then the longest; those
 * in chosen windows of time; the slowest of each function; and how dense they are where they are too many. Of samples, what a thread's have
 * in common (spans.h) is what calls are of a trace.
 *
 * One pass of one thread or of many: each part of a trace has a gathering of its own, and those of parts that are joined are kept
 * (parallel.h). All of it adds up, or is the same in whatever order it comes; so the result is that of one thread. */
#ifndef DWELL_HOST_QUERY_PARALLEL_GATHER_H
#define DWELL_HOST_QUERY_PARALLEL_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calls/density.h"
#include "analysis/calls/long_calls.h"
#include "analysis/calls/spans.h"
#include "model/model.h"
#include "reader/reader.h"

#define GATHER_SLOWEST 12u     /* calls of each function */
#define GATHER_WINDOWS_MAX 16u

struct gather_window {
	int64_t from_ns, to_ns; /* since the origin */
};

struct gather_slowest {
	struct long_call calls[GATHER_SLOWEST]; /* in no order */
	uint32_t count, shortest; /* index of */
};

/* Of a part, or of the whole. */
struct gathering {
	struct gather *owner;
	struct long_calls all, inside; /* inside: of windows */
	struct density density;
	struct gather_slowest *slowest; /* by function id */
	size_t function_count, function_capacity;
	uint32_t *touched; /* functions that have some */
	size_t touched_count, touched_capacity;
	bool has_failed;
};

struct gather {
	struct gather_window windows[GATHER_WINDOWS_MAX];
	size_t window_count;
	size_t single_max; /* calls that are kept of all; of windows as many again */
	struct spans *spans; /* null: calls come. Else they are told samples, by a model whose on_sample is theirs */
	const struct clock_map *clock; /* what their ticks are: set by gather_begin */
	struct gathering whole; /* what is kept */
	struct gathering own;   /* of what is modelled without parts */
	uint64_t floor_ticks, inside_floor_ticks; /* atomic: what is shorter need not be brought */
	uint32_t shift;         /* atomic: of the density */
};

/* single_max: more calls than that are not kept. */
void gather_init(struct gather *gather, size_t single_max);
/* Of samples: before the model is made, which has spans_take as on_sample and gather->spans as context. False: no memory. */
bool gather_samples(struct gather *gather);
void gather_clear(struct gather *gather);
/* Before calls come: again, too. reader: null, or where chunks are known. */
void gather_begin(struct gather *gather, const struct model *model, const struct reader *reader);

/* For on_call: its context is a gathering. */
call_fn gather_take;

/* Null when there is no memory. */
struct gathering *make_gathering(struct gather *gather);
void free_gathering(struct gathering *gathering);
/* Of a part that is joined: it is kept; of one that is not: it is forgotten. Empty then. */
void gather_keep(struct gather *gather, struct gathering *gathering);
void gather_drop(struct gathering *gathering);
/* Ids have changed, of what was kept so far. */
void gather_renumber(struct gather *gather, const uint32_t *map, size_t count);
/* All is kept. False: there was no memory, and some of it is missing. */
bool gather_end(struct gather *gather);

/* Of the windows' calls: is it in one? */
bool gather_is_inside(const struct gather *gather, uint64_t enter_ticks, uint64_t exit_ticks);

#endif
