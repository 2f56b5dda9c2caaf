/* count: what is drained of a ring → sums of its calls, and no events: for runs of any length. What is open when sums are written is told
 * with them, so a recording that is cut off there has it all.
 *
 * Who reads them has what all events would have given, but for what only a file's symbols can tell, where a jump landed that the program
 * did not say. Calls stay where they were in the tree when one turns out to be around them whose entry nobody saw; and one that was
 * entered in a gap has a path of the function that it turned out to be, while calls in it were called by an unknown one. Of more
 * than PATH_SUMS_NODES_MAX calls that are open, the innermost are told when they are over. */
#ifndef DWELL_HOST_RECORD_STAGE_COUNT_H
#define DWELL_HOST_RECORD_STAGE_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/sink/address_set.h"
#include "record/session/turnover.h"
#include "record/stage/path_sums.h"
#include "record/stage/stage.h"
#include "record/stage/sums_period.h"
#include "writer/trace/dwell.h"

/* What is told of the thread as a whole. */
struct count_figures {
	uint64_t lost_ticks, held_ticks, lost_events, unmatched_exits, unwound_calls, beyond_calls, backward_events;
};

struct count {
	struct stage_thread thread;
	uint32_t stream;
	struct turnover_view turnover; /* where what is counted ends */
	struct dwell_fold_calls listener;
	struct path_sums sums;
	struct sums_period period;
	uint64_t events, no_entry_calls, gap_calls; /* since sums were written … */
	struct count_figures forgotten;             /* of stacks that were (follower.h) */
	uint32_t forgotten_deepest;
	struct count_figures told;                  /* … and what was told by then */
	uint64_t late_stamps;                       /* that were put right before: events that were not in order, too */
	bool has_news;
	struct message_sum_frame *frames;
	size_t frame_capacity;
};

/* Null: no memory. */
struct stage *make_count_stage(void);
/* Of one thread. */
struct count *make_count(void);
void free_count(struct count *count);

/* Returns how many enters and exits are among the slots. So many more are behind them, and come next. */
uint64_t count_slots(struct count *count, const uint64_t *slots, uint32_t slot_count, uint32_t more);

/* Goes on behind calls that somebody else has followed from here: these are open now. They are the count's from then on. */
void count_go_on(struct count *count, struct follower *calls);

/* Writes what was counted, if it is time to, or in any case. */
void count_write(struct count *count, const struct stage_run *run, bool must);

#endif
