/* throttle_thread: takes the slots of one thread for a throttle. Passes the slots to the judge, chooses the moment from which to
 * drop a function, and drops the function's events. */
#include <stdlib.h>
#include <string.h>

#include "record/stage/throttle_inner.h"

#define FRAMES_MAX 65536u /* in a deeper stack the stage does not search for calls of the function: no moment is chosen */
#define JUDGES_MAX 512u   /* processes with a judge of 48 KiB at a time; in further ones nothing is throttled */

/* Gives the recorded slots to the judge of the process, before the stage drops any. */
static void feed_judge(struct throttle_stream *stream, const uint64_t *slots, uint32_t count)
{
	struct throttle *throttle = stream->throttle;
	struct throttle_process *process = stream->process;

	pthread_mutex_lock(&throttle->lock);
	if (!process->judge && throttle->judges < JUDGES_MAX && (process->judge = calloc(1, sizeof *process->judge)))
		throttle->judges++;
	if (process->judge && throttle->cost.inner_ticks + throttle->cost.outer_ticks > 0)
		judge_feed(process->judge, slots, count, &throttle->cost);
	pthread_mutex_unlock(&throttle->lock);
}

/* Chooses functions whose moment is now, among the functions waiting for their moment. */
struct choice {
	const struct throttle_process *process;
	uint64_t ticks;
	bool waits[THROTTLE_LIST_MAX]; /* the function waits, and its moment may be now */
	uint32_t ending; /* number of innermost frames to end now, all frames of waiting functions */
};

/* The index of a frame's function in the list, if the function waits; THROTTLE_LIST_MAX: it does not. */
static uint32_t find_waiting(const struct choice *choice, const struct dwell_frame *frame)
{
	uint32_t index = THROTTLE_LIST_MAX;

	if (frame->id != DWELL_ID_UNKNOWN)
		index = throttle_list_find(&choice->process->list, frame->id, choice->ticks);
	return index < THROTTLE_LIST_MAX && choice->waits[index] ? index : THROTTLE_LIST_MAX;
}

/* Functions with a frame among the outermost count frames go on waiting: clears their flags in choice->waits. Returns whether any
 * was set. */
static bool clear_waits(struct choice *choice, const struct dwell_pair *pair, uint32_t count)
{
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = find_waiting(choice, &pair->frames[i]);

		if (index < THROTTLE_LIST_MAX)
			any = true, choice->waits[index] = false;
	}
	return any;
}

/* Finds how many of the innermost frames can end now: frames of waiting functions only, at most room. A function that also has an
 * outer frame goes on waiting; then fewer frames can end, so the search begins again. */
static void find_ending(struct choice *choice, const struct dwell_pair *pair, uint32_t depth, uint32_t room)
{
	do {
		for (choice->ending = 0; choice->ending < depth && choice->ending < room; choice->ending++)
			if (find_waiting(choice, &pair->frames[depth - 1 - choice->ending]) == THROTTLE_LIST_MAX)
				break;
	} while (clear_waits(choice, pair, depth - choice->ending));
}

/* Whether all frames of the stack are known, and few enough to search. */
static bool can_end_frames(const struct dwell_pair *pair)
{
	return dwell_pair_is_settled(pair) && !pair->beyond && pair->depth <= FRAMES_MAX;
}

/* Makes exits for the ending frames, at the time of the last event. */
static void end_frames(struct throttle_stream *stream, const struct choice *choice, const struct dwell_fold *fold, uint32_t depth)
{
	const struct dwell_slot_cursor *cursor = &fold->cursor;
	uint32_t low = cursor->last_ticks >> 32 == cursor->high ? (uint32_t)cursor->last_ticks : 0;

	for (uint32_t i = 0; i < choice->ending; i++) {
		const struct dwell_frame *frame = &fold->pair->frames[depth - 1 - i];
		uint32_t index = find_waiting(choice, frame);

		stream->exits[stream->exit_count++] = dwell_slot_exit((uint32_t)frame->id, low);
		__atomic_fetch_add(&stream->cut[index], 1, __ATOMIC_RELAXED);
	}
}

/* Makes the present moment the moment of each waiting function for which this is possible. open: the calls that are open in the
 * output so far. */
