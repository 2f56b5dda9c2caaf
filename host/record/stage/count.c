/* count: adds up calls path by path, and writes the sums now and then. */
#include "record/stage/count.h"

#include <stdlib.h>

#include "record/drain/drain_row.h"
#include "record/stage/path_sums.h"
#include "record/stage/sums_period.h"
#include "util/array.h"

/* Figures of the thread as a whole. */
struct count_figures {
	uint64_t lost_ticks, held_ticks, lost_events, unmatched_exits, unwound_calls, beyond_calls, backward_events;
};

struct count {
	struct stage_thread thread;
	uint32_t stream;
	struct mapping_changes_view mapping_changes; /* the changes of code, where sums end */
	struct dwell_fold_calls listener;
	struct path_sums sums;
	struct sums_period period;
	uint64_t events, no_entry_calls, gap_calls; /* counts since the last sums were written */
	struct count_figures forgotten;             /* figures of the stacks forgotten by the follower (follower.h) */
	uint32_t forgotten_deepest;
	struct count_figures written_figures;                  /* figures in the sums written so far */
	uint64_t late_stamps;                       /* stamps corrected before this stage; each counts as a backward event */
	bool has_unwritten_slots;                              /* slots were counted since the last sums were written */
	struct message_sum_frame *frames;           /* memory for the open calls in a message */
	size_t frame_capacity;
};

static void add_call(void *context, const struct dwell_call *call)
{
	struct count *count = context;
	struct dwell_pair *pair = count->thread.calls->fold.pair; /* the stack of the call */

	path_sums_reserve(&count->sums, pair->depth + 1);
	dwell_paths_add(&count->sums.paths, pair->frames, pair->depth, call);
	count->no_entry_calls += dwell_pair_began_before(pair, call->flags);
	count->gap_calls += (call->flags & DWELL_CALL_GAP) != 0;
}

static void add_figures(struct count_figures *to, const struct dwell_pair *pair);

/* Adds a stack's figures to those of earlier forgotten stacks. The open calls of the stack end when it was suspended. */
static void forget_stack(void *context, struct dwell_pair *pair)
{
	struct count *count = context;
	struct dwell_fold *fold = &count->thread.calls->fold;
	struct dwell_pair *running = fold->pair;
	struct dwell_call call;

	pair->beyond_calls += pair->depth;
	dwell_pair_leave_all(pair);
	fold->pair = pair;
	while (dwell_pair_pop(pair, &call))
		add_call(count, &call);
	fold->pair = running;
	add_figures(&count->forgotten, pair);
	if (pair->deepest > count->forgotten_deepest)
		count->forgotten_deepest = pair->deepest;
}

static void clear_thread(struct stage_thread *thread)
{
	struct count *count = (struct count *)thread;

	path_sums_end(&count->sums);
	free(count->frames);
}

static struct count *make_count(void)
{
	struct count *count = calloc(1, sizeof *count);

	if (!count)
		return NULL;
	count->thread.calls = make_follower();
	if (!count->thread.calls || !path_sums_begin(&count->sums)) {
		clear_thread(&count->thread);
		free_follower(count->thread.calls);
		free(count);
		return NULL;
	}
	follower_set_without_held(count->thread.calls);
	count->thread.calls->on_forget = forget_stack;
	count->thread.calls->context = count;
	count->listener = (struct dwell_fold_calls){count, add_call};
	dwell_fold_set_calls(&count->thread.calls->fold, &count->listener);
	return count;
}

/* Counts a mark as a call without duration, named by the mark's text. The text is the next slot of the batch; a mark without this
 * slot has no text. next, end: the slots behind the mark. */
static void add_mark(struct count *count, const uint64_t *next, const uint64_t *end)
{
	bool has_text = next < end && (uint32_t)*next == DWELL_TAG_MARK_TEXT;
	struct dwell_pair *pair = count->thread.calls->fold.pair;
	const struct dwell_call mark = {.id = MESSAGE_MARK_PLACE + (has_text ? *next >> 32 : 0), .depth = pair->depth};

	add_call(count, &mark);
	count->events += 2;
}

/* Counts slots. more: the number of slots of the batch behind these slots. */
static void count_slots(struct count *count, const uint64_t *slots, uint32_t slot_count, uint32_t more)
{
	struct dwell_fold *fold = &count->thread.calls->fold;
	uint64_t before = count->events;

	dwell_fold_begin(fold);
	for (uint32_t done = 0, part; done < slot_count; done += part) {
		part = drain_count_row(fold, slots + done, slot_count - done, &count->sums);
		if (done + part == slot_count)
			break;
		/* The row ends at a slot that drain_count_row does not take. */
		dwell_fold_slots(fold, slots + done + part, 1);
		if ((uint32_t)slots[done + part] == DWELL_TAG_MARK)
			add_mark(count, slots + done + part + 1, slots + slot_count + more);
		part++;
	}
	count->events += fold->summary.events;
	count->has_unwritten_slots |= slot_count != 0;
	count->thread.figures.counted_events += count->events - before;
}

