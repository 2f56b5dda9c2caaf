/* filter_stage: drops the events of unwanted functions. */
#include "record/stage/filter_stage.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/stage/filter_inner.h"
#include "record/stage/sieve.h"

struct filter_thread {
	struct sieve sieve;
	struct filter *filter;
	uint32_t process;
	struct filter_cache memory;
};

/* Agents find the memory with the filter's answers by its name. */
static bool begin(struct stage *stage)
{
	struct dwell_session *shared = stage->recording->session->shared;

	snprintf(shared->filter, sizeof shared->filter, "%s", ((struct filter *)stage)->name);
	return true;
}

static void add_module(struct stage *stage, const struct message_module *module)
{
	filter_add_module((struct filter *)stage, module);
}

static void finish(struct stage *stage, struct stage_end *end)
{
	filter_warn_unmatched((struct filter *)stage, stage->recording->output, stage->recording->diag);
	end->empty_reason = "the program called none of the functions that --only and --not leave";
}

static void clear(struct stage *stage)
{
	filter_clear((struct filter *)stage);
}

static struct stage_thread *begin_thread(struct stage *stage, const struct stage_source *source)
{
	struct filter_thread *thread = calloc(1, sizeof *thread);

	if (!thread)
		return NULL;
	thread->filter = (struct filter *)stage;
	thread->process = source->process;
	return &thread->sieve.thread;
}

static bool drops(struct sieve *sieve, uint64_t slot, const struct dwell_slot_event *event)
{
	struct filter_thread *thread = (struct filter_thread *)sieve;

	(void)slot;
	return filter_drops_place(thread->filter, &thread->memory, thread->process, event->place, event->ticks);
}

static void take(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open)
{
	(void)open;
	sieve_batch((struct sieve *)thread, batch, NULL, 0, drops, NULL);
}

struct stage *filter_get_stage(struct filter *filter)
{
	static const struct stage_type type = {.begin = begin,
		.add_module = add_module,
		.finish = finish,
		.clear = clear,
		.begin_thread = begin_thread,
		.take = take};

	filter->stage.type = &type;
	return &filter->stage;
}
