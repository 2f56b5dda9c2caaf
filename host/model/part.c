/* part: models a part of a stream on a worker's thread, and joins it to the model. part.h explains the method. */
#include "model/part.h"

#include <stdlib.h>
#include <string.h>

#include "model/model_inner.h"
#include "model/thread/off_cpu.h"
#include "model/thread/stack.h"

struct part {
	struct thread_context context; /* has its own profile, share of the functions, and diag */
	struct thread *thread;
	uint64_t chunk, offset;
	bool first;     /* the part is the first of its stream */
	bool begun;     /* part_feed got the checkpoint of the first chunk */
	bool has_events;
	uint64_t next_ticks; /* time of the first event, as that checkpoint has it */
	bool fresh;     /* no chunk of this part has begun yet */
	bool failed;    /* model_join will return PART_REFEED */
	/* The open calls with which the part began, unless it is the first, and the time of the last event before the part. */
	struct dwell_frame *open;
	uint32_t open_count, open_capacity;
	uint64_t open_ticks;
};

static struct part *make(const struct model *model, const struct model_options *options)
{
	struct part *part = calloc(1, sizeof *part);

	if (!part)
		return NULL;
	part->context = (struct thread_context){
		.options = *options,
		.functions = make_functions_share(model->own_functions),
		.diag = make_diag(),
		.room = model->context.room,
	};
	part->context.room.nodes = 0;
	part->context.profile = make_profile(&part->context.room);
	part->context.options.thread_trees = false; /* a part belongs to one thread, whose tree model_join adds to */
	part->thread = make_thread(0);
	if (part->context.functions && part->context.profile && part->thread) {
		part->context.profile->pages.are_kept = true;
		return part;
	}
	free_part(part);
	return NULL;
}

struct part *make_part(const struct model *model)
{
	return make(model, &model->context.options);
}

void free_part(struct part *part)
{
	if (!part)
		return;
	free_functions_share(part->context.functions);
	free_profile(part->context.profile);
	free_diag(part->context.diag);
	free_thread(part->thread);
	free(part->open);
	free(part);
}

/* Removes the previous part's results, but keeps the memory. */
static void empty_part(struct part *part)
{
	struct profile *profile = part->context.profile;

	functions_share_forget(part->context.functions);
	profile_empty_functions(profile);
	by_thread_empty(&profile->by_thread);
	tree_clear(&profile->tree);
	profile->tree.patience = 0;
	thread_reset(part->thread);
}

void part_begin(struct part *part, const struct model_thread *thread, bool first)
{
	empty_part(part);
	part->failed = false;
	part->first = first;
	part->begun = part->has_events = false;
	part->fresh = true;
	part->open_count = 0;
	part->context.unknown_id = FUNCTION_NONE;
	part->context.search_left = THREAD_SEARCH_ALL;
	part->thread->own.row.stream = thread->stream;
	part->thread->own.row.process = thread->process;
	part->thread->selected = thread->selected;
	part->thread->own.is_copy = thread->is_copy;
}

void part_at_chunk(struct part *part, uint64_t chunk, uint64_t offset)
{
	functions_share_begin(part->context.functions, chunk, offset, part->fresh);
	part->fresh = false;
}

/* Copies the open calls with which the part begins, for model_join. False: no memory. */
static bool copy_open_calls(struct part *part)
{
	const struct thread *thread = part->thread;
	uint32_t count = thread->own.pair.depth;

	if (count > part->open_capacity) {
		struct dwell_frame *grown = realloc(part->open, count * sizeof *grown);

		if (!grown)
			return false;
		part->open = grown;
		part->open_capacity = count;
	}
	if (count)
		memcpy(part->open, thread->own.frames, count * sizeof *part->open);
	part->open_count = count;
	part->open_ticks = thread->own.pair.last_ticks;
	return true;
}

