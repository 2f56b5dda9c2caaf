/* slow_thread: copies the slots of each call of a named function into a tree, while the call is open.
 *
 * A tree has only the slots of one stack, from the enter of the call to the exit. While the thread runs another stack, recording is
 * off in the tree. */
#include "record/stage/slow_thread.h"

#include <stdlib.h>
#include <string.h>

#include "record/drain/drain_row.h"
#include "record/stage/sieve.h"
#include "record/stage/watcher.h"
#include "util/array.h"

#define OPEN_MAX 256u   /* trees that grow at a time, of different functions or stacks */
#define ROOM_FIRST 256u
#define ROOM_FOR_END 24u   /* free slots: for the end of a tree, and for what is appended between two checks of its room */
#define SPARE_SLOTS_MAX 8192u /* a tree's memory of up to so many slots goes on to the next tree */

/* A tree whose call is open, or has just ended. tree.function 0: a free place in slow_thread.open. */
struct growing {
	struct slow_tree tree;
	uint32_t high;    /* the clock's upper half, as the tree's slots have it */
	uint32_t dropped; /* events left out since the tree was cut */
	bool is_paused;     /* the thread runs another stack than the call's: the tree is paused */
	bool is_last;     /* the tree has the last event: add the event's values to the tree, too */
	bool has_ended;     /* the call has ended: values may follow */
	bool ended_without_exit;     /* the call has ended without an exit */
};

struct slow_thread {
	struct watcher_thread watch;
	struct slow_trees *trees;
	uint32_t stream;
	struct dwell_slot_cursor cursor;
	struct growing open[OPEN_MAX];
	uint32_t open_count;
	uint64_t next_tags[2]; /* tags about the next event */
	uint32_t next_tag_count;
	/* Time in which the recorder holds the thread up: since when (0: not now); and the sum of all earlier times. */
	uint64_t held_since_ticks, held_up_ticks;
	uint64_t first_ticks, last_ticks;
	bool has_begun;
	uint64_t *spare; /* memory of a discarded tree, for the next tree */
	uint32_t spare_capacity;
};

/* Sets the time of the tree's end, and the time in which the recorder held its call up. */
static void set_tree_end(struct slow_thread *thread, struct slow_tree *tree, uint64_t ticks)
{
	uint64_t held_ticks = thread->held_up_ticks - tree->held_ticks;

	tree->exit_ticks = ticks;
	/* A call left by a jump ended before the stage noticed the jump, so the held-up time may exceed the time of the call. */
	tree->held_ticks = held_ticks < ticks - tree->enter_ticks ? held_ticks : ticks - tree->enter_ticks;
}

/* Notes the end of a call in its tree. call->user: the tree's index in open, plus 1; 0: the call has no tree. */
static void note_call_end(void *context, const struct dwell_call *call)
{
	struct slow_thread *thread = context;
	struct growing *growing;

	if (!call->user || call->user > thread->open_count)
		return;
	growing = &thread->open[call->user - 1];
	set_tree_end(thread, &growing->tree, call->exit_ticks);
	growing->has_ended = true;
	growing->ended_without_exit = call->flags & (DWELL_CALL_UNWOUND | DWELL_CALL_GAP | DWELL_CALL_OPEN);
}

struct stage_thread *make_slow_thread(struct slow_trees *trees, const struct stage_source *source)
{
	struct slow_thread *thread = calloc(1, sizeof *thread);

	if (!thread || !watcher_thread_begin(&thread->watch, slow_trees_get_finder(trees), source->process, note_call_end)) {
		free(thread);
		return NULL;
	}
	thread->trees = trees;
	thread->stream = source->stream;
	return &thread->watch.thread;
}

void slow_thread_clear(struct stage_thread *of)
{
	struct slow_thread *thread = (struct slow_thread *)of;

	for (uint32_t i = 0; i < thread->open_count; i++)
		free(thread->open[i].tree.slots);
	free(thread->spare);
}

