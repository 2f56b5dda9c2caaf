/* run: calls counted straight from packed slots, for thread.c. What it does is what thread_feed_run does with the events that the slots
 * would be; what it does not do it leaves. */
#include "pack/run.h"

#include "model/thread/account.h"
#include "model/thread/thread.h"

/* The function of an enter's low word as the run's user keeps it: id + 1. 0: to be asked for. */
static uint32_t find_user(
	const struct thread *thread, const struct thread_context *context, struct run_name *name, enum dwell_place_kind kind)
{
	uint32_t scope = function_cache_scope(thread->row.process, kind), id;

	if (name->low < DWELL_TAG_LIMIT || name->low & 1u)
		return 0;
	id = functions_find_cached(context->functions, scope, name->low);
	if (!thread_find_function(thread, id) || id >= context->profile->function_count)
		return 0; /* FUNCTION_NONE, too */
	return name->user = id + 1;
}

/* What taking works on. */
struct taking {
	struct thread *thread;
	struct thread_context *context;
	struct run run;
	struct dwell_pair_row row;
	enum dwell_place_kind kind;
	uint64_t limit; /* an event later than this is not usual */
	uint32_t pieces;
};

/* What nearly all of a trace is: an exit or enter that is said in a byte, and when in one or two, below another call and on a path that was
 * taken before. Stops in front of the first one that is anything else. What it works on is in locals, so that it can be in registers;
 * durations is a constant. */
RUN_INLINE void take_plain(struct taking *taking, const bool durations)
{
	struct thread *thread = taking->thread;
	struct tree_node *nodes = thread->tree.nodes;
	struct profile_function *rows = taking->context->profile->functions;
	const struct run_name *names = taking->run.names;
	uint32_t *exits = taking->run.exits, top = taking->run.top;
	const uint8_t *tokens = taking->run.tokens, *times = taking->run.times, *fine = taking->run.fine;
	uint64_t last_ticks = taking->run.ticks, self_sum = 0;
	struct dwell_frame *next = taking->row.next;
	/* A frame there may have been charged with time off the CPU, or be the outermost one. */
	const struct dwell_frame *lowest = taking->row.bottom + (thread->off.depth > 1 ? thread->off.depth : 1);

	if (taking->context->long_ticks < DWELL_PACK_LONG)
		return;
	for (;; tokens++, times++) {
		uint32_t number = *tokens, step = *times;
		uint64_t ticks;

		if (step >= DWELL_PACK_LONG) {
			if (step == DWELL_PACK_FULL || fine == taking->run.fine_end)
				break;
			step = DWELL_PACK_LONG + (step - DWELL_PACK_LONG) * 256 + *fine++;
			if (step >= taking->context->long_ticks)
				goto unusual;
		}
		ticks = last_ticks + step;
		if (DWELL_RARELY(ticks > taking->limit) || DWELL_RARELY(next <= lowest))
			goto unusual;
		if (number == DWELL_PACK_EXIT) {
			struct dwell_frame *frame = next - 1;
			uint64_t total_ticks = ticks - frame->enter_ticks, self_ticks = total_ticks - frame->child_ticks;
			uint32_t low = exits[top & EXPECT_MASK];
			struct tree_node *node = &nodes[frame->user & ACCOUNT_NODE];

			/* What has a place has a name. */
			if (DWELL_RARELY(frame->reserved != low) || DWELL_RARELY(low < DWELL_TAG_LIMIT) || DWELL_RARELY(frame->flags))
				goto unusual;
			if (durations && DWELL_RARELY(!profile_add_usual(&rows[frame->id], total_ticks)))
				goto unusual;
			self_sum += self_ticks;
			frame[-1].child_ticks += total_ticks;
			node->calls++;
			node->self += self_ticks;
			node->total += total_ticks;
			next = frame;
			top--;
		} else {
			const struct run_name *name = &names[number];
			uint32_t node, low, leaf_ticks;

			if (DWELL_RARELY(number >= DWELL_PACK_WIDE) || DWELL_RARELY(!name->user) || DWELL_RARELY(next >= taking->row.limit))
				goto unusual;
			node = tree_child_soon(&thread->tree, (uint32_t)(next[-1].user & ACCOUNT_NODE), name->user - 1);
			if (DWELL_RARELY(!node))
				goto unusual;
			low = name->low | 1u;
			exits[++top & EXPECT_MASK] = low;
			leaf_ticks = times[1];
			/* Most calls call nothing: what comes next is their exit, and no frame is needed. */
			if (tokens[1] == DWELL_PACK_EXIT && leaf_ticks < DWELL_PACK_LONG && ticks + leaf_ticks <= taking->limit &&
				low >= DWELL_TAG_LIMIT && (!durations || profile_add_usual(&rows[name->user - 1], leaf_ticks))) {
				struct tree_node *leaf = &nodes[node];

				self_sum += leaf_ticks;
				next[-1].child_ticks += leaf_ticks;
				leaf->calls++;
				leaf->self += leaf_ticks;
				leaf->total += leaf_ticks;
				top--;
				tokens++;
				times++;
				ticks += leaf_ticks;
			} else {
				*next++ = (struct dwell_frame){.id = name->user - 1, .enter_ticks = ticks, .user = ACCOUNT_KNOWN | node,
					.reserved = low};
			}
		}
		last_ticks = ticks;
		continue;
unusual:
		fine -= *times >= DWELL_PACK_LONG;
		break;
	}
	taking->run.tokens = tokens;
	taking->run.times = times;
	taking->run.fine = fine;
	taking->run.ticks = last_ticks;
	taking->run.top = top;
	taking->row.next = next;
	taking->row.self_ticks += self_sum;
}