static void begin(struct part *part, const struct message_checkpoint *message)
{
	bool good;

	part->begun = true;
	part->next_ticks = message->ticks;
	if (part->first) {
		thread_feed_checkpoint(part->thread, &part->context, message);
		return;
	}
	functions_share_peek(part->context.functions, true);
	good = stack_resume(&part->thread->own, &part->context, message) && copy_open_calls(part);
	functions_share_peek(part->context.functions, false);
	/* The next event that needs "(unknown)" must look it up again. While peeks is set, lookups do not count for the order of
	 * ids (function.h). */
	part->context.unknown_id = FUNCTION_NONE;
	part->failed |= !good;
}

/* Sets begins_plainly at the part's first event: whether that event is an enter or exit, not earlier than the checkpoint's time.
 * The join needs this for threads whose open calls are unsure (is_confirmed in model/thread/join.c). */
static void note_first_event(struct part *part, const struct event *event)
{
	if (!part->has_events)
		part->thread->begins_plainly = event->kind <= EVENT_EXIT && event->ticks >= part->next_ticks;
	part->has_events = true;
}

void part_feed(struct part *part, const struct message *message)
{
	if (part->failed || !part->thread->selected)
		return;
	if (message->kind == MESSAGE_EVENTS && message->events.count) {
		part->context.profile->has_times = true;
		note_first_event(part, message->events.events);
		thread_feed_events(part->thread, &part->context, &message->events);
	} else if (message->kind == MESSAGE_PACKED) {
		/* note_first_event is not needed here: packed slots never come first in a part. */
		part->context.profile->has_times = true;
		thread_take_packed(part->thread, &part->context, &message->packed);
	} else if (message->kind == MESSAGE_RESTART) {
		part->failed = true;
	} else if (message->kind == MESSAGE_SWITCHES) {
		off_cpu_add_intervals(&part->thread->own, &message->switches);
	} else if (message->kind == MESSAGE_FAULTS) {
		thread_feed_faults(part->thread, &message->faults);
	} else if (message->kind == MESSAGE_CHECKPOINT) {
		if (part->begun)
			thread_feed_checkpoint(part->thread, &part->context, &message->checkpoint);
		else
			begin(part, &message->checkpoint);
	}
	/* The checkpoint does not show which of several stacks runs, so a part of such a thread fails. */
	part->failed |= part->thread->own.section_missed || part->thread->own.pair.section_missed || part->thread->stacks.count ||
			part->thread->stacks.switch_pending;
}

void part_end(struct part *part)
{
	if (!part->failed && !profile_settle_pages(part->context.profile))
		thread_out_of_memory(&part->context);
}

bool part_has_failed(const struct part *part)
{
	return part->failed;
}

void part_set_context(struct part *part, void *context)
{
	part->context.options.context = context;
}

enum part_off_cpu model_get_part_off_cpu(const struct model *model, const struct part *part)
{
	uint32_t index = model_find_thread(model, part->thread->own.row.stream);
	const struct off_cpu *off = index == UINT32_MAX ? NULL : &model->threads[index]->own.off_cpu;

	if (!off || !off->told || off->late) /* intervals after the first event are late */
		return PART_OFF_CPU_UNKNOWN;
	return part->thread->own.off_cpu.late ? PART_OFF_CPU_MIXED : PART_OFF_CPU_KNOWN;
}

static bool needs_serial(const struct model *model, const struct part *part)
{
	return part->context.starved || diag_status(part->context.diag) || tree_was_pruned(&part->thread->own.tree) ||
	       tree_was_pruned(&part->context.profile->tree) || tree_was_pruned(&model->context.profile->tree) ||
	       model->context.search_left + part->context.search_left < THREAD_SEARCH_ALL + THREAD_SEARCH_ALL / 2;
}

static bool join_thread_tree(struct profile *into, const struct profile *from, uint32_t stream)
{
	struct tree *own;

	if (from->tree.count <= TREE_ROOT + 1 && !from->tree.nodes[TREE_ROOT].self)
		return true;
	own = thread_trees_get(&into->thread_trees, stream);
	return own && tree_merge(own, &from->tree);
}

