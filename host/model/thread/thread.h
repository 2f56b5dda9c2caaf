/* thread: one stream of the trace: stacks, totals and samples. For model.c. */
#ifndef DWELL_HOST_MODEL_THREAD_THREAD_H
#define DWELL_HOST_MODEL_THREAD_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile/estimate.h"
#include "model/thread/stack_state.h"
#include "reader/message.h"

/* The most stacks of a thread. For more room, stacks.c discards stacks that have waited long; their open calls end there. */
#define STACKS_MAX 65536u

/* The stacks of a thread besides its own stack; see stacks.c. Zeroed: empty. */
struct stacks {
	struct stack **list; /* in order of number */
	size_t count, capacity;
	struct stack *current;  /* the stack that runs; null: the thread's own */
	uint32_t number, next;  /* number of the running stack; and of the stack that runs from the next event with a time on … */
	bool switch_pending;             /* … if set: a change of stacks is pending */
	bool begins;            /* a checkpoint came, at begin_ticks, and no time since: a STACK now names the running stack */
	uint64_t begin_ticks;
	uint64_t claimed_ticks; /* time claimed by the thread's own stack before begin_ticks; taken back if another stack runs */
	uint64_t suspended_ticks, counted_twice_ticks;
	bool has_discarded;
	struct profile_thread discarded; /* sums of discarded stacks … */
	uint64_t discarded_ticks;        /* … and the sum of the times from first to last event */
};

struct thread {
	struct stack own;
	struct stacks stacks;
	bool selected;
	bool begins_plainly;           /* of a part: the first event is an enter or exit, not earlier than the checkpoint's time */
	struct estimate_blocks blocks; /* of the thread's samples */
};

/* The stack that runs. Messages about the thread apply to this stack. */
static inline struct stack *thread_get_running(struct thread *thread)
{
	return thread->stacks.current ? thread->stacks.current : &thread->own;
}

/* index 0 is the thread's own stack; there are stacks.count + 1 stacks. */
static inline struct stack *thread_get_stack(struct thread *thread, size_t index)
{
	return index ? thread->stacks.list[index - 1] : &thread->own;
}

/* Null: no memory. */
struct thread *make_thread(uint32_t stream);
void free_thread(struct thread *thread);

void thread_feed_events(struct thread *thread, struct thread_context *context, const struct message_events *message);
/* Consumes packed slots up to the first that is not simply a call's begin or normal end. Consumes nothing if the model passes on
 * single calls or values (on_call, on_enter, want_values), or if the thread is in an unusual state. The rest comes as events. */
void thread_take_packed(struct thread *thread, struct thread_context *context, const struct message_packed *message);
void thread_feed_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);
/* The calls that are open in from, of another model with the same functions, are open in the new thread from ticks on. */
void thread_adopt(struct thread *thread, struct thread_context *context, struct thread *from, uint64_t ticks);
/* Adds the message's page faults to the queue of the thread's running stack. */
void thread_feed_faults(struct thread *thread, const struct message_faults *message);
/* The thread's data ends. Adds the thread's row and tree to the profile. */
void thread_finish(struct thread *thread, struct thread_context *context);
/* Frees memory which the thread can allocate again, if no frame is open. For ended threads. */
void thread_shrink(struct thread *thread, struct thread_context *context);

/* ---- parts: see part.h ---- */

/* Whether the thread is in the state in which the part began: the last event was at ticks, open[0 … count) are the open frames, and
 * no other state matters for later events. */
bool thread_matches_part_start(
	const struct thread *thread, const struct thread *part, const struct dwell_frame *open, uint32_t count, uint64_t ticks);
/* Adds the part's results, and takes over the state at the part's end. False: no memory, or the result would differ from that of a
 * single thread. The thread is then unusable. */
bool thread_join(struct thread *thread, struct thread_context *context, struct thread *part);
/* Empties the thread, as if it were new, but keeps its memory. */
void thread_reset(struct thread *thread);
/* Function ids have changed: map[old] is the new id. False: no memory. */
bool thread_renumber(struct thread *thread, const uint32_t *map, size_t count);

#endif
