/* SPDX-License-Identifier: MIT */

/* One word of 64 bits says all: machines that cannot change one at once have nothing to be counted in turn. */
#if __GCC_ATOMIC_LLONG_LOCK_FREE == 2
#include "core/relay.h"

#include "core/row.h"

const struct dwell_paths_size dwell_relay_size = {DWELL_RELAY_NODES, DWELL_RELAY_FUNCTIONS, DWELL_RELAY_OCTAVES};

/* Room for a stack to go on: what it grows by, too. */
#define SPARE_FRAMES 64u

/* ---- what is open ---- */

static struct dwell_relay_stack *find_stack(struct dwell_relay_state *state, uint32_t number)
{
	for (uint32_t i = 0; i < state->stack_count; i++)
		if (state->stacks[i].number == number)
			return &state->stacks[i];
	return 0;
}

static bool has_room(const struct dwell_relay_state *state, uint32_t frames)
{
	return frames <= DWELL_RELAY_THREAD_FRAMES - state->frame_count;
}

/* pre: there is room for it, in both. */
static struct dwell_relay_stack *add_stack(struct dwell_relay_turn *turn, uint32_t number, uint32_t capacity)
{
	struct dwell_relay_state *state = turn->state;
	struct dwell_relay_stack *stack = &state->stacks[state->stack_count++];

	stack->number = number;
	stack->first = state->frame_count;
	stack->capacity = capacity;
	stack->reserved = 0;
	state->frame_count += capacity;
	dwell_pair_init(&stack->pair, turn->frames + stack->first, capacity);
	stack->pair.is_copy = state->stacks[0].pair.is_copy;
	stack->pair.without_held = true;
	return stack;
}

static struct dwell_pair *find_pair(void *context, uint32_t number)
{
	struct dwell_relay_turn *turn = context;
	struct dwell_relay_stack *stack = find_stack(turn->state, number);

	return stack ? &stack->pair : &add_stack(turn, number, SPARE_FRAMES)->pair;
}

static struct dwell_relay_stack *stack_of(struct dwell_pair *pair)
{
	return (struct dwell_relay_stack *)(void *)((unsigned char *)pair - offsetof(struct dwell_relay_stack, pair));
}

/* Frames that it takes until the next stack of so many is twice as large. The last one grows where it is. */
static uint32_t growth(const struct dwell_relay_state *state, const struct dwell_relay_stack *stack)
{
	return stack->first + stack->capacity == state->frame_count ? stack->capacity : stack->capacity * 2;
}

static void grow_pair(void *context, struct dwell_pair *pair)
{
	struct dwell_relay_turn *turn = context;
	struct dwell_relay_stack *stack = stack_of(pair);
	uint32_t more = growth(turn->state, stack), first = turn->state->frame_count;

	turn->state->frame_count += more;
	if (more != stack->capacity) {
		for (uint32_t i = 0; i < pair->depth; i++)
			turn->frames[first + i] = pair->frames[i];
		stack->first = first;
	}
	stack->capacity *= 2;
	dwell_pair_grow(pair, turn->frames + stack->first, stack->capacity);
}

/* Whether what a slot may do to stacks finds room. Nothing may be forgotten here, since the drain forgets nothing. */
static bool may_fold(struct dwell_relay_turn *turn, uint64_t slot)
{
	struct dwell_relay_state *state = turn->state;
	uint32_t low = (uint32_t)slot, number = turn->fold.next_stack;
	bool begins = low == DWELL_TAG_STACK && slot >> 32 & DWELL_STACK_BEGINS;
	struct dwell_relay_stack *stack;

	if (low == DWELL_TAG_LOST_PUSHES && slot >> 32)
		return false; /* how many frames fit then must not matter */
	if (low == DWELL_TAG_LOST_POPS && slot >> 32 == DWELL_LOST_ALL)
		return false; /* of all stacks */
	if (begins)
		number = (uint32_t)(slot >> 32) & ~DWELL_STACK_BEGINS;
	stack = find_stack(state, number);
	if (!stack)
		return state->stack_count < DWELL_RELAY_STACKS && has_room(state, SPARE_FRAMES);
	return begins || !dwell_pair_full(&stack->pair) || has_room(state, growth(state, stack));
}

