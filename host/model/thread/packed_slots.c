/* packed_slots: counts calls directly from packed slots, without making events of them. For part.c. The effect is that of
 * stack_feed_events for the same events. A slot that needs more than counting stays, and comes as an event. */
#include "pack/packed_slots.h"

#include "model/thread/account.h"
#include "model/thread/pairs.h"
#include "model/thread/thread.h"
#include "model/thread/user_word.h"

/* Finds the function of an enter's low word in the cache. Returns id + 1, and stores it in the word's .user. 0: not found. */
static uint32_t find_user(
	const struct stack *stack, const struct thread_context *context, struct packed_word *name, enum dwell_place_kind kind)
{
	uint32_t scope = function_cache_scope(stack->row.process, kind), id;

	if (name->low < DWELL_TAG_LIMIT || name->low & 1u)
		return 0;
	id = functions_find_cached(context->functions, scope, name->low);
	if (!stack_find_function(stack, id) || id >= context->profile->function_count)
		return 0; /* FUNCTION_NONE, too */
	return name->user = id + 1;
}

/* The kind of tree that the profile has (model_options.no_tree, pairs). */
enum keep { KEEP_NOTHING, KEEP_PAIRS, KEEP_PATHS };

/* The state of a run over packed slots. */
struct slot_run {
	struct stack *stack;
	struct thread_context *context;
	struct packed_slots packed;
	struct dwell_pair_row row;
	enum dwell_place_kind kind;
	uint64_t limit; /* a later event leaves this file: off-CPU time, or another high half of the time */
	uint32_t pieces; /* ended calls that are pieces, and do not count as calls */
};

/* The hot loop, for nearly all slots of a trace. Handles an exit or enter with a one-byte token and a time of one or two bytes, of
 * a call with a caller, if the function (and with paths the path) has occurred before. Stops in front of any other slot. Its state
 * is in locals, for registers. durations and keep are constants, so each use compiles to a loop of its own. */