static __attribute__((noinline)) void take_plain_timed(struct taking *taking)
{
	take_plain(taking, true);
}

static __attribute__((noinline)) void take_plain_counted(struct taking *taking)
{
	take_plain(taking, false);
}

static bool take_exit(struct taking *taking, const struct run_slot *slot, uint64_t ticks)
{
	uint32_t low = run_expected(&taking->run);
	struct dwell_pair_row *row = &taking->row;
	const struct dwell_frame *frame;
	uint64_t total_ticks, self_ticks;
	struct dwell_call call;

	if (row->next <= row->bottom + taking->thread->off.depth || row->next[-1].reserved != low || low < DWELL_TAG_LIMIT)
		return false;
	if (slot->step >= taking->context->long_ticks)
		account_long(taking->thread, &row->next[-1], slot->step);
	frame = dwell_pair_row_exit(row, ticks, &total_ticks, &self_ticks);
	call = dwell_pair_row_call(row, frame, ticks);
	account_leave(taking->thread, taking->context, &call, (uint32_t)call.id);
	taking->pieces += (frame->flags & DWELL_CALL_PIECE) != 0;
	run_take_exit(&taking->run, slot);
	return true;
}

static bool take_enter(struct taking *taking, const struct run_slot *slot, uint64_t ticks)
{
	struct run_name *name = &taking->run.names[slot->number];
	struct dwell_pair_row *row = &taking->row;
	uint32_t user = name->user ? name->user : find_user(taking->thread, taking->context, name, taking->kind);
	struct dwell_frame *entered;

	if (!user || row->next >= row->limit)
		return false;
	if (slot->step >= taking->context->long_ticks && row->next > row->bottom)
		account_long(taking->thread, &row->next[-1], slot->step);
	entered = dwell_pair_row_enter(row, user - 1, ticks);
	entered->reserved = name->low | 1u;
	entered->user = account_enter(taking->thread, taking->context, (uint32_t)(entered - row->bottom), user - 1, false);
	run_take_enter(&taking->run, slot, name->low);
	return true;
}

/* Whatever is next. False: it is not taken. */
static bool take_next(struct taking *taking)
{
	struct run_slot slot;
	uint64_t ticks;

	if (!run_look(&taking->run, &slot))
		return false;
	ticks = taking->run.ticks + slot.step;
	if (ticks <= taking->limit && (slot.number == DWELL_PACK_EXIT ? take_exit(taking, &slot, ticks) : take_enter(taking, &slot, ticks)))
		return true;
	run_put_back(&taking->run, &slot);
	return false;
}

static void take(struct thread *thread, struct thread_context *context, struct run *run, enum dwell_place_kind kind)
{
	struct taking taking = {thread, context, *run, dwell_pair_begin_row(&thread->pair), kind, run->ticks | UINT32_MAX, 0};
	void (*plain)(struct taking *) = context->options.no_durations ? take_plain_counted : take_plain_timed;
	uint32_t depth = thread->pair.depth;
	uint64_t events;

	if (taking.limit > thread->off.next_ticks)
		taking.limit = thread->off.next_ticks;
	do
		plain(&taking);
	while (take_next(&taking) && !thread->by_rows);
	events = (uint64_t)(taking.run.times - run->times);
	if (events)
		dwell_pair_end_row(&thread->pair, &taking.row, taking.run.ticks);
	if (!profile_settle_in_time(context->profile, events))
		thread_starve(context);
	thread->row.events += events;
	/* Exits: enters are as many, but for how deep it is now. */
	thread->row.calls += (events + depth - thread->pair.depth) / 2 - taking.pieces;
	*run = taking.run;
}

void thread_take_run(struct thread *thread, struct thread_context *context, const struct message_run *message)
{
	const struct model_options *options = &context->options;

	if (!thread->frames || thread->pair.state || thread->pushes_wait || thread->has_site || thread->off.watch || thread->by_rows ||
		thread->stacks.count || thread->stacks.waits || message->run->ticks < thread->pair.last_ticks || !options->want_profile ||
		options->want_values || options->on_call || options->on_enter || context->is_untimed)
		return;
	take(thread, context, message->run, message->place_kind);
}
