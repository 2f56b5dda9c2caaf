/* profile: the tree of functions with what was spent where. Crosses the border model → analysis.
 *
 * Merging is associative; a profile may be read while it grows (what a thread is doing now is added when its stack is next empty).
 * Times are in ticks; clock.h turns them into nanoseconds. They are as recorded, or net: without what recording cost. Weights without a
 * time (folded stacks, samples) use the same fields, with the unit that the source says. What samples tell is an estimate, and estimates
 * says how good it is.
 *
 * What adds up, and is tested: Σ functions.self = Σ nodes.self = Σ threads.self_ticks = total; and likewise for self_off. While calls are
 * open, self_off has what self will get when they end. */
#ifndef DWELL_HOST_MODEL_PROFILE_PROFILE_H
#define DWELL_HOST_MODEL_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "model/profile/by_thread.h"
#include "model/profile/estimate.h"
#include "model/profile/histogram.h"
#include "model/profile/thread_trees.h"
#include "model/profile/tree.h"

/* Time off the CPU, in ticks. */
struct profile_off {
	uint64_t ticks;           /* known to be off … */
	uint64_t preempted_ticks; /* … of that: able to run, another thread was let first */
	uint64_t unknown_ticks;   /* not known whether on or off */
	uint64_t held_ticks;      /* of a call's total as its events say it: the recorder held the thread up. Taken out of all totals */
};

/* Of a time, what is not known to be on the CPU. */
static inline uint64_t profile_off_cpu(const struct profile_off *off)
{
	return off->ticks + off->unknown_ticks;
}

/* A call that took less than so many ticks is counted in short_calls first. */
#define PROFILE_SHORT_TICKS 192u

/* One function, over all its calls. What each call changes comes first, and the size is a multiple of a cache line's: so that is in one. */
#define PROFILE_LINE_BYTES 64u
struct profile_function {
	/* How many complete calls took so many ticks that are not in what follows yet, up to calls: see profile_settle. Null: none. */
	uint32_t *short_calls;
	/* Of the complete calls (entered, and left by an exit or by an unwind); where there are none, of the others: they lasted
	 * longer. */
	struct histogram durations; /* count 0: no duration is known (weights) */
	uint64_t min, max, sum;     /* of durations; average: sum ÷ durations.count. As recorded, also where the profile is net */
	bool complete;
	uint64_t calls;      /* finished, in whatever way */
	uint64_t open_calls; /* of those: still running where the data ends; counted up to there */
	uint64_t untimed_calls; /* of those: their exits are not recorded, and they took nothing that is known */
	uint64_t cut_calls; /* of those: events were lost while they ran, and with them how they went on: what they took is a lower bound */
	uint64_t cut_ticks; /* in such calls, and where they show again behind that: of total, but nested ones count each */
	uint64_t total;      /* in it and its callees; nested calls of itself are not counted twice */
	uint64_t self;
	struct profile_off self_off, total_off; /* of self, and of total: on the CPU is what is left */
	/* Where the profile is net: what recording cost was taken out of self and of total, and how far these may be off by that. */
	uint64_t self_recording, total_recording;
	uint64_t self_error, total_error;
	uint64_t unused[5]; /* up to the end of the line */
};

/* One thread, for the accounting equation: self + recording + held + lost + outside = last − first. */
struct profile_thread {
	uint32_t stream, process, tid;
	char name[64]; /* as much of it as fits */
	uint64_t events, calls, open_calls;
	uint64_t first_ticks, last_ticks;
	bool is_sums; /* somebody else added its times up: these two are no moments, but how far they are apart holds */
	uint64_t self_ticks, recording_ticks, lost_ticks, outside_ticks;
	uint64_t held_ticks; /* recording, too, beside recording_ticks: the recorder held the thread up, as the trace says */
	uint64_t lost_events, unmatched_exits, unwound_calls, no_entry_calls, gap_calls, beyond_calls, backward_events;
	uint64_t lost_unwinds; /* after which it is not known where the thread went on */
	uint32_t deepest;
	bool ended, wrapped, full, given_up;
	uint64_t told_lost_events; /* by the recorder's own count: also those behind the last thing that was recorded */
	bool balanced; /* the equation holds */
	struct profile_off off; /* from first to last; the sum of what lies in … */
	struct profile_off off_self, off_lost, off_outside;
	uint64_t samples, sampled; /* how many were taken of it, and what they weigh */
	uint64_t switches; /* intervals off the CPU, as far as events of the thread follow */
	bool off_balanced; /* that is the sum, and no part is more than the time that it is a part of */
	bool off_untold;   /* nothing was told of its beginning, so that all of it counts as unknown */
};

/* Which of its rows a profile has come by: of the many parts of a trace each is of few functions. */
#define PROFILE_PAGE 64u
struct profile_pages {
	bool are_kept;
	uint32_t *list; /* of PROFILE_PAGE rows each; in no order */
	size_t count, capacity;
	bool *has; /* by page: it is in the list */
	size_t has_count, has_capacity;
};