/* ---- sums ---- */

/* Adds the figures of one stack. Lost time includes lost time that is not charged to a stack yet. */
static void add_figures(struct count_figures *to, const struct dwell_pair *pair)
{
	to->lost_ticks += pair->lost_ticks + pair->wait_lost_ticks;
	to->held_ticks += pair->held_ticks;
	to->lost_events += pair->lost_events;
	to->unmatched_exits += pair->unmatched_exits;
	to->unwound_calls += pair->unwound_calls;
	to->beyond_calls += pair->beyond_calls;
	to->backward_events += pair->backward_events;
}

static struct count_figures get_figures(const struct count *count)
{
	const struct follower *calls = count->thread.calls;
	struct count_figures figures = count->forgotten;

	figures.backward_events += count->late_stamps;
	for (size_t i = 0; i < calls->stack_count; i++)
		add_figures(&figures, &calls->stacks[i]->pair);
	return figures;
}

/* Includes the stack's first time and its greatest depth in the message. */
static void note_stack(struct message_sums *message, const struct dwell_pair *pair)
{
	if (!dwell_pair_has_begun(pair))
		return;
	if (pair->first_ticks < message->first_ticks)
		message->first_ticks = pair->first_ticks;
	if (pair->deepest > message->deepest)
		message->deepest = pair->deepest;
}

/* Adds the open calls of one stack to the message. The calls of a suspended stack have lasted until the suspension. So in the
 * message their times of entry are later, by the time since the suspension. False: no memory. */
static bool add_stack_frames(struct count *count, struct message_sums *message, struct dwell_pair *pair, uint32_t stack)
{
	struct dwell_paths *paths = &count->sums.paths;
	uint64_t suspended = message->last_ticks - pair->last_ticks;
	uint32_t first = message->frame_count;

	if (!array_reserve(
		    &count->frames, &count->frame_capacity, (size_t)message->frame_count + pair->depth, sizeof *count->frames))
		return false;
	path_sums_reserve(&count->sums, pair->depth + 1);
	for (uint32_t i = 0; i < pair->depth; i++) {
		const struct dwell_frame *frame = &pair->frames[i];
		uint32_t node = dwell_paths_find_open(paths, pair->frames, i + 1);

		/* The paths or the message have no room for deeper calls. Their time counts for the innermost call in the message,
		 * except for the time in finished callees, which was counted already. */
		if (node == DWELL_PATHS_NONE || message->frame_count == TRACE_WRITER_SUMS_MAX) {
			if (message->frame_count > first)
				count->frames[message->frame_count - 1].child_ticks += frame->child_ticks;
			continue;
		}
		count->frames[message->frame_count++] = (struct message_sum_frame){
			.node = node,
			.stack = stack,
			.no_entry = frame->flags & DWELL_CALL_NO_ENTRY,
			.is_piece = (frame->flags & DWELL_CALL_PIECE) != 0,
			.enter_ticks = frame->enter_ticks + suspended + pair->wait_held_ticks,
			.child_ticks = frame->child_ticks,
		};
	}
	/* Time still to be charged to the next stack does not belong to the innermost call. */
	if (message->frame_count > first)
		count->frames[message->frame_count - 1].child_ticks += pair->wait_stopped_ticks + pair->wait_lost_ticks;
	return true;
}

/* Includes the greatest depth of all stacks, and their first time, in the message. */
static void note_stacks(const struct count *count, struct message_sums *message)
{
	const struct follower *calls = count->thread.calls;

	message->deepest = count->forgotten_deepest;
	for (size_t i = 0; i < calls->stack_count; i++)
		note_stack(message, &calls->stacks[i]->pair);
}

/* Whether the sums have room for the paths of all open calls, beside the existing paths. */
static bool have_frames_room(struct count *count)
{
	uint64_t depth = follower_open_calls(count->thread.calls);

	return path_sums_reserve(&count->sums, depth < PATH_SUMS_NODES_MAX ? (uint32_t)depth + 1 : PATH_SUMS_NODES_MAX);
}

