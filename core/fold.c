/* SPDX-License-Identifier: MIT
 *
 * Folding: turns slots into calls (fold.h).
 *
 * Each fold_… function handles one kind of slot: it drives the pairing of the current stack, and passes finished calls on.
 */
#include "core/fold.h"

/* Passes a finished call to the receiver, if the fold has one. */
static void add_call(const struct dwell_fold *fold, const struct dwell_call *call)
{
	if (fold->calls)
		fold->calls->take(fold->calls->context, call);
}

/* Counts the open frames: frames in memory, frames without room, and frames to push when the next event ends a gap. */
static inline uint32_t count_open(const struct dwell_pair *pair)
{
	return pair->depth + pair->beyond + pair->lost_pushes;
}

/* Lowers fold->lowest to the number of open frames. */
static inline void note_depth(struct dwell_fold *fold)
{
	uint32_t open = count_open(fold->pair);

	if (DWELL_RARELY(open < fold->lowest))
		fold->lowest = open;
}

/* Passes on all finished calls of the current stack. */
static void take_due(struct dwell_fold *fold)
{
	struct dwell_call call;

	while (dwell_pair_pop(fold->pair, &call))
		add_call(fold, &call);
	note_depth(fold);
}

/* Passes on all finished calls of the stack of this pairing, which may be suspended. */
static void take_due_of(struct dwell_fold *fold, struct dwell_pair *pair)
{
	struct dwell_pair *current = fold->pair;

	fold->pair = pair;
	take_due(fold);
	fold->pair = current;
}

/* The thread continues on the stack fold->next_stack: suspends the current stack's pairing, and resumes or begins the other one.
 * With one pairing for all stacks, or without memory for another, the pairing stays the same. */
static void change_stack(struct dwell_fold *fold, uint64_t ticks)
{
	struct dwell_pair *to = fold->stacks->find(fold->stacks->context, fold->next_stack);

	fold->changed_stacks = true;
	fold->stack = fold->next_stack;
	if (!to || to == fold->pair)
		return;
	/* The thread's time never goes back, even on another stack. */
	if (ticks < fold->pair->last_ticks)
		ticks = fold->pair->last_ticks;
	if (dwell_pair_has_begun(fold->pair))
		dwell_pair_stop(fold->pair, ticks);
	if (!dwell_pair_has_begun(to))
		dwell_pair_begin_stack(to, fold->pair);
	dwell_pair_continue(to, ticks); /* also begins a new pairing */
	dwell_pair_switch_stack(to, fold->pair);
	fold->pair = to;
}

/* A STACK tag: the stack of the next event. The change takes effect with that event, which has a time. With DWELL_STACK_BEGINS, the
 * calls open on that stack have ended. */
static void fold_stack(struct dwell_fold *fold, uint32_t payload)
{
	uint32_t number = payload & ~DWELL_STACK_BEGINS;
	struct dwell_pair *pair;

	if (!fold->stacks) {
		fold->changed_stacks |= number != fold->stack;
		fold->stack = fold->next_stack = number;
		return;
	}
	if (payload & DWELL_STACK_BEGINS) {
		pair = number == fold->stack ? fold->pair : fold->stacks->find(fold->stacks->context, number);
		if (pair) {
			dwell_pair_leave_all(pair);
			take_due_of(fold, pair);
		}
	}
	fold->next_stack = number;
}

static inline void fold_enter(struct dwell_fold *fold, const struct dwell_slot_event *event)
{
	if (DWELL_RARELY(fold->next_stack != fold->stack))
		change_stack(fold, event->ticks);
	if (DWELL_RARELY(dwell_pair_full(fold->pair)) && fold->stacks)
		fold->stacks->grow(fold->stacks->context, fold->pair);
	dwell_pair_enter(fold->pair, event->place, event->ticks);
}

/* An enter that never gets an exit: the call is counted, without a duration. */
static void fold_entry(struct dwell_fold *fold, const struct dwell_slot_event *event)
{
	struct dwell_call call;

	if (fold->next_stack != fold->stack)
		change_stack(fold, event->ticks);
	dwell_pair_count(fold->pair, event->place, event->ticks, &call);
	add_call(fold, &call);
	note_depth(fold);
}

/* An unwind has landed in an unknown call of the current stack: ends all open calls, and opens the call that continues, if its
 * function is known. */
static void end_misfit(struct dwell_fold *fold)
{
	if (!dwell_pair_settle_misfit(fold->pair))
		return;
	take_due(fold);
	if (dwell_pair_full(fold->pair) && fold->stacks)
		fold->stacks->grow(fold->stacks->context, fold->pair);
	dwell_pair_begin_landed(fold->pair);
}

