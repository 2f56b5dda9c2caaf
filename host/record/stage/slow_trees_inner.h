/* slow_trees_inner: one thread's slots → trees of the calls that are to be kept if they turn out to be slow; see slow_trees.h. */
#ifndef DWELL_HOST_RECORD_STAGE_SLOW_TREES_INNER_H
#define DWELL_HOST_RECORD_STAGE_SLOW_TREES_INNER_H

#include "record/stage/slow_trees.h"
#include "record/stage/stage.h"

/* Null: no memory. A call of such a function within another one of the same is part of that. */
struct stage_thread *make_slow_thread(struct slow_trees *trees, const struct stage_source *source);
/* See stage.h. Of the last run the thread must be given. */
void slow_thread_take(struct stage_thread *thread, struct stage_run *run, const struct follower *open);
void slow_thread_clear(struct stage_thread *thread);

#endif