/* ---- sums ---- */

static void add_call(void *context, const struct dwell_call *call)
{
	struct dwell_relay_turn *turn = context;
	struct dwell_pair *pair = turn->fold.pair; /* that it was on */

	dwell_paths_add(&turn->paths, pair->frames, pair->depth, call);
	turn->state->no_entry_calls += dwell_pair_began_before(pair, call->flags);
	turn->state->gap_calls += (call->flags & DWELL_CALL_GAP) != 0;
}

/* A mark is a call of no time, by its text, which follows it in the same push; one that stands alone has none. */
static void add_mark(struct dwell_relay_turn *turn, uint64_t next)
{
	struct dwell_call mark;

	mark.id = DWELL_PATHS_MARK + ((uint32_t)next == DWELL_TAG_MARK_TEXT ? next >> 32 : 0);
	mark.enter_ticks = mark.exit_ticks = mark.total_ticks = mark.self_ticks = mark.user = 0;
	mark.depth = turn->fold.pair->depth;
	mark.flags = 0;
	add_call(turn, &mark);
	turn->state->events += 2;
}

/* Whether what so many slots finish may find no room: each may be a call of a function that was never called, on a path that was never
 * gone, and so may be all that are open. */
static bool is_nearly_full(const struct dwell_relay_turn *turn, uint32_t slots)
{
	const struct dwell_paths *paths = &turn->paths;
	uint64_t more = (uint64_t)slots + 1;

	for (uint32_t i = 0; i < turn->state->stack_count; i++)
		more += turn->state->stacks[i].pair.depth;
	return paths->full || paths->node_count + more > paths->size.nodes ||
	       paths->function_count + more > paths->size.functions || paths->octave_count + more > paths->size.octaves;
}

/* ---- turns ---- */

void dwell_relay_begin(struct dwell_relay *relay, uint64_t turnovers, bool is_copy)
{
	struct dwell_relay_state *state = dwell_relay_state(relay, 0);

	state->position = state->floor_ticks = state->cursor.last_ticks = 0;
	state->turnovers = turnovers;
	state->cursor.high = state->cursor.window = 0;
	state->stack = state->next_stack = state->above = state->unwound = state->changed_stacks = 0;
	state->can_go_on = 1;
	state->stack_count = 1;
	state->frame_count = 0;
	state->stacks[0].number = state->stacks[0].first = state->stacks[0].capacity = 0;
	dwell_pair_init(&state->stacks[0].pair, 0, 0);
	state->stacks[0].pair.is_copy = is_copy;
	state->stacks[0].pair.without_held = true;
	relay->claims[0] = relay->claims[1] = 0;
	__atomic_store_n(&relay->word, dwell_relay_word(DWELL_RELAY_FREE, 0, true, 0), __ATOMIC_SEQ_CST);
}

/* Stacks with their frames, one behind the other. What frames remember of paths is right where these are the same. */
static bool copy_stacks(
	struct dwell_relay_turn *turn, const struct dwell_relay_state *from, const struct dwell_frame *frames, bool keeps)
{
	for (uint32_t i = 0; i < from->stack_count; i++) {
		const struct dwell_relay_stack *old = &from->stacks[i];
		struct dwell_relay_stack *stack;
		uint32_t capacity = old->pair.depth + SPARE_FRAMES;

		if (!has_room(turn->state, capacity))
			return false;
		stack = add_stack(turn, old->number, capacity);
		stack->pair = old->pair;
		dwell_pair_grow(&stack->pair, turn->frames + stack->first, capacity);
		for (uint32_t k = 0; k < old->pair.depth; k++) {
			struct dwell_frame *frame = &turn->frames[stack->first + k];

			*frame = frames[old->first + k];
			frame->user = keeps ? frame->user : 0;
		}
	}
	return true;
}