static inline void fold_exit(struct dwell_fold *fold, const struct dwell_slot_event *event)
{
	struct dwell_call call;
	bool was_open;

	if (DWELL_RARELY(fold->next_stack != fold->stack))
		change_stack(fold, event->ticks);
	if (DWELL_RARELY(fold->pair->state) && dwell_pair_exit_is_misfit(fold->pair, event->place))
		end_misfit(fold);
	was_open = count_open(fold->pair);
	if (!dwell_pair_exit(fold->pair, event->place, event->ticks, &call)) {
		note_depth(fold);
		return;
	}
	fold->missing += !was_open;
	add_call(fold, &call);
	if (DWELL_RARELY(fold->pair->due | fold->pair->due_last))
		take_due(fold);
	note_depth(fold);
}

/* A LANDED tag: where an unwind landed. With DWELL_LANDED_ABOVE the payload is a number instead: so many of the innermost open
 * calls of the next LANDED's function end, too. Once a LANDED has fitted, later LANDEDs of one unwind are ignored. */
static void fold_landed(struct dwell_fold *fold, uint32_t payload)
{
	struct dwell_pair *pair = fold->pair;
	uint32_t above = fold->above;

	fold->above = payload & DWELL_LANDED_ABOVE ? payload >> 1 : 0;
	if (payload & DWELL_LANDED_ABOVE || !fold->unwound || !dwell_pair_is_landing(pair))
		return;
	uint32_t index = payload ? dwell_pair_find_open(pair, payload, above) : 0;

	if (!payload)
		dwell_pair_leave_all(pair);
	else if (index == UINT32_MAX)
		dwell_pair_misfit(pair, payload);
	else
		dwell_pair_land(pair, index);
}

/* A CALLER tag after an unwind. site: the call site of the next enter. The function that contains the site is open on that enter's
 * stack, so the unwind has landed in that function's call. */
static void fold_caller(struct dwell_fold *fold, uint32_t site)
{
	struct dwell_pair *pair = fold->pair;

	if (fold->next_stack != fold->stack)
		pair = fold->stacks->find(fold->stacks->context, fold->next_stack);
	if (!pair || !dwell_pair_is_landing(pair))
		return;
	if (dwell_pair_has_gap(pair)) {
		/* After a gap, unknown frames may be open, so the frame that dwell_pair_find_site guesses may be the wrong one. */
		dwell_pair_misfit(pair, DWELL_ID_UNKNOWN);
		return;
	}
	dwell_pair_land(pair, dwell_pair_find_site(pair, site));
	take_due_of(fold, pair);
}

/* A MARK tag: a mark proves that the innermost call continues. The pairing gets an enter and an exit of an unknown
 * function, at one time. */
static void fold_mark(struct dwell_fold *fold, uint64_t ticks)
{
	struct dwell_call mark;

	if (dwell_pair_full(fold->pair) && fold->stacks)
		fold->stacks->grow(fold->stacks->context, fold->pair);
	dwell_pair_enter(fold->pair, DWELL_ID_UNKNOWN, ticks);
	dwell_pair_exit(fold->pair, DWELL_ID_UNKNOWN, ticks, &mark);
}

/* A gap of unknown content: which frames are open is unknown on all stacks. Ends the frames of the suspended stacks; the caller
 * handles the current stack. */
static void fold_unknown_gap(struct dwell_fold *fold)
{
	struct dwell_pair *pair;

	fold->summary.unknown_gap = true;
	for (uint32_t i = 0; fold->stacks && (pair = fold->stacks->get(fold->stacks->context, i)); i++) {
		if (pair == fold->pair)
			continue;
		dwell_pair_end_in_gap(pair);
		take_due_of(fold, pair);
	}
}

static void fold_tag(struct dwell_fold *fold, const struct dwell_slot_event *event)
{
	struct dwell_pair *pair;

	if (fold->next_stack != fold->stack && dwell_slot_tag_has_stamp(event->tag))
		change_stack(fold, event->ticks);
	pair = fold->pair;
	fold->unwound &= event->tag == DWELL_TAG_LANDED;
	switch (event->tag) {
	case DWELL_TAG_ARG:
	case DWELL_TAG_ARG_HIGH:
	case DWELL_TAG_RET:
	case DWELL_TAG_RET_HIGH:
		return;
	case DWELL_TAG_UNWIND_JUMP:
	case DWELL_TAG_UNWIND_CATCH:
		dwell_pair_unwind(pair, event->ticks);
		fold->unwound = true;
		fold->above = 0;
		break;
	case DWELL_TAG_CALLER:
		fold_caller(fold, event->payload);
		return;
	case DWELL_TAG_MARK:
		fold_mark(fold, event->ticks);
		break;
	case DWELL_TAG_LANDED:
		fold_landed(fold, event->payload);
		break;
	case DWELL_TAG_LOST:
		dwell_pair_lost(pair, event->payload, 0, 0);
		break;
	case DWELL_TAG_LOST_POPS:
		if (event->payload == DWELL_LOST_ALL)
			fold_unknown_gap(fold);
		dwell_pair_lost(pair, 0, event->payload, 0);
		break;
	case DWELL_TAG_LOST_PUSHES:
		dwell_pair_lost(pair, 0, 0, event->payload);
		break;
	case DWELL_TAG_OFF:
		dwell_pair_stop(pair, event->ticks);
		break;
	case DWELL_TAG_ON:
		dwell_pair_continue(pair, event->ticks);
		break;
	case DWELL_TAG_HELD:
		dwell_pair_held(pair, event->ticks);
		break;
	case DWELL_TAG_HELD_END:
		dwell_pair_held_end(pair, event->ticks);
		break;
	case DWELL_TAG_STACK:
		fold_stack(fold, event->payload);
		return;
	default:
		break;
	}
	take_due(fold);
}

