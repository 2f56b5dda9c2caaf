/* profile: the result of a model: calls and times by function and by path, and a row for each thread. Crosses the border
 * model → analysis.
 *
 * Merging is associative. A profile may be read while it grows (model_settle); the paths of a thread's calls come when its stack
 * is next empty. Times are in ticks (clock.h converts them to nanoseconds), either as recorded or net, without the
 * cost of recording. Weights without a time (folded stacks, samples) use the same fields, in the source's unit.
 * Samples give estimates; struct estimates has the errors.
 *
 * The following sums agree, and tests check this: Σ functions.self = Σ nodes.self = Σ threads.self_ticks = total; likewise for
 * self_off. With samples, threads have sampled in place of self_ticks; sums of other tools may have no threads. While calls are
 * open, self_off already contains time that self gets only at the calls' ends. */
#ifndef DWELL_HOST_MODEL_PROFILE_PROFILE_H
#define DWELL_HOST_MODEL_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "model/profile/by_thread.h"
#include "model/profile/estimate.h"
#include "model/profile/histogram.h"
#include "model/profile/off_cpu_ticks.h"
#include "model/profile/thread_trees.h"
#include "model/profile/tree.h"

/* Durations below this are counted in short_calls first, one counter for each number of ticks. */
#define PROFILE_SHORT_TICKS 192u

/* The figures of one function, over all its calls. The fields changed by every call come first, and the size is a
 * multiple of a cache line, so these fields share a line. */
#define PROFILE_LINE_BYTES 64u
struct profile_function {
	/* [n]: complete calls of n ticks that durations, min, max and sum do not have yet; see profile_settle. Null: no such
	 * calls. */
	uint32_t *short_calls;
	/* Durations of complete calls (entered, and left by an exit or an unwind). Of incomplete calls if no
	 * call is complete; their true durations are longer. */
	struct histogram durations; /* count 0: no duration is known (weights) */
	uint64_t min, max, sum;     /* of durations; average: sum ÷ durations.count. As recorded, even in a net profile */
	bool complete;              /* durations are of complete calls */
	uint64_t calls;      /* finished calls, however they ended */
	uint64_t open_calls; /* part of calls: still running at the end of the data, and counted up to there */
	uint64_t untimed_calls; /* part of calls: without a recorded exit, so no time is known */
	uint64_t cut_calls; /* part of calls: events were lost during the call, so times are lower bounds */
	uint64_t cut_ticks; /* time in cut calls, and in their pieces after the loss: part of total, but nested calls count each */
	uint64_t total;      /* of the function with its callees; calls nested in another call of the function do not count twice */
	uint64_t self;
	struct off_cpu_ticks self_off, total_off; /* parts of self and total; the rest is on the CPU */
	/* In a net profile: cost of recording subtracted from self and total, and the error of self and total because of it. */
	uint64_t self_recording, total_recording;
	uint64_t self_error, total_error;
	/* Upper bounds of time without recording (--throttle): the function's own unrecorded time, now in the callers' times;
	 * and the time of throttled callees in the function's self. */
	uint64_t self_missing, self_held;
	uint64_t unused[1]; /* up to the end of the line */
};

/* One thread. The accounting equation: self + recording + held + lost + outside = last − first. */
struct profile_thread {
	uint32_t stream, process, tid;
	char name[64]; /* as much as fits */
	uint64_t events, calls, open_calls;
	uint64_t first_ticks, last_ticks;
	bool is_sums; /* the times were added up elsewhere: first and last are no moments, but their difference is right */
	uint64_t self_ticks, recording_ticks, lost_ticks, outside_ticks;
	uint64_t held_ticks; /* cost of recording, too, besides recording_ticks: time in which the recorder
	                        made the thread wait, as recorded */
	uint64_t lost_events, unmatched_exits, unwound_calls, no_entry_calls, gap_calls, beyond_calls, backward_events;
	uint64_t lost_unwinds; /* unwinds without a known landing */
	uint32_t deepest;
	bool ended, wrapped, full, given_up; /* as in struct message_thread */
	uint64_t recorder_lost_events; /* the recorder's count, with losses after the last event */
	bool balanced; /* the equation holds */
	struct off_cpu_ticks off; /* from first to last; the sum of the next three */
	struct off_cpu_ticks off_self, off_lost, off_outside;
	uint64_t samples, sampled; /* number and weight of the thread's samples */
	uint64_t switches; /* intervals off the CPU, if an event of the thread follows */
	bool off_cpu_balanced; /* off is the sum of the three, and no part exceeds the time that contains it */
	bool off_cpu_is_unknown;   /* the thread's beginning has no intervals, so all its time counts as unknown */
};

/* The pages of rows that the profile of a part (model/part.h) has used. A part uses few of many functions, so joining and emptying
 * need not look at all rows. */
#define PROFILE_PAGE 64u
struct profile_pages {
	bool are_kept; /* false: the profile does not note pages */
	uint32_t *list; /* pages of PROFILE_PAGE rows, in no order */
	size_t count, capacity;
	bool *has; /* by page: list contains it */
	size_t has_count, has_capacity;
};