static bool copy_state(struct dwell_relay_turn *turn, struct dwell_relay *relay, uint32_t buffer, bool keeps)
{
	const struct dwell_relay_state *from = dwell_relay_state(relay, buffer);
	struct dwell_relay_state *state = turn->state;
	void *memory = dwell_relay_paths(relay, turn->buffer);
	struct dwell_relay_stack *running;

	state->stack_count = state->frame_count = 0;
	if (!from->can_go_on || !copy_stacks(turn, from, dwell_relay_frames(relay, buffer), keeps) ||
		!(running = find_stack(state, from->stack)))
		return false;
	state->floor_ticks = from->floor_ticks;
	state->turnovers = from->turnovers;
	state->events = keeps ? from->events : 0;
	state->no_entry_calls = keeps ? from->no_entry_calls : 0;
	state->gap_calls = keeps ? from->gap_calls : 0;
	if (keeps) {
		dwell_paths_open(&turn->paths, dwell_relay_paths(relay, buffer), &dwell_relay_size, &from->paths);
		dwell_paths_move(&turn->paths, memory, &dwell_relay_size);
	} else {
		dwell_paths_init(&turn->paths, memory, &dwell_relay_size);
	}
	dwell_fold_init(&turn->fold, &running->pair, 0);
	turn->fold.cursor = from->cursor;
	turn->fold.stack = from->stack;
	turn->fold.next_stack = from->next_stack;
	turn->fold.above = from->above;
	turn->fold.unwound = from->unwound;
	turn->fold.changed_stacks = from->changed_stacks;
	turn->position = from->position;
	return true;
}

/* As if the turn had not been. */
static void drop(struct dwell_relay_turn *turn)
{
	bool stolen = dwell_relay_owner(turn->word) == DWELL_RELAY_STOLEN;

	/* The claim that goes with it is that of before: two changes ago. */
	dwell_relay_exchange(turn->relay, turn->word,
		dwell_relay_after(turn->word, stolen ? DWELL_RELAY_DRAIN : DWELL_RELAY_FREE, dwell_relay_buffer(turn->word),
			dwell_relay_is_taken(turn->word)));
}

/* Makes the word say that it is the thread's turn. A turn that the thread has already is one in which a child of vfork was killed, which
 * had the thread's place. */
static bool take_word(struct dwell_relay_turn *turn, bool steals)
{
	uint64_t word = dwell_relay_load(turn->relay), mine;
	enum dwell_relay_owner owner = dwell_relay_owner(word);

	turn->word = word;
	if (owner == DWELL_RELAY_THREAD || owner == DWELL_RELAY_STOLEN)
		return true;
	if (owner != DWELL_RELAY_FREE && !(owner == DWELL_RELAY_DRAIN && steals))
		return false;
	mine = dwell_relay_after(word, owner == DWELL_RELAY_FREE ? DWELL_RELAY_THREAD : DWELL_RELAY_STOLEN,
		dwell_relay_buffer(word), dwell_relay_is_taken(word));
	turn->word = mine;
	return dwell_relay_exchange(turn->relay, word, mine);
}

bool dwell_relay_take(struct dwell_relay *relay, struct dwell_relay_turn *turn, bool steals, uint64_t turnovers)
{
	uint32_t buffer;

	turn->relay = relay;
	if (!take_word(turn, steals))
		return false;
	buffer = dwell_relay_buffer(turn->word);
	turn->buffer = buffer == DWELL_RELAY_THREADS ? DWELL_RELAY_THREADS + 1 : DWELL_RELAY_THREADS;
	turn->state = dwell_relay_state(relay, turn->buffer);
	turn->frames = dwell_relay_frames(relay, turn->buffer);
	turn->stacks.context = turn->calls.context = turn;
	turn->stacks.find = find_pair;
	turn->stacks.grow = grow_pair;
	turn->calls.take = add_call;
	if (dwell_relay_state(relay, buffer)->turnovers != turnovers ||
		!copy_state(turn, relay, buffer, buffer >= DWELL_RELAY_THREADS && !dwell_relay_is_taken(turn->word))) {
		drop(turn);
		return false;
	}
	turn->counted = dwell_relay_owner(turn->word) == DWELL_RELAY_STOLEN
				? *dwell_relay_claim(relay, dwell_relay_after(turn->word, DWELL_RELAY_DRAIN, 0, false))
				: turn->position;
	dwell_fold_set_stacks(&turn->fold, &turn->stacks);
	return true;
}

