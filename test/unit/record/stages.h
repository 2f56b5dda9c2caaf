/* Stages for one thread that a test drains. */
#ifndef DWELL_TEST_STAGES_H
#define DWELL_TEST_STAGES_H

#include "check.h"
#include "record/stage/stage.h"

static struct stage_list stages;
/* By a clock of its own, of which a tick is a nanosecond. */
static struct session_machine stages_machine = {.machine = 0xffff, .clock_hz = 1000000000};
static struct session stages_session = {.machine = &stages_machine};
static struct stage_recording stages_recording = {.session = &stages_session};

/* They begin when all are added; null is none. */
static inline void add_stage(struct stage *stage)
{
	if (stage)
		stages_add(&stages, stage);
}

/* Those of one thread. */
static inline struct stage_thread *begin_stages(const struct stage_source *source)
{
	struct stage_thread *threads = NULL;

	CHECK(stages_begin(&stages, &stages_recording));
	CHECK(stages_begin_thread(&stages, source, &threads));
	return threads;
}

/* What they pass on of slots, one after the other. *count: how many there are, and then are left. Valid until the next time. */
static inline const uint64_t *pass_stages(
	struct stage_thread *threads, struct workers *workers, const uint64_t *slots, uint32_t *count)
{
	struct stage_batch batch = {.slots = slots, .count = *count, .now_ns = 1, .buffers = workers_get_buffers(workers)};

	for (struct stage_thread *thread = threads; thread; thread = thread->next)
		thread->type->take(thread, &batch, NULL);
	*count = batch.count;
	return batch.slots;
}

#endif