static void choose_moment(struct throttle_stream *stream, const struct follower *open)
{
	const struct dwell_fold *fold = &open->fold;
	uint32_t count = throttle_list_count(&stream->process->list), depth = fold->pair->depth, first = THROTTLE_LIST_MAX;
	struct choice choice = {.process = stream->process, .ticks = fold->cursor.last_ticks};

	__atomic_store_n(&stream->last_ticks, choice.ticks, __ATOMIC_RELAXED);
	if (stream->first_waiting == count || fold->next_stack != fold->stack || stream->exit_count > depth)
		return;
	for (size_t i = 0; i < open->stack_count; i++)
		if (!can_end_frames(&open->stacks[i]->pair))
			return;
	depth -= stream->exit_count; /* frames whose exits wait to be passed on */
	for (uint32_t i = stream->first_waiting; i < count; i++)
		choice.waits[i] = !stream->drops[i];
	for (size_t i = 0; i < open->stack_count; i++)
		if (&open->stacks[i]->pair != fold->pair)
			clear_waits(&choice, &open->stacks[i]->pair, open->stacks[i]->pair.depth);
	find_ending(&choice, fold->pair, depth, THROTTLE_EXITS_MAX - stream->exit_count);
	end_frames(stream, &choice, fold, depth);
	if (!stream->is_dropping) /* so far the stage has not changed any slots */
		stream->sieve.cursor = fold->cursor;
	stream->is_dropping = true;
	for (uint32_t i = stream->first_waiting; i < count; i++) {
		if (choice.waits[i])
			__atomic_store_n(&stream->drops[i], 1, __ATOMIC_RELEASE);
		else if (!stream->drops[i] && first == THROTTLE_LIST_MAX)
			first = i;
	}
	stream->first_waiting = first < THROTTLE_LIST_MAX ? first : count;
}

/* Counts the event in the function's open calls with a recorded entry. False: the event is the exit of a call that began while the
 * function was not recorded. */
static bool follow_open(struct throttle_stream *stream, uint32_t index, const struct dwell_slot_event *event)
{
	const struct throttled *throttled = throttle_list_at(&stream->process->list, index);
	uint32_t trial_count = __atomic_load_n(&throttled->trial_count, __ATOMIC_ACQUIRE);

	/* No exits were recorded between two trials, so calls left open by the earlier trial may have ended. */
	if (stream->trial_count[index] != trial_count && event->ticks >= throttled->trial_begin_ticks) {
		stream->trial_count[index] = trial_count;
		stream->open[index] = 0;
	}
	if (event->kind == DWELL_SLOT_ENTER) {
		stream->open[index]++;
		return true;
	}
	if (!stream->open[index])
		return false;
	stream->open[index]--;
	return true;
}

/* Whether to drop an event of a function that is recorded again. The stage drops calls that were open when the recording began
 * again, up to their ends, and all calls of the function inside. */
static bool drops_resumed(struct throttle_stream *stream, uint32_t index, const struct dwell_slot_event *event)
{
	bool has_entry;

	if (index == THROTTLE_LIST_MAX || !stream->drops[index])
		return false;
	stream->passes[index] |= !stream->open[index];
	has_entry = follow_open(stream, index, event);
	if (stream->passes[index])
		return !has_entry;
	if (event->kind == DWELL_SLOT_ENTER)
		__atomic_fetch_add(&stream->dropped[index], 1, __ATOMIC_RELAXED);
	return true;
}

/* Calls left by a jump get no exits, so the counts of open calls begin again. */
static uint32_t take_tag(struct sieve *sieve, const uint64_t *slots, uint32_t count, bool *kept)
{
	struct throttle_stream *stream = (struct throttle_stream *)sieve;
	uint32_t tag = (uint32_t)slots[0];

	(void)count;
	(void)kept;
	if (tag == DWELL_TAG_UNWIND_JUMP || tag == DWELL_TAG_UNWIND_CATCH)
		memset(stream->open, 0, sizeof stream->open);
	return 1;
}

/* Whether to drop the event. Counts dropped calls. */
static bool drops(struct sieve *sieve, uint64_t slot, const struct dwell_slot_event *event)
{
	struct throttle_stream *stream = (struct throttle_stream *)sieve;
	struct throttle_process *process = stream->process;
	uint32_t index = throttle_list_find(&process->list, event->place, event->ticks);

	(void)slot;
	if (index == THROTTLE_LIST_MAX || !stream->drops[index])
		return __atomic_load_n(&process->has_resumed, __ATOMIC_RELAXED) &&
		       drops_resumed(stream, throttle_list_find_resumed(&process->list, event->place, event->ticks), event);
	follow_open(stream, index, event);
	if (event->kind == DWELL_SLOT_ENTER)
		__atomic_fetch_add(&stream->dropped[index], 1, __ATOMIC_RELAXED);
	return true;
}

void throttle_take(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open)
{
	struct throttle_stream *stream = (struct throttle_stream *)thread;

	if (batch->count && !batch->is_lost)
		feed_judge(stream, batch->slots, batch->count);
	if (open)
		choose_moment(stream, open);
	if (stream->is_dropping && (batch->count || batch->is_last) &&
		sieve_batch(&stream->sieve, batch, stream->exits, stream->exit_count, drops, take_tag))
		stream->exit_count = 0;
}
