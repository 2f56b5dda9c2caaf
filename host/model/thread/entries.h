/* entries: calls of functions whose exits are not recorded: counted, and never open. For thread.c. */
#ifndef DWELL_HOST_MODEL_THREAD_ENTRIES_H
#define DWELL_HOST_MODEL_THREAD_ENTRIES_H

#include "model/thread/thread.h"

/* EVENT_ENTRY, behind the CALLER that may belong to it. Its caller is the function that its call site is in, which need not be open: it may
 * be one of these itself, or have no hooks; then it stands on the path from the innermost open function as if it were. */
void entries_count(struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, const struct event *event);

#endif
