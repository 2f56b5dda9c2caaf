/* thread_inner: what thread.c, landing.c and entries.c know of each other. */
#ifndef DWELL_HOST_MODEL_THREAD_THREAD_INNER_H
#define DWELL_HOST_MODEL_THREAD_THREAD_INNER_H

#include "model/thread/thread.h"

/* ---- thread.c ---- */

/* Takes the calls that are over. */
void thread_take_due(struct thread *thread, struct thread_context *context);
/* Frames appeared, from index on. */
void thread_note_enters(struct thread *thread, struct thread_context *context, uint32_t index);
/* Room for frames more. Where there is none, pairing counts. */
void thread_reserve_frames(struct thread *thread, uint32_t frames);

/* ---- landing.c: where an unwind, a gap or a pause is over ---- */

/* A LANDED behind an unwind: the recorder says which call goes on. */
void landing_take(
	struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, uint32_t payload, uint64_t ticks);
/* An enter with a call site, where the recorder did not know: the function that holds the site goes on, as far as symbols tell. */
void landing_take_site(struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, uint64_t ticks);
/* None of those behind the unwind did: what that means for what is open. */
void landing_settle_misfit(struct thread *thread, struct thread_context *context);
/* An exit of the function comes: it may be that of a call which is not known. */
void landing_take_exit(struct thread *thread, struct thread_context *context, uint32_t id);

/* ---- entries.c: calls of functions whose exits are not recorded: counted, and never open ---- */

/* EVENT_ENTRY, behind the CALLER that may belong to it. Its caller is the function that its call site is in, which need not be open: it may
 * be one of these itself, or have no hooks; then it stands on the path from the innermost open function as if it were. */
void entries_count(struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, const struct event *event);

#endif