enum part_joined model_join(struct model *model, struct part *part)
{
	uint32_t index = model_find_thread(model, part->thread->own.row.stream);
	struct thread *thread = index == UINT32_MAX ? NULL : model->threads[index];
	bool at = part->first ? thread && !thread->own.pair.capacity
			      : thread && thread_matches_part_start(
						  thread, part->thread, part->open, part->open_count, part->open_ticks);
	struct profile *into = model->context.profile, *from = part->context.profile;

	if (thread && !thread->selected)
		return PART_JOINED;
	/* If the recorder held the thread up before the part, totals that on_call already got in the part are too long. */
	at = at && !(part->context.options.on_call &&
			   off_cpu_has_held(&thread->own.off_cpu, &part->thread->own.off_cpu));
	if (part->failed || !at)
		return PART_REFEED;
	if (needs_serial(model, part))
		return PART_SERIAL;
	model->context.carry_context = part->context.options.context;
	model->context.search_left -= THREAD_SEARCH_ALL - part->context.search_left;
	if (!thread_join(thread, &model->context, part->thread) || !profile_move_functions(into, from) ||
		!by_thread_merge(&into->by_thread, &from->by_thread))
		return PART_SERIAL;
	if (!model->context.options.no_tree && !tree_join(&into->tree, &from->tree, NULL, 0))
		return PART_SERIAL;
	if (model->context.options.thread_trees && !join_thread_tree(into, from, part->thread->own.row.stream))
		return PART_SERIAL;
	functions_share_keep(part->context.functions);
	return !tree_was_pruned(&model->context.profile->tree) ? PART_JOINED : PART_SERIAL;
}

bool model_begin_parts(struct model *model)
{
	if (!model->own_functions)
		return false;
	model->share = make_functions_share(model->own_functions);
	if (!model->share)
		return false;
	functions_begin_sharing(model->own_functions);
	model->context.functions = model->share;
	/* Only the tree shows the callers of throttled functions, whose times have to be marked. */
	if (model->throttled.count && model->context.options.want_profile)
		model->context.options.no_tree = false;
	return true;
}

void model_at_chunk(struct model *model, uint64_t chunk, uint64_t offset, bool fresh)
{
	functions_share_keep(model->share);
	functions_share_begin(model->share, chunk, offset, fresh);
	/* Look "(unknown)" up again: ids are in order of first use, and this chunk may use "(unknown)" before the failed part
	 * did. */
	model->context.unknown_id = FUNCTION_NONE;
}

void model_end_stream(struct model *model, uint32_t stream)
{
	uint32_t index = model_find_thread(model, stream);

	if (index != UINT32_MAX && model->threads[index]->own.row.ended)
		thread_shrink(model->threads[index], &model->context);
}

bool model_end_parts(struct model *model, uint32_t **take_map, size_t *functions)
{
	size_t count = functions_count(model->own_functions);
	uint32_t *map;
	bool good = !tree_was_pruned(&model->context.profile->tree) && !model->context.starved &&
		    model->context.search_left >= THREAD_SEARCH_ALL / 2;

	functions_share_keep(model->share);
	free_functions_share(model->share);
	model->share = NULL;
	model->context.functions = model->own_functions;
	model->context.unknown_id = FUNCTION_NONE;
	if (!good)
		return false;
	map = functions_renumber(model->own_functions);
	good = map && profile_renumber(model->context.profile, map, count);
	for (size_t i = 0; good && i < model->thread_count; i++) {
		good = !tree_was_pruned(&model->threads[i]->own.tree) && thread_renumber(model->threads[i], map, count);
	}
	if (good && take_map) {
		*take_map = map;
		*functions = count;
	} else {
		free(map);
	}
	return good;
}