/* ---- slots of a tree ---- */

/* Appends a slot. ROOM_FOR_END is enough for all that recorders write at the end of a call. Only slots that no recorder writes,
 * such as many values of one event, find no room: drops these. */
static void put_slot(struct growing *growing, uint64_t slot)
{
	struct slow_tree *tree = &growing->tree;

	if (tree->count < tree->capacity)
		tree->slots[tree->count++] = slot;
}

/* Appends a TIME, if the clock's upper half has changed since the tree's last one. */
static void put_high(struct growing *growing, uint64_t ticks)
{
	if (growing->high == (uint32_t)(ticks >> 32))
		return;
	growing->high = (uint32_t)(ticks >> 32);
	put_slot(growing, dwell_slot_make(DWELL_TAG_TIME, growing->high));
}

static void put_tag(struct growing *growing, uint32_t tag, uint64_t ticks)
{
	put_high(growing, ticks);
	put_slot(growing, dwell_slot_make(tag, (uint32_t)ticks));
}

/* False: no memory, or the tree is too large. */
static bool grow(struct slow_thread *thread, struct slow_tree *tree)
{
	uint32_t capacity = tree->capacity ? tree->capacity * 2 : ROOM_FIRST;
	uint64_t *slots;

	if (tree->count >= SLOW_TREE_SLOTS || (tree->capacity && !slow_trees_has_room(thread->trees, capacity)) ||
		!(slots = realloc(tree->slots, capacity * sizeof *slots)))
		return false;
	tree->slots = slots;
	tree->capacity = capacity;
	return true;
}

/* Writes a gap in place of the events left out since the cut of the tree. The gap ends all calls that were open at the cut, except
 * the outermost call, the tree's own. So readers get lower bounds for the ended calls. Without the gap, readers could take the
 * tree's exit for the exit of an enclosed call of the same function. */
static void put_gap(struct growing *growing)
{
	const uint64_t time = dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(growing->tree.enter_ticks >> 32));
	struct follower *calls = make_follower();
	uint32_t pops = DWELL_LOST_ALL;

	if (calls) {
		follower_feed(calls, &time, 1);
		follower_feed(calls, growing->tree.slots, growing->tree.count);
		pops = follower_depth(calls) ? follower_depth(calls) - 1 : 0;
		free_follower(calls);
	}
	put_slot(growing, dwell_slot_make(DWELL_TAG_LOST, growing->dropped));
	put_slot(growing, dwell_slot_make(DWELL_TAG_LOST_POPS, pops));
	put_slot(growing, dwell_slot_make(DWELL_TAG_LOST_PUSHES, 0));
}

/* Whether the tree has room for more slots and for its end. If not, a gap lasts from here to its end. */
static bool is_growing(struct slow_thread *thread, struct growing *growing)
{
	struct slow_tree *tree = &growing->tree;

	tree->is_cut |= tree->count + ROOM_FOR_END >= tree->capacity && !grow(thread, tree);
	return !tree->is_cut;
}

/* Keeps the tree's memory for the next tree, or frees it. */
static void spare(struct slow_thread *thread, struct slow_tree *tree)
{
	if (thread->spare || tree->capacity > SPARE_SLOTS_MAX) {
		free(tree->slots);
	} else {
		thread->spare = tree->slots;
		thread->spare_capacity = tree->capacity;
	}
}

