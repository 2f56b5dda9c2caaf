/* thread: one stream's pairing, and its part of the profile. For model.c. */
#ifndef DWELL_HOST_MODEL_THREAD_THREAD_H
#define DWELL_HOST_MODEL_THREAD_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/thread/thread_state.h"
#include "reader/message.h"

void thread_feed_events(struct thread *thread, struct thread_context *context, const struct message_events *message);
/* Takes of the run what is a call that begins, or ends as it should, as long as nobody but the profile wants to know. */
void thread_take_run(struct thread *thread, struct thread_context *context, const struct message_run *message);
void thread_feed_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);
/* The data ends. Adds the row and the tree to the profile. */
void thread_finish(struct thread *thread, struct thread_context *context);
/* Gives back what can be made again, when no frame is open: for threads that ended. */
void thread_shrink(struct thread *thread, struct thread_context *context);

/* ---- one stack of it, for stacks.c: the above in terms of these ---- */

/* Feeds the events up to the first STACK, or one that puts all stacks in doubt, that one included. Returns how many; all when there
 * is no memory. */
uint32_t thread_feed_run(struct thread *thread, struct thread_context *context, const struct message_events *message);
/* Whether the event says when it was, and is not one that waits for the next. */
bool thread_event_has_time(const struct event *event);
bool thread_wants_checkpoint(const struct thread *thread);
/* earliest_ticks: no call was entered before. */
void thread_take_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message,
	uint64_t earliest_ticks);
/* Behind it nobody knows what is open, on any stack. */
static inline bool thread_event_is_doubt(const struct event *event)
{
	return event->kind == EVENT_LOST_POPS && event->value == DWELL_PAIR_ALL;
}
/* So it is: for the stacks that were suspended. */
void thread_doubt(struct thread *thread, struct thread_context *context);
/* Calls that are open were left when the thread was suspended, or now. */
void thread_leave_all(struct thread *thread, struct thread_context *context);
void thread_finish_own(struct thread *thread, struct thread_context *context);
struct call thread_get_open(const struct thread *thread, const struct thread_context *context, uint32_t index);
void thread_tag_open(struct thread *thread, uint32_t index, uint32_t tag);

/* ---- parts: see part.h ---- */

/* Begins in the middle, where the checkpoint says; to be forgotten when that is false, since nobody can tell from it alone. */
bool thread_resume(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);
/* Whether nothing but its open frames matters for what comes, which are those with which the part was resumed: open[0 … count). */
bool thread_stands_at(
	const struct thread *thread, const struct thread *part, const struct dwell_frame *open, uint32_t count, uint64_t ticks);
/* Adds what the part did, and takes over where it stands. False: not exactly as if there had been one thread; then it is spoilt. */
bool thread_join(struct thread *thread, struct thread_context *context, struct thread *part);
/* Empty again, as made, with what memory it has. */
void thread_reset(struct thread *thread);
/* Ids have changed: map[old] is the new one. False when there is no memory. */
bool thread_renumber(struct thread *thread, const uint32_t *map, size_t count);

#endif
