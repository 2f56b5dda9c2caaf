/* account: what a thread's calls add to the profile: a row of its function, a node of its path. For thread.c.
 *
 * It keeps the low half of a frame's user word; the high half is the tag of whoever takes the calls. */
#ifndef DWELL_HOST_MODEL_THREAD_ACCOUNT_H
#define DWELL_HOST_MODEL_THREAD_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/thread/thread_state.h"

/* Internal: the low half of the user word. */
#define ACCOUNT_NODE UINT64_C(0x0fffffff) /* its node in the thread's tree */
#define ACCOUNT_KNOWN (UINT64_C(1) << 28) /* the profile knows of it */
#define ACCOUNT_OUTERMOST (UINT64_C(1) << 29) /* no other frame of its function is below; where the thread is by_rows */
#define ACCOUNT_UNNAMED (UINT64_C(1) << 30) /* its function was not known when it was entered */
#define ACCOUNT_FOLDED (UINT64_C(1) << 31) /* its path found no room: the node is that of a caller */

/* A thread with so many open calls is by_rows: in others it costs little to look whether a call is the outermost one of its function. */
#define ACCOUNT_DEEPEST 1024u

/* A frame of the function appeared at index; its callers are in frames. unnamed: its function is not known yet. Returns its user word. */
uint64_t account_enter(struct thread *thread, struct thread_context *context, uint32_t index, uint32_t function, bool unnamed);

/* The call is over. A user word of 0: nobody saw it begin, and all since the section began was in it. */
void account_leave(struct thread *thread, struct thread_context *context, const struct dwell_call *call, uint32_t function);

/* Whether the call is the outermost one of its function, which its user word then says. pre: its callers are in frames. */
void account_find_outermost(const struct thread *thread, struct dwell_call *call);

/* The frame was none: it only stood for a caller. */
void account_forget(struct thread *thread, const struct dwell_frame *frame);

/* The open call at index was off the CPU for a part of its self time. What has no row or no node yet is left to account_leave_off. */
void account_off(struct thread *thread, struct thread_context *context, uint32_t index, const struct profile_off *self);
/* The same call as in account_leave, behind that: what it was charged with in all. */
void account_leave_off(struct thread *thread, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	const struct off_frame *off);

/* A call that the part ended was charged with so much before it. */
void account_carry_off(struct thread *thread, struct thread_context *context, struct thread *part, const struct off_end *end,
	const struct profile_off *total);

/* No frame is open, and nothing that comes can be a caller of what was: hands the tree of the section over. */
void account_close_section(struct thread *thread, struct thread_context *context);

/* top, the innermost call, took so long from the last event to the next one. */
void account_long(struct thread *thread, const struct dwell_frame *top, uint64_t ticks);

/* Hands over what was counted of each function: to the profile's by_thread. */
void account_settle(struct thread *thread, struct thread_context *context);

/* account_rows.c: adds the calls, self and total of the section to the rows, where they are in its tree alone. */
void account_count_rows(struct thread *thread, struct thread_context *context);
/* The same, and from here on each call is counted in its row as well; the tree need not have all. depth: how many frames are open. */
void account_go_by_rows(struct thread *thread, struct thread_context *context, uint32_t depth);

/* Of two threads' user words: whether they say the same, but for the path and the tag. */
bool account_agrees(uint64_t user, uint64_t other);
/* Internal: adds to what outermost calls took in the section. */
static inline void account_add_outermost(struct thread *thread, uint32_t function, struct profile_function *row, uint64_t ticks)
{
	struct thread_function *own = thread_get_function(thread, function);

	row->total += ticks;
	if (__builtin_expect(own->section != thread->section, 0)) {
		own->section = thread->section;
		own->section_total = 0;
	}
	own->section_total += ticks;
}

/* Adds the part's section, and makes the user words of its frames those of the thread. False where there is no room, or was none: then
 * paths are missing that one thread alone would have, or the other way round. */
bool account_join(struct thread *thread, struct thread_context *context, struct thread *part);

#endif
