/* slowest: the longest calls of a function, each with what it called.
 *
 * Two passes. The first is offered all calls and keeps the longest. The second is shown the calls of the chunks in which those ran, as
 * they begin and as they end, and adds what happens inside of each into a tree of paths of its own: so calls of one function by one
 * caller are one row, however many they are, and memory is bounded.
 *
 *     slowest = make_slowest(functions, pattern, 5);
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

/* Callers that are remembered of a call: the innermost ones. */
#define SLOWEST_CALLERS_MAX 16u

struct slowest_call {
	struct call call;
	uint64_t ranked_ticks; /* what it is ranked by: its total, or the part of it on the CPU */
	uint32_t callers[SLOWEST_CALLERS_MAX]; /* function ids, the innermost first */
	uint32_t caller_count;
	bool has_tree; /* it was seen to begin in the second pass */
	bool has_values;
	struct call_values values; /* if that pass was told them */
};

struct slowest;
/* Null when there is no memory. pattern is borrowed. count: of calls that are kept, at least 1. */
struct slowest *make_slowest(struct pattern *pattern, size_t count);
/* Before the first call: by time on the CPU instead. Those of which it is not known come last. */
void slowest_rank_by_cpu(struct slowest *slowest);
bool slowest_is_by_cpu(const struct slowest *slowest);
void free_slowest(struct slowest *slowest);

/* The first pass. */
void slowest_offer(struct slowest *slowest, const struct call *call);
uint64_t slowest_offered(const struct slowest *slowest); /* calls of the function */
uint64_t slowest_untimed(const struct slowest *slowest); /* beside those: it is not known how long they took */
/* Puts them in order, the longest first. False when there is no memory. */
bool slowest_settle(struct slowest *slowest);
size_t slowest_count(const struct slowest *slowest);
const struct slowest_call *slowest_get(const struct slowest *slowest, size_t rank);

/* For slowest_write.c (slowest_tree.h). */
struct slowest_tree;
const struct slowest_tree *slowest_get_tree(const struct slowest *slowest, size_t rank);

/* Calls in its tree that have no row, as there were more paths than are kept; their time is self time of their callers. */
uint64_t slowest_folded(const struct slowest *slowest, size_t rank);

/* The second pass: calls of one stream in order; model is the one that calls, for the callers. False when there is no memory. */
void slowest_enter(struct slowest *slowest, const struct call *call, const struct model *model);
void slowest_leave(struct slowest *slowest, const struct call *call);

/* Rows of the calls with ranks [first, first + count): the call, then what it called, the largest total first. */
struct slowest_form {
	const struct model *model; /* threads, functions, clock */
	uint64_t depth_limit;      /* levels below the call; UINT64_MAX: all */
	double percent_min;        /* of the call's total; what is below is summed up in a row */
	bool args;                 /* more columns: the values of the call itself, in its row */
};
/* False when there is no memory: the table ends early. */
bool slowest_write(const struct slowest *slowest, const struct slowest_form *form, size_t first, size_t count,
	const struct table_sink *sink);

#endif