/* Begins a tree with slot, the enter of a call of the function. function: the finder's number. */
static void begin(struct slow_thread *thread, uint32_t function, const struct dwell_slot_event *event, uint64_t slot)
{
	struct dwell_frame *frame = follower_top_frame(thread->watch.thread.calls);
	const struct dwell_pair *pair = thread->watch.thread.calls->fold.pair;
	struct growing *growing;

	/* If an open call of the function has a tree, the call becomes part of that tree. */
	for (uint32_t i = pair->depth - (frame != NULL); thread->open_count && i--;)
		if (pair->frames[i].user && pair->frames[i].user <= thread->open_count &&
			thread->open[pair->frames[i].user - 1].tree.function == function)
			return;
	if (!frame || thread->open_count == OPEN_MAX) {
		slow_trees_count_missed(thread->trees);
		return;
	}
	growing = &thread->open[thread->open_count];
	*growing = (struct growing){.tree = {.slots = thread->spare,
					    .capacity = thread->spare_capacity,
					    .function = function,
					    .stream = thread->stream,
					    .stack = thread->watch.thread.calls->fold.stack,
					    .enter_ticks = event->ticks,
					    .held_ticks = thread->held_up_ticks,
					    .events = 1},
		.high = (uint32_t)(event->ticks >> 32),
		.is_last = true};
	thread->spare = NULL;
	thread->spare_capacity = 0;
	if (!growing->tree.capacity && !grow(thread, &growing->tree)) {
		slow_trees_count_missed(thread->trees);
		return;
	}
	frame->user = ++thread->open_count;
	for (uint32_t i = 0; i < thread->next_tag_count; i++)
		put_slot(growing, thread->next_tags[i]);
	put_slot(growing, slot);
}

/* Writes the end of a call without an exit. */
static void put_end(struct growing *growing)
{
	struct slow_tree *tree = &growing->tree;

	if (tree->is_cut)
		put_gap(growing);
	else if (growing->is_paused)
		put_tag(growing, DWELL_TAG_ON, tree->exit_ticks);
	put_tag(growing, DWELL_TAG_UNWIND_JUMP, tree->exit_ticks);
	put_slot(growing, dwell_slot_make(DWELL_TAG_LANDED, 0));
}

/* Gives the trees of ended calls to slow_trees_add. Frames refer to trees by index, so the trees of open calls stay in place. */
static void deliver_ended_trees(struct slow_thread *thread)
{
	for (uint32_t i = 0; i < thread->open_count; i++) {
		struct growing *growing = &thread->open[i];

		if (!growing->has_ended || !growing->tree.function)
			continue;
		if (growing->ended_without_exit)
			put_end(growing);
		if (!slow_trees_add(thread->trees, &growing->tree))
			spare(thread, &growing->tree); /* most trees are not kept */
		*growing = (struct growing){0};
	}
	while (thread->open_count && !thread->open[thread->open_count - 1].tree.function)
		thread->open_count--;
}

/* ---- slots of the thread ---- */

static void note_ticks(struct slow_thread *thread, uint64_t ticks)
{
	if (!thread->has_begun)
		thread->first_ticks = ticks;
	thread->has_begun = true;
	thread->last_ticks = ticks > thread->last_ticks ? ticks : thread->last_ticks;
}

/* The thread runs stack from now on: pauses the trees of other stacks, and resumes the trees of this stack. */
static void switch_to_stack(struct slow_thread *thread, uint32_t stack, uint64_t ticks)
{
	for (uint32_t i = 0; i < thread->open_count; i++) {
		struct growing *growing = &thread->open[i];
		bool is_paused = growing->tree.stack != stack;

		if (!growing->tree.function || growing->has_ended || is_paused == growing->is_paused)
			continue;
		if (!growing->tree.is_cut)
			put_tag(growing, is_paused ? DWELL_TAG_OFF : DWELL_TAG_ON, ticks);
		growing->is_paused = is_paused;
	}
}

static void append_event(struct slow_thread *thread, struct growing *growing, uint64_t ticks, uint64_t slot)
{
	growing->is_last = false;
	if (growing->has_ended && growing->ended_without_exit)
		return;
	if (growing->has_ended) {
		/* The tree always gets its call's exit. */
		if (growing->tree.is_cut)
			put_gap(growing);
	} else if (growing->is_paused) {
		return;
	} else if (!is_growing(thread, growing)) {
		growing->dropped += growing->dropped < UINT32_MAX;
		return;
	}
	put_high(growing, ticks);
	for (uint32_t i = 0; i < thread->next_tag_count; i++)
		put_slot(growing, thread->next_tags[i]);
	put_slot(growing, slot);
	growing->tree.events++;
	growing->is_last = true;
}