PACKED_INLINE void take_plain(struct slot_run *slot_run, const bool durations, const enum keep keep)
{
	struct stack *stack = slot_run->stack;
	struct tree_node *nodes = stack->tree.nodes;
	struct profile_function *rows = slot_run->context->profile->functions;
	const struct packed_word *names = slot_run->packed.names;
	uint32_t *exits = slot_run->packed.exits, top = slot_run->packed.top;
	const uint8_t *tokens = slot_run->packed.tokens, *times = slot_run->packed.times, *fine = slot_run->packed.fine;
	uint64_t last_ticks = slot_run->packed.ticks, self_sum = 0, *entered = stack->entered;
	struct dwell_frame *next = slot_run->row.next, *const bottom = slot_run->row.bottom;
	/* The frames below this one may have been charged with time off the CPU, or have no caller. */
	const struct dwell_frame *lowest = bottom + (stack->off_cpu.depth > 1 ? stack->off_cpu.depth : 1);
	/* The counters of the innermost call's function. */
	struct stack_function *own = next > bottom ? stack_find_function(stack, next[-1].id) : NULL;
	uint32_t depth = (uint32_t)(next - bottom), section = stack->section;
	uint64_t moment = account_moment(stack, depth) - (uint64_t)(uintptr_t)times;

	if (!own)
		return;
	for (;; tokens++, times++) {
		uint32_t number = *tokens, step = *times;
		uint64_t ticks;

		if (step >= DWELL_PACK_LONG) {
			if (step == DWELL_PACK_FULL || fine == slot_run->packed.fine_end)
				break;
			step = DWELL_PACK_LONG + (step - DWELL_PACK_LONG) * 256 + *fine++;
		}
		ticks = last_ticks + step;
		if (DWELL_RARELY(ticks > slot_run->limit) || DWELL_RARELY(next <= lowest))
			goto unusual;
		if (number == DWELL_PACK_EXIT) {
			struct dwell_frame *frame = next - 1;
			uint64_t total_ticks = ticks - frame->enter_ticks, self_ticks = total_ticks - frame->child_ticks;
			struct stack_function *caller = stack_find_function(stack, frame[-1].id);
			uint32_t low = exits[top & EXPECT_MASK];

			/* If reserved is the expected place, the frame's function is known. */
			if (DWELL_RARELY(frame->reserved != low) || DWELL_RARELY(low < DWELL_TAG_LIMIT) ||
				DWELL_RARELY(frame->flags) || DWELL_RARELY(!caller) || DWELL_RARELY(own->section != section) ||
				(keep && DWELL_RARELY(frame->user & ACCOUNT_FOLDED)))
				goto unusual;
			if (durations && DWELL_RARELY(!profile_add_duration_fast(&rows[frame->id], total_ticks)))
				goto unusual;
			self_sum += self_ticks;
			frame[-1].child_ticks += total_ticks;
			own->calls++;
			own->self += self_ticks;
			if (frame->user & ACCOUNT_OUTERMOST) {
				own->active = false;
				own->total += total_ticks;
				own->outermost++;
				own->below += (moment + (uint64_t)(uintptr_t)times - entered[frame - bottom]) / 2;
			}
			if (keep) {
				struct tree_node *node = &nodes[frame->user & ACCOUNT_NODE];

				node->calls++;
				node->self += self_ticks;
				if (keep == KEEP_PATHS || !(frame->user & ACCOUNT_INNER))
					node->total += total_ticks;
				if (keep == KEEP_PAIRS && !(frame->user & ACCOUNT_INNER))
					node->is_open = false;
			}
			caller->made++;
			own = caller;
			next = frame;
			top--;
		} else {
			const struct packed_word *name = &names[number];
			uint32_t node = 0, above, low, leaf_ticks;
			bool is_inner;
			struct stack_function *callee;

			if (DWELL_RARELY(number >= DWELL_PACK_WIDE) || DWELL_RARELY(!name->user) ||
				DWELL_RARELY(next >= slot_run->row.limit))
				goto unusual;
			if (keep == KEEP_PATHS)
				node = tree_child_guess(&stack->tree, (uint32_t)(next[-1].user & ACCOUNT_NODE), name->user - 1);
			if (keep == KEEP_PAIRS) {
				above = pairs_known_caller(stack, own, (uint32_t)next[-1].id);
				node = above ? tree_child(&stack->tree, above, name->user - 1) : TREE_NONE;
				nodes = stack->tree.nodes;
			}
			if (keep && DWELL_RARELY(!node))
				goto unusual;
			is_inner = keep == KEEP_PAIRS && nodes[node].is_open;
			callee = stack_get_function(stack, name->user - 1); /* not null: find_user has checked it */
			low = name->low | 1u;
			exits[++top & EXPECT_MASK] = low;
			leaf_ticks = times[1];
			/* Most calls call nothing: the exit comes next, and no frame is needed. */
			if (tokens[1] == DWELL_PACK_EXIT && leaf_ticks < DWELL_PACK_LONG && ticks + leaf_ticks <= slot_run->limit &&
				low >= DWELL_TAG_LIMIT && callee->section == section &&
				(!durations || profile_add_duration_fast(&rows[name->user - 1], leaf_ticks))) {
				self_sum += leaf_ticks;
				next[-1].child_ticks += leaf_ticks;
				callee->calls++;
				callee->self += leaf_ticks;
				if (!callee->active) {
					callee->total += leaf_ticks;
					callee->outermost++;
				}
				if (keep) {
					struct tree_node *leaf = &nodes[node];

					leaf->calls++;
					leaf->self += leaf_ticks;
					if (!is_inner)
						leaf->total += leaf_ticks;
				}
				own->made++;
				top--;
				tokens++;
				times++;
				ticks += leaf_ticks;
			} else {
				if (keep == KEEP_PAIRS)
					nodes[node].is_open = true;
				entered[next - bottom] = moment + (uint64_t)(uintptr_t)times + 1;
				*next++ = (struct dwell_frame){.id = name->user - 1, .enter_ticks = ticks,
					.user = ACCOUNT_KNOWN | (callee->active ? 0 : ACCOUNT_OUTERMOST) |
						(is_inner ? ACCOUNT_INNER : 0) | node,
					.reserved = low};
				callee->active = true;
				own = callee;
			}
		}
		last_ticks = ticks;
		continue;
unusual:
		fine -= *times >= DWELL_PACK_LONG;
		break;
	}
	/* Events are enters plus exits; the depth grew by enters minus exits. Half of the difference is the number of exits. */
	stack->finished += ((uint64_t)(times - slot_run->packed.times) + depth - (uint64_t)(next - bottom)) / 2;
	slot_run->packed.tokens = tokens;
	slot_run->packed.times = times;
	slot_run->packed.fine = fine;
	slot_run->packed.ticks = last_ticks;
	slot_run->packed.top = top;
	slot_run->row.next = next;
	slot_run->row.self_ticks += self_sum;
}

/* ---- a copy of take_plain for each combination of its constants ---- */

#define TAKE(name, durations, keep)                                                                                                \
	static __attribute__((noinline)) void name(struct slot_run *slot_run)                                                      \
	{                                                                                                                          \
		take_plain(slot_run, durations, keep);                                                                             \
	}
