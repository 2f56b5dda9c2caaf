/* depth: follows the depth of each stack, and drops deeper calls. */
#include "record/stage/depth.h"

#include <stdlib.h>

#include "record/stage/sieve.h"

struct depth {
	struct stage stage;
	uint32_t limit;
};

struct depth_thread {
	struct sieve sieve;
	uint32_t limit;
};

static struct stage_thread *begin_thread(struct stage *stage, const struct stage_source *source)
{
	struct depth_thread *thread = calloc(1, sizeof *thread);
	struct follower *calls = make_follower();

	(void)source; /* a thread copied by fork begins at depth 0: its data have no enters of the calls open in the parent */
	if (!thread || !calls) {
		free_follower(calls);
		free(thread);
		return NULL;
	}
	thread->limit = ((struct depth *)stage)->limit;
	thread->sieve.thread.calls = calls;
	return &thread->sieve.thread;
}

/* Whether the event belongs to a call deeper than the limit. Feeds the event to the stage's own follower, so the depth counts only
 * calls that the stages before this one have passed on. */
static bool drops(struct sieve *sieve, uint64_t slot, const struct dwell_slot_event *event)
{
	struct follower *calls = sieve->thread.calls;
	uint32_t before = follower_depth(calls);

	follower_feed(calls, sieve->next_tags, sieve->next_tag_count);
	follower_feed(calls, &slot, 1);
	/* An exit may end several calls, and belongs to the outermost of them. */
	return (event->kind == DWELL_SLOT_EXIT ? follower_depth(calls) : before) >= ((struct depth_thread *)sieve)->limit;
}

static uint32_t at_most(uint32_t depth, uint32_t limit)
{
	return depth < limit ? depth : limit;
}

/* Corrects a tag behind a LOST that has the number of frames left (LOST_POPS) or entered (LOST_PUSHES): only frames within the
 * limit count. before, after: the depth in front of the tag and behind the tag. Returns the new slot; 0: the tag needs no
 * correction. */
static uint64_t recount_frames(uint64_t slot, uint32_t before, uint32_t after, uint32_t limit)
{
	uint32_t tag = (uint32_t)slot;

	if (tag == DWELL_TAG_LOST_POPS && slot >> 32 != DWELL_LOST_ALL)
		return dwell_slot_make(tag, at_most(before, limit) - at_most(after, limit));
	if (tag == DWELL_TAG_LOST_PUSHES)
		return dwell_slot_make(tag, at_most(after, limit) - at_most(before, limit));
	return 0;
}

/* Handles a tag about no event: a jump together with the LANDED slots right behind it, or another tag alone. Drops a jump with its
 * LANDED slots if it leads from one dropped call to another. */
static uint32_t take_tag(struct sieve *sieve, const uint64_t *slots, uint32_t count, bool *kept)
{
	struct follower *calls = sieve->thread.calls;
	uint32_t tag = (uint32_t)*slots, limit = ((struct depth_thread *)sieve)->limit, before = follower_depth(calls), length = 1;

	if (tag == DWELL_TAG_UNWIND_JUMP || tag == DWELL_TAG_UNWIND_CATCH)
		while (length < count && (uint32_t)slots[length] == DWELL_TAG_LANDED)
			length++;
	follower_feed(calls, slots, length);
	sieve->replacement = recount_frames(*slots, before, follower_depth(calls), limit);
	*kept = length == 1 || before <= limit || follower_depth(calls) <= limit;
	return length;
}

static void take(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open)
{
	(void)open;
	sieve_batch((struct sieve *)thread, batch, NULL, 0, drops, take_tag);
}

static const struct stage_type type = {.begin_thread = begin_thread, .take = take};

struct stage *make_depth_stage(uint32_t limit)
{
	struct depth *depth = calloc(1, sizeof *depth);

	if (depth)
		*depth = (struct depth){.stage.type = &type, .limit = limit};
	return depth ? &depth->stage : NULL;
}
