/* throttle_list: the functions of a process that are no longer recorded. For throttle.c.
 *
 * Append-only: one thread appends, all threads read without a lock, and entries never move. So the table of atomic words never
 * grows, unlike util/lookup.h. */
#ifndef DWELL_HOST_RECORD_STAGE_THROTTLE_LIST_H
#define DWELL_HOST_RECORD_STAGE_THROTTLE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "record/stage/judge.h"
#include "target/port/os/linux/throttle.h"

#define THROTTLE_LIST_MAX (DWELL_THROTTLE_END - DWELL_THROTTLE_FIRST) /* per process: its hooks have no more counters */
#define THROTTLE_LIST_BLOCK 8u

struct throttled {
	uint32_t place;
	uint32_t entry;    /* the function's number among the agents' entries, plus 1; 0: no request to the agents yet */
	uint64_t since_ticks; /* when the judge chose the function */
	uint64_t until_ticks; /* when its file was unmapped, or its recording began again; UINT64_MAX: neither. Atomic */
	bool is_resumed;         /* the function is recorded again. Set before until_ticks */
	uint32_t resume_entry;        /* with is_resumed: number of the last trial's entry for agents, plus 1 */
	/* Trials: now and then the agent records the function for a while, to find out whether its calls are still short. The judge
	 * measures the calls, and the stage drops them. */
	uint32_t trial_count;       /* trials so far. Atomic; set after trial_begin_ticks */
	uint64_t trial_begin_ticks; /* all the function's calls from this time to the end of the trial are recorded */
	uint64_t trial_due_ns;     /* when the next trial begins, or the present trial ends */
	struct throttle_trial {
		uint32_t entry;   /* the agents' entry for the trial, plus 1; 0: no trial */
		bool is_recording;    /* calls are recorded: the agent, or dwell from outside, has turned the recording on */
		uint32_t periods; /* periods since the first call */
		uint64_t dropped; /* calls dropped before the trial */
		struct judge_function judge_figures; /* the judge's figures of this trial */
		uint16_t share;   /* of the process's threads' time in the last period with calls, in 65,535ths; 0: unknown */
	} trial;
	uint16_t share;       /* the largest share at the end of any trial; 0: no trial has one */
	uint64_t seen_ticks;  /* when the last trial with a share ended; 0: no trial has one */
	const struct throttled *of; /* the same function in the process from which fork copied this one; null: no copy */
	uint32_t call_sixteenths; /* the cost of recording a call at since_ticks, in sixteenths of a tick */
	uint64_t counted, cut; /* of the ended streams: unrecorded calls; calls that the stage has ended early */
	uint64_t told; /* number of calls as last written to the file */
	bool written_is_counted; /* whether the agents had counted all of these calls */
};

/* Zeroed: empty. The list takes memory as it grows: each process so far may have a list, most of them short. */
struct throttle_list {
	uint32_t count; /* atomic */
	struct throttled *blocks[(THROTTLE_LIST_MAX + THROTTLE_LIST_BLOCK - 1) / THROTTLE_LIST_BLOCK];
	uint16_t *table; /* place → index in the list plus 1. Its words are atomic, too */
};

void throttle_list_clear(struct throttle_list *list);
/* Appends a copy of an entry, visible to readers from then on. False: the list is full, or no memory. */
bool throttle_list_add(struct throttle_list *list, const struct throttled *throttled);

static inline uint32_t throttle_list_count(const struct throttle_list *list)
{
	return __atomic_load_n(&list->count, __ATOMIC_ACQUIRE);
}
/* index: less than a count that throttle_list_count has returned. */
static inline struct throttled *throttle_list_at(const struct throttle_list *list, uint32_t index)
{
	return &list->blocks[index / THROTTLE_LIST_BLOCK][index % THROTTLE_LIST_BLOCK];
}
/* The index of the place's last entry whose function was recorded again by ticks; THROTTLE_LIST_MAX: none. */
uint32_t throttle_list_find_resumed(const struct throttle_list *list, uint64_t place, uint64_t ticks);
/* The index of the function at a place, if the function was not recorded at ticks; THROTTLE_LIST_MAX: the function was recorded. */
uint32_t throttle_list_find(const struct throttle_list *list, uint64_t place, uint64_t ticks);

#endif
