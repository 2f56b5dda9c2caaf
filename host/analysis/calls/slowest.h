/* slowest: the longest calls of a function, each with its callees, as the table of `dwell slowest`.
 *
 * There are two passes. The first receives all calls and keeps the longest. The second receives the entries and exits in the chunks
 * in which the kept calls ran, and adds up each kept call's callees in a tree of paths. So all calls of a function from the same
 * caller are a single row, and memory is bounded.
 *
 *     slowest = make_slowest(pattern, 5);
 *     slowest_offer(slowest, &call) for each call that finished;
 *     slowest_settle(slowest);
 *     slowest_enter(…), slowest_leave(…) for the calls of the second pass;
 *     slowest_write(…) */
#ifndef DWELL_HOST_ANALYSIS_CALLS_SLOWEST_H
#define DWELL_HOST_ANALYSIS_CALLS_SLOWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/clock.h"
#include "model/function/pattern.h"
#include "model/model.h"

/* The number of callers that are kept for a call, the innermost first. */
#define SLOWEST_CALLERS_MAX 16u

struct slowest_call {
	struct call call;
	uint64_t ranked_ticks; /* the time for ranking: the total, or its part on the CPU */
	uint32_t callers[SLOWEST_CALLERS_MAX]; /* function ids, the innermost first */
	uint32_t caller_count;
	bool has_tree; /* the second pass has met its entry */
	bool has_values;
	struct call_values values; /* valid if has_values: the second pass delivered values */
};

struct slowest;
/* Null: memory ran out. pattern is borrowed. count: number of calls to keep, at least 1. */
struct slowest *make_slowest(struct pattern *pattern, size_t count);
/* Ranks calls by CPU time in place of wall-clock time. Call it before the first call is offered. Calls with unknown CPU time come
 * last. */
void slowest_rank_by_cpu(struct slowest *slowest);
bool slowest_is_by_cpu(const struct slowest *slowest);
void free_slowest(struct slowest *slowest);

/* The first pass. */
void slowest_offer(struct slowest *slowest, const struct call *call);
uint64_t slowest_offered(const struct slowest *slowest); /* calls of the function */
uint64_t slowest_untimed(const struct slowest *slowest); /* in addition: calls with unknown durations */
/* Ends the first pass: sorts the calls, the longest first, and prepares the second pass. False: memory ran out. */
bool slowest_settle(struct slowest *slowest);
size_t slowest_count(const struct slowest *slowest);
const struct slowest_call *slowest_get(const struct slowest *slowest, size_t rank);

/* For slowest_write.c (see slowest_tree.h). */
struct slowest_tree;
const struct slowest_tree *slowest_get_tree(const struct slowest *slowest, size_t rank);

/* Calls in the tree without a row, because there were too many paths. Their time counts as self time of their callers. */
uint64_t slowest_folded(const struct slowest *slowest, size_t rank);

/* The second pass: the calls' entries and exits, in order within a stream. model: the model that passes them on; shows the
 * callers. */
void slowest_enter(struct slowest *slowest, const struct call *call, const struct model *model);
void slowest_leave(struct slowest *slowest, const struct call *call);

/* The form of the table of slowest_write. */
struct slowest_form {
	const struct model *model; /* for threads, functions and clock */
	uint64_t depth_limit;      /* levels below the call; UINT64_MAX: all */
	double percent_min;        /* of the call's total; smaller callees are summed up in one row */
	bool args;                 /* more columns: the values of the call itself, in its row */
};
/* Writes rows for the calls with ranks [first, first + count): the call, then its callees, the largest total first. False: memory
 * ran out, and the table ends early. */
bool slowest_write(const struct slowest *slowest, const struct slowest_form *form, size_t first, size_t count,
	const struct table_sink *sink);

#endif