/* Whether none of the stamps needs to be put right, as the drain sees it (in_order.c). Goes over all of it, so it is short. */
static bool is_in_order(const struct dwell_relay_turn *turn, const uint64_t *slots, uint32_t count)
{
	uint64_t high = (uint64_t)turn->fold.cursor.high << 32, last = turn->state->floor_ticks;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t low = (uint32_t)slots[i];
		uint64_t ticks = high | slots[i] >> 32;

		if (low == DWELL_TAG_TIME)
			high = slots[i] >> 32 << 32;
		if (low < DWELL_TAG_LIMIT && !dwell_slot_tag_has_stamp(low))
			continue;
		if (ticks < last)
			return false;
		last = ticks;
	}
	return true;
}

/* Slots of which all or none are counted already. So many more are behind them. */
static uint32_t fold_part(struct dwell_relay_turn *turn, const uint64_t *slots, uint32_t count, uint32_t more)
{
	bool counts = turn->position >= turn->counted, is_mark;
	uint32_t done = 0;

	if (!is_in_order(turn, slots, count))
		return 0;
	dwell_fold_set_calls(&turn->fold, counts ? &turn->calls : 0);
	dwell_fold_begin(&turn->fold);
	while (done < count) {
		done += counts ? dwell_row_fold(&turn->fold, slots + done, count - done, &turn->paths, 0, 0)
			       : dwell_row_fold(&turn->fold, slots + done, count - done, 0, 0, 0);
		if (done == count || !may_fold(turn, slots[done]))
			break;
		/* One that is unusual. */
		is_mark = counts && (uint32_t)slots[done] == DWELL_TAG_MARK;
		if (is_mark && done + 1 == count + more)
			break;
		dwell_fold_slots(&turn->fold, slots + done, 1);
		if (is_mark)
			add_mark(turn, slots[done + 1]);
		done++;
	}
	if (turn->fold.summary.events)
		turn->state->floor_ticks = turn->fold.summary.last_ticks;
	turn->state->events += counts ? turn->fold.summary.events : 0;
	turn->position += (uint64_t)done * DWELL_SLOT_BYTES;
	return done;
}

uint32_t dwell_relay_fold(struct dwell_relay_turn *turn, const uint64_t *slots, uint32_t count, bool presses)
{
	uint32_t done = 0, part, folded;

	while (done < count) {
		part = count - done < DWELL_BLOCK_SLOTS ? count - done : DWELL_BLOCK_SLOTS;
		if (turn->position < turn->counted && part > (turn->counted - turn->position) / DWELL_SLOT_BYTES)
			part = (uint32_t)((turn->counted - turn->position) / DWELL_SLOT_BYTES);
		if (turn->position >= turn->counted && !presses && is_nearly_full(turn, part))
			break;
		folded = fold_part(turn, slots + done, part, count - done - part);
		done += folded;
		if (folded < part)
			break;
	}
	return done;
}

bool dwell_relay_commit(struct dwell_relay_turn *turn)
{
	struct dwell_relay_state *state = turn->state;
	uint64_t word = dwell_relay_after(turn->word, DWELL_RELAY_THREAD, turn->buffer, false);

	if (turn->position < turn->counted ||
		turn->position == dwell_relay_state(turn->relay, dwell_relay_buffer(turn->word))->position) {
		drop(turn);
		return false;
	}
	state->position = turn->position;
	state->cursor = turn->fold.cursor;
	state->stack = turn->fold.stack;
	state->next_stack = turn->fold.next_stack;
	state->above = turn->fold.above;
	state->unwound = turn->fold.unwound;
	state->changed_stacks = turn->fold.changed_stacks;
	state->can_go_on = 1;
	state->paths = turn->paths;
	if (!dwell_relay_exchange(turn->relay, turn->word, word))
		return false;
	turn->word = word;
	return true;
}

void dwell_relay_release(struct dwell_relay_turn *turn)
{
	dwell_relay_exchange(turn->relay, turn->word,
		dwell_relay_after(turn->word, DWELL_RELAY_FREE, dwell_relay_buffer(turn->word), dwell_relay_is_taken(turn->word)));
}
#endif