static void take_event(struct slow_thread *thread, uint64_t slot, const struct dwell_slot_event *event)
{
	struct dwell_fold *fold = &thread->watch.thread.calls->fold;
	uint32_t function = 0, before;

	thread->watch.thread.figures.seen_events++;
	deliver_ended_trees(thread);
	if (event->kind == DWELL_SLOT_ENTER)
		function = filter_find_place(
			thread->watch.finder, &thread->watch.memory, thread->watch.process, event->place, event->ticks);
	note_ticks(thread, event->ticks);
	switch_to_stack(thread, fold->next_stack, event->ticks);
	dwell_fold_slots(fold, thread->next_tags, thread->next_tag_count);
	dwell_fold_slots(fold, &slot, 1);
	before = thread->open_count;
	for (uint32_t i = 0; i < before; i++)
		if (thread->open[i].tree.function)
			append_event(thread, &thread->open[i], event->ticks, slot);
	if (function)
		begin(thread, function, event, slot);
	thread->next_tag_count = 0;
}

static void note_held(struct slow_thread *thread, const struct dwell_slot_event *event)
{
	if (event->tag == DWELL_TAG_HELD_END && thread->held_since_ticks && event->ticks > thread->held_since_ticks)
		thread->held_up_ticks += event->ticks - thread->held_since_ticks;
	thread->held_since_ticks = event->tag == DWELL_TAG_HELD ? event->ticks : 0;
}

static void take_tag(struct slow_thread *thread, uint64_t slot, const struct dwell_slot_event *event)
{
	struct dwell_fold *fold = &thread->watch.thread.calls->fold;
	bool is_of_last = sieve_is_value((uint32_t)slot), has_stamp = dwell_slot_tag_has_stamp((uint32_t)slot);

	if (!is_of_last)
		deliver_ended_trees(thread);
	if (has_stamp) {
		note_held(thread, event);
		note_ticks(thread, event->ticks);
		switch_to_stack(thread, fold->next_stack, event->ticks);
	}
	dwell_fold_slots(fold, &slot, 1);
	if ((uint32_t)slot == DWELL_TAG_TIME || (uint32_t)slot == DWELL_TAG_STACK || (uint32_t)slot == DWELL_TAG_HOLE)
		return;
	for (uint32_t i = 0; i < thread->open_count; i++) {
		struct growing *growing = &thread->open[i];

		if (!growing->tree.function || growing->is_paused || (growing->has_ended && growing->ended_without_exit) ||
			(is_of_last && !growing->is_last) || (!is_of_last && growing->has_ended))
			continue;
		if (!growing->has_ended && !is_growing(thread, growing))
			continue;
		if (has_stamp)
			put_high(growing, event->ticks);
		put_slot(growing, slot);
	}
}

static void take_slot(struct watcher_thread *watch, const uint64_t *at)
{
	struct slow_thread *thread = (struct slow_thread *)watch;
	uint64_t slot = *at;
	uint32_t tag = (uint32_t)slot;
	struct dwell_slot_event event;

	dwell_slot_decode(&thread->cursor, slot, &event);
	if (tag >= DWELL_TAG_LIMIT) {
		take_event(thread, slot, &event);
	} else if (tag == DWELL_TAG_WINDOW || tag == DWELL_TAG_ENTRY) {
		thread->next_tag_count %= sizeof thread->next_tags / sizeof *thread->next_tags;
		thread->next_tags[thread->next_tag_count++] = slot;
	} else {
		if (tag == DWELL_TAG_HOLE)
			thread->next_tag_count = 0;
		take_tag(thread, slot, &event);
	}
}

/* ---- rows: slots that begin or end no tree, without unusual tags ---- */

static bool takes_rows(const struct growing *growing)
{
	return growing->tree.function && !growing->is_paused && !growing->tree.is_cut;
}