struct profile {
	struct profile_function *functions; /* by function id */
	size_t function_count, function_capacity;
	struct profile_pages pages; /* of the rows that profile_get_function returned */
	uint64_t unsettled_calls; /* upper bound of the calls in short_calls, whose counters have 32 bits */
	struct tree tree; /* tree.nodes[TREE_ROOT] is above all outermost calls */
	bool has_pairs;   /* the tree has pairs of functions, not paths: tree_pairs.h */
	struct tree_room own_room; /* for a profile made without a room */
	struct thread_trees thread_trees; /* with model_options.thread_trees: the tree's parts, by
	                                     thread. Not merged by profile_merge */
	struct by_thread by_thread; /* not merged by profile_merge either */
	struct profile_thread *threads; /* complete when the model is finished */
	size_t thread_count, thread_capacity;
	bool has_times;  /* the figures are ticks; false: weights */
	bool counts_calls; /* besides samples, the numbers of calls are known */
	bool is_untimed; /* the calls have no known durations */
	bool has_off_cpu;    /* the recording has times off the CPU … */
	bool has_faults;     /* the recording has page faults: self_off.faults, total_off.faults */
	bool off_cpu_is_partial; /* … but not for all threads: every function's off-CPU time is incomplete */
	bool cut_functions_unknown; /* lost events cut calls, and the sums do not show which functions' calls */
	char unit[32];   /* of weights: "ns", "samples" */
	bool has_samples;
	uint64_t full_counts; /* with samples: number of counters of a machine that were full */
	struct estimates estimates; /* of self, with samples */
	uint64_t total;  /* sum of self over everything: 100 % */
	bool is_net;       /* cost.h has subtracted the cost of recording from all times … */
	uint64_t recording; /* … and this is its sum */
};

/* room: for the trees; borrowed; null: the profile has its own. Null: no memory. */
struct profile *make_profile(struct tree_room *room);
void free_profile(struct profile *profile);

/* Adds all of from. Both profiles use the same function ids. False: no memory: a part is then missing. */
bool profile_merge(struct profile *into, const struct profile *from);

/* Moves the functions' figures, without tree and threads; take_from is then empty, and keeps its memory.
 * pre, for both functions: take_from->pages are kept. */
bool profile_move_functions(struct profile *into, struct profile *take_from);
void profile_empty_functions(struct profile *profile);
/* Function ids have changed: map[old] is the new id, FUNCTION_NONE: no such function any more. False: no memory. */
bool profile_renumber(struct profile *profile, const uint32_t *map, size_t count);

/* Whether a thread has any time for which on or off the CPU is unknown. pre: the model is finished. */
bool profile_off_cpu_is_unsure(const struct profile *profile);
/* Whether 99 % of all time is known to be on or off the CPU: enough to sort tables by time on the CPU. */
bool profile_knows_cpu(const struct profile *profile);

/* time − off, but not below 0: the part of a time on the CPU. While calls are open, off may exceed time. For displayed figures
 * subtract displayed figures, so that they add up. */
static inline uint64_t profile_rest(uint64_t time, uint64_t off)
{
	return off < time ? time - off : 0;
}

/* Whether no call of the function has a known duration. */
static inline bool profile_is_untimed(const struct profile *profile, uint32_t id)
{
	const struct profile_function *function = id < profile->function_count ? &profile->functions[id] : 0;

	return function && function->untimed_calls && function->untimed_calls == function->calls;
}

/* The number of functions for which profile_is_untimed is true. */
uint64_t profile_count_untimed(const struct profile *profile);
/* The function's calls in the file. */
static inline uint64_t profile_count_calls(const struct profile *profile, uint32_t function)
{
	return function < profile->function_count ? profile->functions[function].calls : 0;
}

/* The row of a function; null: no memory. Valid until another function gets a row. */
struct profile_function *profile_get_function(struct profile *profile, uint32_t id);

/* Adds the durations of from: only complete calls, if either function has any. False: no memory. */
bool profile_merge_durations(struct profile_function *into, const struct profile_function *from);

/* The fast path of profile_add_duration for a complete call: works if the function has counters for
 * about this duration. False: the call is not counted. */
static inline bool profile_add_duration_fast(struct profile_function *function, uint64_t ticks)
{
	if (ticks < PROFILE_SHORT_TICKS) {
		if (__builtin_expect(!function->short_calls, 0))
			return false;
		function->short_calls[ticks]++;
		return true;
	}
	if (__builtin_expect(!function->complete, 0) || __builtin_expect(!histogram_add_fast(&function->durations, ticks), 0))
		return false;
	if (ticks < function->min)
		function->min = ticks;
	if (ticks > function->max)
		function->max = ticks;
	function->sum += ticks;
	return true;
}

/* Counts the calls of short_calls in the other fields of each row. Call before reading
 * durations. False: no memory. */
bool profile_settle(struct profile *profile);
/* The same for the pages in use. pre: pages are kept. */
bool profile_settle_pages(struct profile *profile);
/* Calls profile_settle before short_calls could overflow. calls: number of calls since the last time. */
static inline bool profile_settle_in_time(struct profile *profile, uint64_t calls)
{
	profile->unsettled_calls += calls;
	return __builtin_expect(profile->unsettled_calls < UINT32_MAX / 2, 1) || profile_settle(profile);
}

/* Counts a duration in the row. False: no memory for the histogram. */
bool profile_add_duration(struct profile_function *function, uint64_t ticks, bool complete);
/* Frees the memory of a row outside of a profile. */
void profile_clear_function(struct profile_function *function);

#endif