struct profile {
	struct profile_function *functions; /* indexed by function id */
	size_t function_count, function_capacity;
	struct profile_pages pages; /* of those that profile_get_function was asked for */
	uint64_t unsettled_calls; /* at most as many are in short_calls, which have 32 bits */
	struct tree tree; /* tree.nodes[TREE_ROOT] is above all outermost calls */
	struct thread_trees thread_trees; /* where they were asked for: its parts, by thread. Not merged by profile_merge */
	struct by_thread by_thread; /* not merged by profile_merge either */
	struct profile_thread *threads; /* complete when the model is finished */
	size_t thread_count, thread_capacity;
	bool has_times;  /* ticks; else weights */
	bool counts_calls; /* beside samples: how often functions were called */
	bool is_untimed; /* these are calls of which nobody knows how long they took */
	bool has_off;    /* when threads were off the CPU was recorded … */
	bool off_is_partial; /* … but not of all: of no function is all known */
	bool cut_is_untold; /* lost events hide how some calls went on, and whose calls these are was not added up */
	char unit[32];   /* of weights: "ns", "samples" */
	bool has_samples;
	uint64_t full_counts; /* of samples: counters of a machine that were full */
	struct estimates estimates; /* of self, where there are samples */
	uint64_t total;  /* sum of self over everything: what percentages are of */
	bool is_net;       /* what recording cost is in no time of functions, paths and threads, but in recording: see cost.h … */
	bool net_is_rough; /* … of some calls it is not known any more who made them */
	uint64_t recording;
};

/* Null when there is no memory. */
struct profile *make_profile(void);
void free_profile(struct profile *profile);

/* Adds all of from. Both count the ids of the same functions. False when there is no memory: then a part of it is missing. */
bool profile_merge(struct profile *into, const struct profile *from);

/* The same without tree and threads; take_from is empty then, and keeps its memory. pre, of both: take_from->pages are kept. */
bool profile_move_functions(struct profile *into, struct profile *take_from);
void profile_empty_functions(struct profile *profile);
/* Ids have changed: map[old] is the new one, FUNCTION_NONE: it is gone. False when there is no memory. */
bool profile_renumber(struct profile *profile, const uint32_t *map, size_t count);

/* Somewhere it is not known whether a thread was on the CPU. pre: the model is finished. */
bool profile_off_is_unsure(const struct profile *profile);
/* It is known of nearly all time (99 %) whether a thread was on the CPU: so well that times on it may decide what leads. */
bool profile_knows_cpu(const struct profile *profile);
void profile_add_off(struct profile_off *to, const struct profile_off *from);
/* pre: part is a part of it. */
void profile_subtract_off(struct profile_off *from, const struct profile_off *part);

/* What is left of a time, on the CPU. While calls are open, more may be known to be off than there is. For what is shown take it from what
 * is shown of the others, so that these add up. */
static inline uint64_t profile_rest(uint64_t time, uint64_t off)
{
	return off < time ? time - off : 0;
}

/* Whether nothing is known of how long it took. */
static inline bool profile_is_untimed(const struct profile *profile, uint32_t id)
{
	const struct profile_function *function = id < profile->function_count ? &profile->functions[id] : 0;

	return function && function->untimed_calls && function->untimed_calls == function->calls;
}

/* Of such functions, how many. */
uint64_t profile_count_untimed(const struct profile *profile);
/* Of a function: those that are in the file. */
static inline uint64_t profile_count_calls(const struct profile *profile, uint32_t function)
{
	return function < profile->function_count ? profile->functions[function].calls : 0;
}

/* The row of a function, null when there is no memory. Valid until a row is made for another one. */
struct profile_function *profile_get_function(struct profile *profile, uint32_t id);

/* Adds the durations of from: those of complete calls, where any of the two has some. False when there is no memory. */
bool profile_merge_durations(struct profile_function *into, const struct profile_function *from);

/* Counts the duration of a complete call, where others of the function were counted, of about as long. False: it is not counted. */
static inline bool profile_add_usual(struct profile_function *function, uint64_t ticks)
{
	if (ticks < PROFILE_SHORT_TICKS) {
		if (__builtin_expect(!function->short_calls, 0))
			return false;
		function->short_calls[ticks]++;
		return true;
	}
	if (__builtin_expect(!function->complete, 0) || __builtin_expect(!histogram_add_usual(&function->durations, ticks), 0))
		return false;
	if (ticks < function->min)
		function->min = ticks;
	if (ticks > function->max)
		function->max = ticks;
	function->sum += ticks;
	return true;
}

/* Counts in each row what is in short_calls: to be done before durations are read. False when there is no memory. */
bool profile_settle(struct profile *profile);
/* The same where it is time: after so many more calls. */
static inline bool profile_settle_in_time(struct profile *profile, uint64_t calls)
{
	profile->unsettled_calls += calls;
	return __builtin_expect(profile->unsettled_calls < UINT32_MAX / 2, 1) || profile_settle(profile);
}

/* Counts a duration in the row. False when there is no memory for the histogram. */
bool profile_add_duration(struct profile_function *function, uint64_t ticks, bool complete);
/* Gives back what a row holds that is in no profile. */
void profile_clear_function(struct profile_function *function);

#endif