TAKE(take_timed, true, KEEP_NOTHING)
TAKE(take_counted, false, KEEP_NOTHING)
TAKE(take_timed_pairs, true, KEEP_PAIRS)
TAKE(take_counted_pairs, false, KEEP_PAIRS)
TAKE(take_timed_paths, true, KEEP_PATHS)
TAKE(take_counted_paths, false, KEEP_PATHS)

static bool take_exit(struct slot_run *slot_run, const struct packed_slot *slot, uint64_t ticks)
{
	uint32_t low = packed_expected(&slot_run->packed);
	struct dwell_pair_row *row = &slot_run->row;
	const struct dwell_frame *frame;
	uint64_t total_ticks, self_ticks;
	struct dwell_call call;

	if (row->next <= row->bottom + slot_run->stack->off_cpu.depth || row->next[-1].reserved != low || low < DWELL_TAG_LIMIT)
		return false;
	frame = dwell_pair_row_exit(row, ticks, &total_ticks, &self_ticks);
	call = dwell_pair_row_call(row, frame, ticks);
	account_leave(slot_run->stack, slot_run->context, &call, (uint32_t)call.id, NULL);
	slot_run->pieces += (frame->flags & DWELL_CALL_PIECE) != 0;
	packed_take_exit(&slot_run->packed, slot);
	return true;
}

static bool take_enter(struct slot_run *slot_run, const struct packed_slot *slot, uint64_t ticks)
{
	struct packed_word *name = &slot_run->packed.names[slot->number];
	struct dwell_pair_row *row = &slot_run->row;
	uint32_t user = name->user ? name->user : find_user(slot_run->stack, slot_run->context, name, slot_run->kind);
	struct dwell_frame *entered;

	if (!user || row->next >= row->limit)
		return false;
	entered = dwell_pair_row_enter(row, user - 1, ticks);
	entered->reserved = name->low | 1u;
	entered->user = account_enter(slot_run->stack, slot_run->context, (uint32_t)(entered - row->bottom), user - 1, false);
	packed_take_enter(&slot_run->packed, slot, name->low);
	return true;
}

/* Consumes the next slot if it is an exit of the innermost call, or an enter of a known function. False: the slot stays. */
static bool take_next(struct slot_run *slot_run)
{
	struct packed_slot slot;
	uint64_t ticks;

	if (!packed_peek(&slot_run->packed, &slot))
		return false;
	ticks = slot_run->packed.ticks + slot.step;
	if (ticks <= slot_run->limit &&
		(slot.number == DWELL_PACK_EXIT ? take_exit(slot_run, &slot, ticks) : take_enter(slot_run, &slot, ticks)))
		return true;
	packed_put_back(&slot_run->packed, &slot);
	return false;
}

static void take_slots(struct stack *stack, struct thread_context *context, struct packed_slots *packed, enum dwell_place_kind kind)
{
	struct slot_run slot_run = {
		stack, context, *packed, dwell_pair_begin_row(&stack->pair), kind, packed->ticks | UINT32_MAX, 0};
	static void (*const ways[2][3])(struct slot_run *) = {
		{take_timed, take_timed_pairs, take_timed_paths}, {take_counted, take_counted_pairs, take_counted_paths}};
	const struct model_options *options = &context->options;
	enum keep keep = options->no_tree ? KEEP_NOTHING : options->pairs ? KEEP_PAIRS : KEEP_PATHS;
	void (*plain)(struct slot_run *) = ways[options->no_durations][keep];
	uint32_t depth = stack->pair.depth;
	uint64_t events;

	if (slot_run.limit > stack->off_cpu.next_ticks)
		slot_run.limit = stack->off_cpu.next_ticks;
	do
		plain(&slot_run);
	while (take_next(&slot_run));
	events = (uint64_t)(slot_run.packed.times - packed->times);
	if (events)
		dwell_pair_end_row(&stack->pair, &slot_run.row, slot_run.packed.ticks);
	if (!profile_settle_in_time(context->profile, events))
		thread_out_of_memory(context);
	stack->row.events += events;
	/* The number of exits, as in take_plain. */
	stack->row.calls += (events + depth - stack->pair.depth) / 2 - slot_run.pieces;
	*packed = slot_run.packed;
}

void thread_take_packed(struct thread *thread, struct thread_context *context, const struct message_packed *message)
{
	const struct model_options *options = &context->options;
	struct stack *stack = &thread->own;

	if (!stack->frames || stack->pair.state || stack->pushes_pending || stack->has_site || stack->off_cpu.watch ||
		thread->stacks.count || thread->stacks.switch_pending || message->slots->ticks < stack->pair.last_ticks ||
		!options->want_profile || options->want_values || options->on_call || options->on_enter || context->is_untimed)
		return;
	take_slots(stack, context, message->slots, message->place_kind);
}
