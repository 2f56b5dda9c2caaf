/* landing: where an unwind, a gap or a pause is over. For thread.c. */
#ifndef DWELL_HOST_MODEL_THREAD_LANDING_H
#define DWELL_HOST_MODEL_THREAD_LANDING_H

#include "model/thread/thread.h"

/* A LANDED behind an unwind: the recorder says which call goes on. */
void landing_take(
	struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, uint32_t payload, uint64_t ticks);
/* An enter with a call site, where the recorder did not know: the function that holds the site goes on, as far as symbols tell. */
void landing_take_site(struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, uint64_t ticks);
/* None of those behind the unwind did: what that means for what is open. */
void landing_settle_misfit(struct thread *thread, struct thread_context *context);
/* An exit of the function comes: it may be that of a call which is not known. */
void landing_take_exit(struct thread *thread, struct thread_context *context, uint32_t id);

#endif