/* Returns count, or less: as many slots as fit into each tree before it has to grow. */
static uint32_t find_room(const struct slow_thread *thread, uint32_t count)
{
	for (uint32_t i = 0; i < thread->open_count; i++) {
		const struct slow_tree *tree = &thread->open[i].tree;
		uint32_t used = tree->count + ROOM_FOR_END + 1; /* a TIME may come first */

		if (takes_rows(&thread->open[i]) && tree->capacity < used + count)
			count = tree->capacity < used ? 0 : tree->capacity - used;
	}
	return count;
}

static void append_row(struct growing *growing, const uint64_t *slots, uint32_t count, uint32_t events, uint64_t first_ticks)
{
	struct slow_tree *tree = &growing->tree;

	growing->is_last = takes_rows(growing);
	if (tree->is_cut && !growing->is_paused)
		growing->dropped += events < UINT32_MAX - growing->dropped ? events : UINT32_MAX - growing->dropped;
	if (!growing->is_last)
		return;
	put_high(growing, first_ticks);
	tree->events += events;
	if (events == count) {
		memcpy(tree->slots + tree->count, slots, count * sizeof *slots);
		tree->count += count;
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		if (!dwell_slot_is_tag(slots[i]))
			tree->slots[tree->count++] = slots[i];
}

/* Appends a row of slots to the growing trees. Returns the number of slots taken, 0 to count. */
static uint32_t take_row(struct watcher_thread *watch, const uint64_t *slots, uint32_t count)
{
	struct slow_thread *thread = (struct slow_thread *)watch;
	struct dwell_fold *fold = &thread->watch.thread.calls->fold;
	uint64_t before = fold->summary.events, first_ticks;
	uint32_t events, first = 0;

	if (thread->next_tag_count)
		return 0;
	deliver_ended_trees(thread);
	count = drain_fold_row(fold, slots, find_room(thread, count));
	events = (uint32_t)(fold->summary.events - before);
	if (!events)
		return count;
	while (dwell_slot_is_tag(slots[first]))
		first++;
	first_ticks = (uint64_t)thread->cursor.high << 32 | slots[first] >> 32;
	thread->watch.thread.figures.seen_events += events;
	thread->cursor.last_ticks = fold->cursor.last_ticks;
	note_ticks(thread, first_ticks);
	note_ticks(thread, fold->cursor.last_ticks);
	for (uint32_t i = 0; i < thread->open_count; i++)
		append_row(&thread->open[i], slots, count, events, first_ticks);
	return count;
}

/* The thread has no more slots: gives the trees of open calls to slow_trees_add, too. of: describes the thread. */
static void finish(struct slow_thread *thread, const struct message_thread *of)
{
	deliver_ended_trees(thread);
	for (uint32_t i = 0; i < thread->open_count; i++) {
		struct growing *growing = &thread->open[i];

		if (!growing->tree.function)
			continue;
		growing->tree.is_open = true;
		set_tree_end(thread, &growing->tree, thread->last_ticks);
		/* A paused or cut tree needs a tag to show where it ends. */
		if (growing->tree.is_cut)
			put_gap(growing);
		if (growing->is_paused || growing->tree.is_cut)
			put_tag(growing, DWELL_TAG_ON, thread->last_ticks);
		if (!slow_trees_add(thread->trees, &growing->tree))
			spare(thread, &growing->tree);
	}
	thread->open_count = 0;
	if (thread->has_begun)
		slow_trees_end_stream(thread->trees, of, thread->first_ticks, thread->last_ticks);
}

void slow_thread_take(struct stage_thread *of, struct stage_batch *batch, const struct follower *open)
{
	struct slow_thread *thread = (struct slow_thread *)of;

	(void)open;
	watcher_thread_slots(&thread->watch, batch->slots, batch->count, take_row, take_slot);
	batch->count = 0;
	if (batch->is_last && batch->thread)
		finish(thread, batch->thread);
}