/* Adds the open calls of all stacks to the message. False: no memory. */
static bool add_all_frames(struct count *count, struct message_sums *message)
{
	const struct follower *calls = count->thread.calls;
	bool good = true;

	for (size_t i = 0; good && i < calls->stack_count; i++)
		good = add_stack_frames(count, message, &calls->stacks[i]->pair, calls->stacks[i]->number);
	message->frames = count->frames;
	return good;
}

/* Writes the sums since the last message, with the open calls if with_frames is set, and clears the sums. Without memory, clears
 * the sums unwritten. */
static void write_chunk(struct count *count, const struct stage_batch *batch, bool with_frames)
{
	struct count_figures now = get_figures(count);
	uint64_t last_ticks = count->thread.calls->fold.pair->last_ticks; /* the time of the running stack, which is the latest */
	struct message_sums message = {.stream = count->stream,
		.place_kind = DWELL_PLACE_LOW32,
		.is_all = true,
		.first_ticks = last_ticks,
		.last_ticks = last_ticks,
		.events = count->events,
		.lost_ticks = now.lost_ticks - count->written_figures.lost_ticks,
		.held_ticks = now.held_ticks - count->written_figures.held_ticks,
		.lost_events = now.lost_events - count->written_figures.lost_events,
		.unmatched_exits = now.unmatched_exits - count->written_figures.unmatched_exits,
		.unwound_calls = now.unwound_calls - count->written_figures.unwound_calls,
		.no_entry_calls = count->no_entry_calls,
		.gap_calls = count->gap_calls,
		.beyond_calls = now.beyond_calls - count->written_figures.beyond_calls,
		.backward_events = now.backward_events - count->written_figures.backward_events};

	note_stacks(count, &message);
	if ((!with_frames || add_all_frames(count, &message)) && path_sums_fill_message(&count->sums, &message))
		trace_writer_sums(batch->writer, &message);
	for (uint32_t i = 0; i < count->sums.paths.function_count; i++)
		address_set_add(&batch->buffers->places, (uint32_t)count->sums.paths.functions[i].place);
	path_sums_clear(&count->sums);
	count->written_figures = now;
	count->events = count->no_entry_calls = count->gap_calls = 0;
	count->has_unwritten_slots = false;
}

/* Writes the sums if slots were counted since the last message, and the sums are due or must is set. If the sums leave no room for
 * the paths of the open calls, the sums and the open calls become two messages. */
static void count_write(struct count *count, const struct stage_batch *batch, bool must)
{
	bool is_time = must || !batch->now_ns || sums_period_is_over(&count->period, batch->now_ns) ||
		       path_sums_is_worth_writing(&count->sums, count->thread.calls->fold.pair->depth);

	if (!is_time || !count->has_unwritten_slots)
		return;
	if (!have_frames_room(count))
		write_chunk(count, batch, false);
	write_chunk(count, batch, true);
}

/* ---- the stage ---- */

/* The number of slots between two checks of the room for sums: few enough that the sums of their calls fit (path_sums_is_full). */
#define COUNT_SLOTS 2048u

static struct stage_thread *begin_thread(struct stage *stage, const struct stage_source *source)
{
	struct count *count = make_count();

	(void)stage;
	if (!count)
		return NULL;
	count->stream = source->stream;
	count->mapping_changes =
		(struct mapping_changes_view){.mapping_changes = source->mapping_changes, .process = source->process};
	if (source->is_copy)
		follower_set_copy(count->thread.calls);
	return &count->thread;
}

/* Counts the slots, and writes the sums when due. Also writes the sums when code of a counted function was unmapped or replaced:
 * later the same addresses belong to other functions. */
static void take(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open)
{
	struct count *count = (struct count *)thread;
	const struct mapping_change *change;
	uint32_t done = 0, end, part;

	(void)open;
	count->late_stamps = batch->late_stamps;
	do {
		end = done + mapping_changes_split(&count->mapping_changes, thread->calls->fold.cursor, batch->slots + done,
				     batch->count - done, &change);
		for (; done < end; done += part) {
			part = end - done < COUNT_SLOTS ? end - done : COUNT_SLOTS;
			count_slots(count, batch->slots + done, part, batch->count - done - part);
			count_write(count, batch, false);
		}
		if (change && mapping_change_affects(change, &count->sums.paths))
			count_write(count, batch, true);
	} while (change);
	count_write(count, batch, false);
	batch->count = 0;
}

struct stage *make_count_stage(void)
{
	static const struct stage_type type = {
		.begin_thread = begin_thread, .take = take, .clear_thread = clear_thread, .in_order = true, .has_no_output = true};
	struct stage *stage = calloc(1, sizeof *stage);

	if (stage)
		stage->type = &type;
	return stage;
}
