/* join: parts of a thread's data, each modelled for itself, become what one thread would have made of all. For part.c. */
#include <stdlib.h>
#include <string.h>

#include "model/thread/account.h"
#include "model/thread/off.h"
#include "model/thread/stacks.h"
#include "model/thread/thread.h"

/* Whether a thread that is not sure of its open calls takes in the checkpoint in front of the part, and nothing changes but that it is:
 * where that has the same frames. It would also say that time went on up to the first event, which then does. With no call open it
 * would say that what was between is lost. */
static bool is_confirmed(const struct thread *thread, const struct thread *part)
{
	return part->begins_plainly && thread->pair.depth;
}

bool thread_stands_at(
	const struct thread *thread, const struct thread *part, const struct dwell_frame *open, uint32_t count, uint64_t ticks)
{
	const struct dwell_pair *pair = &thread->pair;

	if (!thread->frames || !dwell_pair_is_settled(pair) || pair->depth != count || pair->last_ticks != ticks ||
		thread->pushes_wait || thread->has_site || thread->stacks.count || thread->stacks.waits)
		return false;
	if ((thread->unsure || thread->unnamed) && !is_confirmed(thread, part))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct dwell_frame *frame = &thread->frames[i];

		if (frame->id != open[i].id || frame->reserved != open[i].reserved ||
			frame->enter_ticks != open[i].enter_ticks || frame->flags != open[i].flags ||
			frame->child_ticks != open[i].child_ticks || !account_agrees(frame->user, open[i].user))
			return false;
	}
	/* Where what a call was charged with before is to be added to is gone when the part began another section. */
	return off_agrees(&thread->off, &part->off, ticks) && !off_has_held(&thread->off, &part->off) &&
	       (part->section_inherited || !part->off.end_count || !thread->off.depth);
}

static void join_row(struct profile_thread *row, const struct profile_thread *part)
{
	row->events += part->events;
	row->calls += part->calls;
	row->open_calls += part->open_calls;
	row->no_entry_calls += part->no_entry_calls;
	row->gap_calls += part->gap_calls;
	row->beyond_calls += part->beyond_calls;
	row->lost_unwinds += part->lost_unwinds;
}

/* The first part of all: the thread is what it is. */
static void become(struct thread *thread, struct thread *part)
{
	struct thread old = *thread;

	*thread = *part;
	thread->row = old.row;
	thread->selected = old.selected;
	join_row(&thread->row, &part->row);
	*part = old;
}

static bool take_frames(struct thread *thread, const struct thread *part)
{
	if (thread->pair.capacity < part->pair.capacity) {
		struct dwell_frame *grown = realloc(thread->frames, part->pair.capacity * sizeof *grown);

		if (!grown)
			return false;
		thread->frames = grown;
		dwell_pair_grow(&thread->pair, grown, part->pair.capacity);
	}
	memcpy(thread->frames, part->frames, part->pair.depth * sizeof *part->frames);
	return true;
}

/* What it keeps anything of must have a row: a call of it may be open. */
static bool reserve_rows(const struct thread *thread, struct profile *profile)
{
	size_t pages = thread->functions.page_count;

	while (pages && !thread->functions.pages[pages - 1])
		pages--;
	return !pages || profile_get_function(profile, (uint32_t)(pages * THREAD_PAGE - 1));
}

bool thread_join(struct thread *thread, struct thread_context *context, struct thread *part)
{
	if (!reserve_rows(part, context->profile))
		return false;
	if (!thread->pair.capacity) {
		become(thread, part);
		return true;
	}
	if (!off_join(thread, context, part) || !account_join(thread, context, part) || !take_frames(thread, part) ||
		!dwell_pair_join(&thread->pair, &part->pair))
		return false;
	join_row(&thread->row, &part->row);
	thread->unsure = part->unsure;
	thread->unnamed = part->unnamed;
	thread->unnamed_open = part->unnamed_open;
	thread->pushes_wait = part->pushes_wait;
	thread->has_site = part->has_site;
	thread->site = part->site;
	thread->above = part->above;
	thread->landed_may_follow = part->landed_may_follow;
	thread->misfit = part->misfit;
	return true;
}

void thread_reset(struct thread *thread)
{
	struct thread empty = {.frames = thread->frames, .tree = thread->tree, .off.next_ticks = UINT64_MAX};

	off_clear(&thread->off);
	values_clear(&thread->values);
	thread_forget_functions(thread);
	if (empty.tree.nodes) {
		tree_clear(&empty.tree);
		empty.tree.patience = 0;
	}
	if (empty.frames)
		dwell_pair_init(&empty.pair, empty.frames, thread->pair.capacity);
	stacks_clear(thread);
	*thread = empty;
}

static bool renumber_page(struct thread *thread, const struct thread_function *old, const uint32_t *map, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (map[i] == FUNCTION_NONE)
			continue;
		if (!thread_find_function(thread, map[i]) && !thread_reserve_function(thread, map[i]))
			return false;
		*thread_get_function(thread, map[i]) = old[i];
	}
	return true;
}

bool thread_renumber(struct thread *thread, const uint32_t *map, size_t count)
{
	struct thread_functions old = thread->functions;
	bool good = true;

	thread->functions = (struct thread_functions){0};
	for (size_t page = 0; good && page < old.page_count && page * THREAD_PAGE < count; page++) {
		size_t first = page * THREAD_PAGE, left = count - first;

		good = !old.pages[page] ||
		       renumber_page(thread, old.pages[page], map + first, left < THREAD_PAGE ? left : THREAD_PAGE);
	}
	thread_forget_functions(&(struct thread){.functions = old});
	if (!good)
		return false;
	thread->off.section_count = 0; /* of no call more: all that are open were seen to begin */
	for (uint32_t i = 0; thread->frames && i < thread->pair.depth; i++)
		if (thread->frames[i].id < count)
			thread->frames[i].id = map[thread->frames[i].id];
	for (size_t i = 0; i < thread->stacks.count; i++)
		if (!thread_renumber(thread->stacks.list[i], map, count))
			return false;
	return !thread->tree.nodes || tree_renumber(&thread->tree, map, count);
}
