/* throttle_thread: what a throttle does with the slots of one thread. */
#include <stdlib.h>

#include "record/stage/throttle_inner.h"

#define FRAMES_MAX 65536u /* of a deeper stack nobody looks whether the function is open */
#define JUDGES_MAX 512u   /* processes at a time; further ones are recorded as they are. 48 MiB */

/* What was recorded, before anything is dropped. */
static void see(struct throttle_stream *stream, const uint64_t *slots, uint32_t count)
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

/* What waits for its moment, and whether that is now. */
struct choice {
	const struct throttle_process *process;
	uint64_t ticks;
	bool waits[THROTTLE_LIST_MAX];
	uint32_t ending; /* innermost frames that are such functions' */
};

static uint32_t find_waiting(const struct choice *choice, const struct dwell_frame *frame)
{
	uint32_t index = THROTTLE_LIST_MAX;

	if (frame->id != DWELL_ID_UNKNOWN)
		index = throttle_list_find(&choice->process->list, frame->id, choice->ticks);
	return index < THROTTLE_LIST_MAX && choice->waits[index] ? index : THROTTLE_LIST_MAX;
}

/* Functions with a frame among the outermost count must wait on. Returns whether any did not. */
static bool make_wait(struct choice *choice, const struct dwell_pair *pair, uint32_t count)
{
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = find_waiting(choice, &pair->frames[i]);

		if (index < THROTTLE_LIST_MAX)
			any = true, choice->waits[index] = false;
	}
	return any;
}

/* How much of the stack's inner end can be left: frames of what waits alone. */
static void find_ending(struct choice *choice, const struct dwell_pair *pair, uint32_t depth, uint32_t room)
{
	do {
		for (choice->ending = 0; choice->ending < depth && choice->ending < room; choice->ending++)
			if (find_waiting(choice, &pair->frames[depth - 1 - choice->ending]) == THROTTLE_LIST_MAX)
				break;
	} while (make_wait(choice, pair, depth - choice->ending));
}

static bool can_be_left(const struct dwell_pair *pair)
{
	return dwell_pair_is_settled(pair) && !pair->beyond && pair->depth <= FRAMES_MAX;
}

/* The exits of what is left, at the time of the last event. */
static void leave(struct throttle_stream *stream, const struct choice *choice, const struct dwell_fold *fold, uint32_t depth)
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

/* Chooses the moment, if it can be now, for what is waiting for it. open: behind what was passed on. */
static void choose(struct throttle_stream *stream, const struct follower *open)
{
	const struct dwell_fold *fold = &open->fold;
	uint32_t count = throttle_list_count(&stream->process->list), depth = fold->pair->depth, first = THROTTLE_LIST_MAX;
	struct choice choice = {.process = stream->process, .ticks = fold->cursor.last_ticks};

	__atomic_store_n(&stream->last_ticks, choice.ticks, __ATOMIC_RELAXED);
	if (stream->choosing == count || fold->next_stack != fold->stack || stream->exit_count > depth)
		return;
	for (size_t i = 0; i < open->stack_count; i++)
		if (!can_be_left(&open->stacks[i]->pair))
			return;
	depth -= stream->exit_count; /* their exits wait to be passed on */
	for (uint32_t i = stream->choosing; i < count; i++)
		choice.waits[i] = !stream->drops[i];
	for (size_t i = 0; i < open->stack_count; i++)
		if (&open->stacks[i]->pair != fold->pair)
			make_wait(&choice, &open->stacks[i]->pair, open->stacks[i]->pair.depth);
	find_ending(&choice, fold->pair, depth, THROTTLE_EXITS_MAX - stream->exit_count);
	leave(stream, &choice, fold, depth);
	if (!stream->is_dropping) /* slots were passed on as they are so far */
		stream->sieve.cursor = fold->cursor;
	stream->is_dropping = true;
	for (uint32_t i = stream->choosing; i < count; i++) {
		if (choice.waits[i])
			__atomic_store_n(&stream->drops[i], 1, __ATOMIC_RELEASE);
		else if (!stream->drops[i] && first == THROTTLE_LIST_MAX)
			first = i;
	}
	stream->choosing = first < THROTTLE_LIST_MAX ? first : count;
}

/* Counts what is dropped. */
static bool drops(struct sieve *sieve, uint64_t slot, const struct dwell_slot_event *event)
{
	struct throttle_stream *stream = (struct throttle_stream *)sieve;
	uint32_t index = throttle_list_find(&stream->process->list, event->place, event->ticks);

	(void)slot;
	if (index == THROTTLE_LIST_MAX || !stream->drops[index])
		return false;
	if (event->kind == DWELL_SLOT_ENTER)
		__atomic_fetch_add(&stream->dropped[index], 1, __ATOMIC_RELAXED);
	return true;
}

void throttle_take(struct stage_thread *thread, struct stage_run *run, const struct follower *open)
{
	struct throttle_stream *stream = (struct throttle_stream *)thread;

	if (run->count && !run->is_lost)
		see(stream, run->slots, run->count);
	if (open)
		choose(stream, open);
	if (stream->is_dropping && (run->count || run->is_last) &&
		sieve_run(&stream->sieve, run, stream->exits, stream->exit_count, drops, NULL))
		stream->exit_count = 0;
}
