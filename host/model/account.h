/* account: what a thread's calls add to the profile: a row of its function, a node of its path. For thread.c.
 *
 * It keeps the low half of a frame's user word; the high half is the tag of whoever takes the calls. */
#ifndef DWELL_HOST_MODEL_ACCOUNT_H
#define DWELL_HOST_MODEL_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/thread.h"

/* Internal: the low half of the user word. */
#define ACCOUNT_NODE UINT64_C(0x0fffffff) /* its node in the thread's tree */
#define ACCOUNT_KNOWN (UINT64_C(1) << 28) /* the profile knows of it */
#define ACCOUNT_OUTERMOST (UINT64_C(1) << 29) /* no other frame of its function is below */
#define ACCOUNT_UNNAMED (UINT64_C(1) << 30) /* its function was not known when it was entered */
#define ACCOUNT_FOLDED (UINT64_C(1) << 31) /* its path found no room: the node is that of a caller */

/* A frame of the function appeared at index; its callers are in frames. unnamed: its function is not known yet. Returns its user word. */
uint64_t account_enter(struct thread *thread, struct thread_context *context, uint32_t index, uint32_t function, bool unnamed);

/* The call is over. A user word of 0: nobody saw it begin, and all since the section began was in it. */
void account_leave(struct thread *thread, struct thread_context *context, const struct dwell_call *call, uint32_t function);

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

/* Of two threads' user words: whether they say the same, but for the path and the tag. */
bool account_agrees(uint64_t user, uint64_t other);
/* Internal: adds to what outermost calls took in the section. */
static inline void account_add_outermost(struct thread *thread, uint32_t function, struct profile_function *row, uint64_t ticks)
{
	struct thread_function *own = &thread->functions[function];

	row->total += ticks;
	if (__builtin_expect(own->section != thread->section, 0)) {
		own->section = thread->section;
		own->section_total = 0;
	}
	own->section_total += ticks;
}

/* The short way through account_enter, where only rows are wanted, and there is room for the function already. */
static inline uint64_t account_enter_known(struct thread *thread, uint32_t function)
{
	struct thread_function *own = &thread->functions[function];
	uint64_t user = ACCOUNT_KNOWN | (own->active ? 0 : ACCOUNT_OUTERMOST);

	own->active = true;
	return user;
}

static inline bool account_enter_row(
	struct thread *thread, const struct thread_context *context, uint32_t function, uint64_t *user)
{
	if (__builtin_expect(function >= thread->function_count || function >= context->profile->function_count, 0))
		return false;
	*user = account_enter_known(thread, function);
	return true;
}

/* The short way through account_leave, likewise; user and flags as in the call. row: the function's. */
static inline bool account_leave_row(struct thread *thread, struct profile_function *row, uint32_t function, uint64_t user,
	uint32_t flags, uint64_t total_ticks, uint64_t self_ticks)
{
	if (__builtin_expect(flags || (user & (ACCOUNT_KNOWN | ACCOUNT_UNNAMED)) != ACCOUNT_KNOWN || !row->complete, 0) ||
		__builtin_expect(!profile_add_duration(row, total_ticks, true), 0))
		return false;
	if (user & ACCOUNT_OUTERMOST) {
		thread->functions[function].active = false;
		account_add_outermost(thread, function, row, total_ticks);
	}
	row->calls++;
	row->self += self_ticks;
	return true;
}

static inline bool account_leave_call(
	struct thread *thread, const struct thread_context *context, const struct dwell_call *call, uint32_t function)
{
	return account_leave_row(thread, &context->profile->functions[function], function, call->user, call->flags, call->total_ticks,
		call->self_ticks);
}

/* Likewise where paths are wanted, too: through account_enter, for a path that its caller took last, too. 0: it is not. caller: the frame
 * below, null: none. */
static inline uint64_t account_enter_path(struct thread *thread, const struct dwell_frame *caller, uint32_t function)
{
	uint32_t parent = caller ? (uint32_t)(caller->user & ACCOUNT_NODE) : thread->tree.root;
	uint32_t guess = thread->tree.nodes[parent].recent_child;

	if (__builtin_expect((caller && caller->user & ACCOUNT_FOLDED) || !guess || thread->tree.nodes[guess].function != function, 0))
		return 0;
	return account_enter_known(thread, function) | guess;
}

/* And through account_leave. Its node knows the path of the caller, who has the call counted as made. */
static inline bool account_leave_path(struct thread *thread, struct profile_function *row, uint32_t function, uint64_t user, uint32_t flags,
	uint64_t total_ticks, uint64_t self_ticks)
{
	struct tree_node *node = &thread->tree.nodes[user & ACCOUNT_NODE];
	struct thread_function *own = &thread->functions[function];
	uint32_t caller = thread->tree.nodes[node->parent].function;

	if (__builtin_expect((user & ACCOUNT_FOLDED) != 0, 0) ||
		__builtin_expect(!account_leave_row(thread, row, function, user, flags, total_ticks, self_ticks), 0))
		return false;
	node->calls++;
	node->total += total_ticks;
	node->self += self_ticks;
	own->calls++;
	own->self += self_ticks;
	if (caller < thread->function_count)
		thread->functions[caller].made++;
	return true;
}

/* Adds the part's section, and makes the user words of its frames those of the thread. False where there is no room, or was none: then
 * paths are missing that one thread alone would have, or the other way round. */
bool account_join(struct thread *thread, struct thread_context *context, struct thread *part);

#endif