void dwell_fold_init(struct dwell_fold *fold, struct dwell_pair *pair)
{
	fold->pair = pair;
	fold->stacks = 0;
	fold->calls = 0;
	fold->stack = fold->next_stack = fold->above = 0;
	fold->unwound = false;
	fold->changed_stacks = false;
	fold->cursor.last_ticks = 0;
	fold->cursor.high = fold->cursor.window = 0;
	dwell_fold_begin(fold);
}

void dwell_fold_set_stacks(struct dwell_fold *fold, const struct dwell_fold_stacks *stacks)
{
	fold->stacks = stacks;
}

void dwell_fold_set_calls(struct dwell_fold *fold, const struct dwell_fold_calls *calls)
{
	fold->calls = calls;
}

void dwell_fold_begin(struct dwell_fold *fold)
{
	fold->depth = fold->lowest = count_open(fold->pair);
	fold->summary.events = fold->summary.holes = fold->summary.unknown_tags = 0;
	fold->summary.first_ticks = fold->summary.last_ticks = 0;
	fold->summary.pops = fold->summary.pushes = 0;
	fold->summary.unknown_gap = false;
	fold->missing = 0;
}

/* Handles all slots except enters and exits. */
static void fold_tag_or_hole(struct dwell_fold *fold, const struct dwell_slot_event *event)
{
	switch (event->kind) {
	case DWELL_SLOT_TAG:
		fold_tag(fold, event);
		return;
	case DWELL_SLOT_HOLE:
		fold->summary.holes++;
		fold->unwound = false;
		dwell_pair_lost(fold->pair, 1, 0, 0);
		return;
	case DWELL_SLOT_UNKNOWN:
		fold->summary.unknown_tags++;
		return;
	case DWELL_SLOT_SKIP:
	case DWELL_SLOT_ENTER:
	case DWELL_SLOT_EXIT:
	case DWELL_SLOT_ENTRY:
		return;
	}
}

/* Called for each slot after LANDEDs that matched no open call. low: the slot's low word. Unless the slot may be about the same
 * unwind, the landing stays unknown. */
static void settle_misfit(struct dwell_fold *fold, uint32_t low)
{
	if (low == DWELL_TAG_LANDED || low == DWELL_TAG_TIME || (low > DWELL_TAG_LANDED && low < DWELL_TAG_LIMIT))
		return; /* another LANDED, or a tag about it, may follow */
	end_misfit(fold);
}

void dwell_fold_slots(struct dwell_fold *fold, const volatile uint64_t *slots, uint32_t count)
{
	struct dwell_fold_summary *summary = &fold->summary;

	for (uint32_t i = 0; i < count; i++) {
		struct dwell_slot_event event;
		uint64_t slot = slots[i];

		if (DWELL_RARELY(dwell_pair_is_misfit(fold->pair)))
			settle_misfit(fold, (uint32_t)slot);
		dwell_slot_decode(&fold->cursor, slot, &event);
		if (event.kind == DWELL_SLOT_ENTER) {
			fold_enter(fold, &event);
		} else if (event.kind == DWELL_SLOT_EXIT) {
			fold_exit(fold, &event);
		} else if (event.kind == DWELL_SLOT_ENTRY) {
			fold_entry(fold, &event);
		} else {
			fold_tag_or_hole(fold, &event);
			continue;
		}
		if (!summary->events++)
			summary->first_ticks = event.ticks;
		summary->last_ticks = event.ticks;
	}
	summary->pops = fold->depth - fold->lowest + fold->missing;
	summary->pushes = count_open(fold->pair) - fold->lowest;
}

void dwell_fold_finish(struct dwell_fold *fold)
{
	dwell_pair_finish(fold->pair);
	take_due(fold);
}
