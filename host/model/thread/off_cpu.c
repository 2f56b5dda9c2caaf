/* off_cpu: charges time off the CPU to open calls, as events arrive. off_cpu.h explains the rules. */
#include "model/thread/off_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "model/thread/account.h"
#include "model/thread/off_cpu_inner.h"
#include "model/thread/stack_state.h"
#include "util/array.h"

bool off_cpu_is_none(const struct off_cpu_ticks *sum)
{
	return profile_off_cpu_is_none(sum) && !sum->held_ticks;
}

/* ---- intervals from the trace ---- */

void off_cpu_add_intervals(struct stack *stack, const struct message_switches *message)
{
	struct off_cpu *off = &stack->off_cpu;
	uint64_t passed_ticks = stack_has_begun(stack) ? stack->pair.last_ticks : 0;
	bool room = true;

	if (!off->told && passed_ticks) {
		off->late = true;
		off->covered_ticks = passed_ticks;
	}
	off->told = true;
	if (message->from_ticks > off->covered_ticks)
		room = off_cpu_push(off, off->covered_ticks, message->from_ticks, OFF_CPU_UNKNOWN);
	for (uint32_t i = 0; room && i < message->count; i++) {
		const struct message_switch *at = &message->switches[i];
		uint64_t last_ticks = off->count > off->head ? off->queue[off->count - 1].end_ticks : 0;

		if (at->in_ticks <= passed_ticks || at->in_ticks <= last_ticks)
			continue;
		room = off_cpu_push(off, at->out_ticks, at->in_ticks, at->preempted ? OFF_CPU_PREEMPTED : OFF_CPU_WAITING);
	}
	if (room && message->until_ticks > off->covered_ticks)
		off->covered_ticks = message->until_ticks;
	if (off->count > off->head && off->queue[off->count - 1].end_ticks > off->covered_ticks) /* known up to its end */
		off->covered_ticks = off->queue[off->count - 1].end_ticks;
	off_cpu_set_next(off);
}

/* The calls of a suspended stack are not on the CPU, although the thread runs: the whole suspension is time off the CPU in *away,
 * apart from its unknown and held time. */
static void suspend(struct off_cpu_ticks *unrecorded, uint64_t suspended_ticks)
{
	unrecorded->ticks = profile_rest(suspended_ticks, unrecorded->unknown_ticks + unrecorded->held_ticks);
	if (unrecorded->preempted_ticks > unrecorded->ticks)
		unrecorded->preempted_ticks = unrecorded->ticks;
}

void off_cpu_hand_over(struct stack *to, struct stack *from, uint64_t suspended_ticks)
{
	struct off_cpu *off = &to->off_cpu, *other = &from->off_cpu;
	struct off_cpu_ticks other_stacks = other->all;

	profile_add_off_cpu(&other_stacks, &other->other_stacks);
	profile_subtract_off_cpu(&other_stacks, &off->all);
	if (stack_has_begun(to)) {
		struct off_cpu_ticks unrecorded = other_stacks;

		profile_subtract_off_cpu(&unrecorded, &off->other_stacks);
		if (other->told)
			suspend(&unrecorded, suspended_ticks);
		unrecorded.faults = 0; /* of no callee */
		profile_add_off_cpu(&off->unrecorded, &unrecorded);
	}
	off->other_stacks = other_stacks;
	off_cpu_hand_over_faults(off, other);
	if (!other->told)
		return;
	off->late |= !off->told && stack_has_begun(to);
	off->told = true;
	free(off->queue);
	off->queue = other->queue;
	off->head = other->head;
	off->count = other->count;
	off->capacity = other->capacity;
	off->covered_ticks = other->covered_ticks;
	off_cpu_set_next(off);
	other->queue = NULL;
	other->head = other->count = other->capacity = 0;
	other->next_ticks = UINT64_MAX;
}

/* ---- charging time to calls ---- */

struct off_cpu_frame *off_cpu_frame_at(struct off_cpu *off, uint32_t index)
{
	if (index >= off->depth) {
		if (!array_reserve(&off->frames, &off->frame_capacity, (size_t)index + 1, sizeof *off->frames))
			return NULL;
		memset(off->frames + off->depth, 0, ((size_t)index + 1 - off->depth) * sizeof *off->frames);
		off->depth = index + 1;
	}
	return &off->frames[index];
}

static void charge_frame(struct stack *stack, struct thread_context *context, uint32_t index, const struct off_cpu_ticks *self,
	const struct off_cpu_ticks *lost)
{
	struct off_cpu *off = &stack->off_cpu;
	struct off_cpu_frame *frame = off_cpu_frame_at(off, index);

	profile_add_off_cpu(&off->self, self);
	profile_add_off_cpu(&off->lost, lost);
	if (!frame) {
		thread_out_of_memory(context);
		return;
	}
	profile_add_off_cpu(&frame->self, self);
	profile_add_off_cpu(&frame->total, self);
	profile_add_off_cpu(&frame->total, lost);
	if (context->options.want_profile)
		account_off_cpu(stack, context, index, self);
}

/* Charges time off the CPU while no call is open. */
static void charge_outside(struct off_cpu *off, const struct off_cpu_ticks *sum)
{
	profile_add_off_cpu(&off->outside, sum);
	profile_add_off_cpu(&off->section_self, sum);
}

static void add_piece(const struct stack *stack, const struct thread_context *context, struct off_cpu_ticks *sum,
	uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind)
{
	*(kind == OFF_CPU_UNKNOWN ? &sum->unknown_ticks : &sum->ticks) += end_ticks - begin_ticks;
	if (kind == OFF_CPU_PREEMPTED)
		sum->preempted_ticks += end_ticks - begin_ticks;
	if (context->options.on_off_cpu)
		context->options.on_off_cpu(context->options.context, stack->row.stream, begin_ticks, end_ticks, kind);
}

/* Removes the time between from_ticks and to_ticks from the queue, and returns its sum. */
static struct off_cpu_ticks take(struct stack *stack, const struct thread_context *context, uint64_t from_ticks, uint64_t to_ticks)
{
	struct off_cpu *off = &stack->off_cpu;
	struct off_cpu_ticks sum = {0};

	for (; off->fault_head < off->fault_count && off->faults[off->fault_head] < to_ticks; off->fault_head++)
		sum.faults += off->faults[off->fault_head] >= from_ticks;
	while (off->head < off->count && off->queue[off->head].begin_ticks < to_ticks) {
		const struct off_cpu_interval *at = &off->queue[off->head];
		uint64_t begin_ticks = at->begin_ticks > from_ticks ? at->begin_ticks : from_ticks;
		uint64_t end_ticks = at->end_ticks < to_ticks ? at->end_ticks : to_ticks;

		if (begin_ticks < end_ticks)
			add_piece(stack, context, &sum, begin_ticks, end_ticks, at->kind);
		if (at->end_ticks > to_ticks)
			break;
		off->switches += at->kind != OFF_CPU_UNKNOWN && at->end_ticks > from_ticks;
		off->head++;
	}
	if (off->told && to_ticks > off->covered_ticks) {
		uint64_t begin_ticks = from_ticks > off->covered_ticks ? from_ticks : off->covered_ticks;

		add_piece(stack, context, &sum, begin_ticks, to_ticks, OFF_CPU_UNKNOWN);
		off->covered_ticks = to_ticks;
	}
	off_cpu_set_next(off);
	return sum;
}

void off_cpu_advance_slowly(struct stack *stack, struct thread_context *context, uint64_t ticks)
{
	struct off_cpu *off = &stack->off_cpu;
	static const struct off_cpu_ticks none;
	uint64_t from_ticks = stack_has_begun(stack) ? stack->pair.last_ticks : ticks;
	struct off_cpu_ticks sum;

	if (from_ticks > ticks)
		return;
	sum = take(stack, context, from_ticks, ticks);
	if (off->is_held) /* held time is counted as such */
		sum = (struct off_cpu_ticks){.faults = sum.faults};
	if (off_cpu_is_none(&sum))
		return;
	profile_add_off_cpu(&off->all, &sum);
	profile_add_off_cpu(&off->section, &sum);
	if (off->in_gap || off->is_stopped) {
		profile_add_off_cpu(off->in_gap ? &off->lost : &off->outside, &sum);
		profile_add_off_cpu(&off->unrecorded, &sum);
		return;
	}
	if (dwell_pair_is_landing(&stack->pair))
		profile_add_off_cpu(&off->waiting, &sum);
	else if (stack->pair.depth)
		charge_frame(stack, context, stack->pair.depth - 1, &sum, &none);
	else
		charge_outside(off, &sum);
}

/* ---- where the thread goes on ---- */

/* Ends a gap or a stop. Waiting time from before it does not belong to a section that begins here. */
static void end_unrecorded(struct off_cpu *off)
{
	off->is_held = false;
	if (!off->in_gap && !off->is_stopped)
		return;
	off->waiting_before = off->waiting;
	off->in_gap = off->is_stopped = false;
}

void off_cpu_begin_gap(struct off_cpu *off)
{
	off->is_held = false;
	off->in_gap = off->was_unrecorded = off->watch = true;
}

void off_cpu_stop(struct off_cpu *off)
{
	end_unrecorded(off);
	off->is_stopped = off->was_unrecorded = off->watch = true;
}

void off_cpu_go_on(struct off_cpu *off)
{
	end_unrecorded(off);
}

void off_cpu_hold(struct off_cpu *off)
{
	if (off->is_stopped) { /* recording stays stopped, but a gap meanwhile is over */
		off->in_gap = false;
		return;
	}
	end_unrecorded(off);
	off->is_held = off->watch = true;
}

void off_cpu_hold_end(struct stack *stack, struct thread_context *context, uint64_t ticks)
{
	const struct off_cpu_ticks held = {.held_ticks = ticks};
	struct off_cpu *off = &stack->off_cpu;
	struct off_cpu_frame *frame;

	off->is_held = false;
	if (!ticks)
		return;
	profile_add_off_cpu(&off->all, &held);
	profile_add_off_cpu(&off->section, &held);
	if (dwell_pair_is_waiting(&stack->pair)) { /* off_cpu_settle adds it to the call in which the thread continues */
		profile_add_off_cpu(&off->unrecorded, &held);
		off->was_unrecorded = off->watch = true;
	} else if (stack->pair.depth) {
		frame = off_cpu_frame_at(off, stack->pair.depth - 1);
		if (frame)
			profile_add_off_cpu(&frame->total, &held);
		else
			thread_out_of_memory(context);
	}
}

/* The thread continues in the call at index: charges the waiting time to it, and adds the time of gaps and stops to its total. */
static void charge_waiting(struct stack *stack, struct thread_context *context, uint32_t index)
{
	static const struct off_cpu_ticks none;
	struct off_cpu *off = &stack->off_cpu;

	if (!off_cpu_is_none(&off->waiting) || !off_cpu_is_none(&off->unrecorded))
		charge_frame(stack, context, index, &off->waiting, &none);
	if (!off_cpu_is_none(&off->unrecorded) && index < off->depth)
		profile_add_off_cpu(&off->frames[index].total, &off->unrecorded);
}

/* The waiting time is charged: nothing waits any more. */
static void clear_waiting(struct off_cpu *off)
{
	off->waiting = off->waiting_before = off->unrecorded = (struct off_cpu_ticks){0};
	off->was_unrecorded = off->watch = false;
}

/* A section starts with the waiting time since the gap or stop ended. */
static void begin_section(struct off_cpu *off)
{
	off->section = off->waiting;
	profile_subtract_off_cpu(&off->section, &off->waiting_before);
	off->section_self = off->section;
}

void off_cpu_begin_section(struct off_cpu *off)
{
	off->section = off->waiting;
	off->section_self = (struct off_cpu_ticks){0};
}

void off_cpu_settle(struct stack *stack, struct thread_context *context, uint32_t depth)
{
	struct off_cpu *off = &stack->off_cpu;

	end_unrecorded(off);
	if (depth) {
		charge_waiting(stack, context, depth - 1);
	} else {
		charge_outside(off, &off->waiting);
		if (off->was_unrecorded) /* a section begins where the thread came back */
			begin_section(off);
	}
	clear_waiting(off);
}

void off_cpu_before_exit(struct stack *stack, struct thread_context *context)
{
	struct off_cpu *off = &stack->off_cpu;
	struct off_cpu_frame *frame;

	end_unrecorded(off);
	if (stack->pair.depth)
		return;
	off_cpu_settle(stack, context, 0);
	/* With no call open, the call of this exit was open since the section began. */
	if (off_cpu_is_none(&off->section) || !(frame = off_cpu_frame_at(off, 0)))
		return;
	*frame = (struct off_cpu_frame){off->section_self, off->section};
	profile_subtract_off_cpu(&off->outside, &off->section_self);
	profile_add_off_cpu(&off->self, &off->section_self);
	off->section_self = (struct off_cpu_ticks){0};
}

void off_cpu_after_exit(struct stack *stack, struct thread_context *context, const struct dwell_call *call)
{
	if (!call) {
		off_cpu_settle(stack, context, stack->pair.depth);
		return;
	}
	charge_waiting(stack, context, call->depth);
	clear_waiting(&stack->off_cpu);
}

/* ---- the ends of calls, and of the data ---- */

struct off_cpu_frame off_cpu_leave(struct off_cpu *off, const struct dwell_call *call, uint32_t function)
{
	struct off_cpu_frame left = {0};
	uint32_t index = call->depth;

	while (off->depth > index) {
		const struct off_cpu_frame *frame = &off->frames[--off->depth];

		left.self = frame->self;
		profile_add_off_cpu(&left.total, &frame->total);
	}
	if (index) /* off->frames has an entry for the caller of each charged call */
		profile_add_off_cpu(&off->frames[index - 1].total, &left.total);
	if (index < off->inherited) { /* off_cpu_resume has made room */
		off->ends[off->end_count++] = (struct off_cpu_end){.user = call->user, .function = function, .index = index};
		off->inherited = index;
	}
	return left;
}

/* Charges the intervals in [from_ticks, to_ticks) to the frame at index: up to lost_ticks of them as lost time, the rest as self
 * time. index UINT32_MAX: no frame, so all is lost time. */
static void charge_span(struct stack *stack, struct thread_context *context, uint32_t index, uint64_t from_ticks,
	uint64_t to_ticks, uint64_t lost_ticks)
{
	struct off_cpu *off = &stack->off_cpu;
	struct off_cpu_ticks sum, lost, self;

	if (off->next_ticks >= to_ticks)
		return;
	sum = lost = take(stack, context, from_ticks, to_ticks);
	if (off_cpu_is_none(&sum))
		return;
	profile_add_off_cpu(&off->all, &sum);
	profile_add_off_cpu(&off->section, &sum);
	if (index == UINT32_MAX) {
		profile_add_off_cpu(&off->lost, &sum);
		return;
	}
	/* Where in the span the lost time lies is unknown: it is assumed to contain as much of the time off the CPU as possible. */
	if (lost.unknown_ticks > lost_ticks)
		lost.unknown_ticks = lost_ticks;
	if (lost.ticks > lost_ticks - lost.unknown_ticks)
		lost.ticks = lost_ticks - lost.unknown_ticks;
	if (lost.preempted_ticks > lost.ticks)
		lost.preempted_ticks = lost.ticks;
	if (!lost_ticks)
		lost.faults = 0;
	self = sum;
	profile_subtract_off_cpu(&self, &lost);
	if (self.preempted_ticks > self.ticks) {
		lost.preempted_ticks += self.preempted_ticks - self.ticks;
		self.preempted_ticks = self.ticks;
	}
	charge_frame(stack, context, index, &self, &lost);
}

void off_cpu_adopt(struct stack *stack, struct thread_context *context, bool had_begun, uint32_t known, uint64_t gap_ticks,
	uint64_t known_child_ticks)
{
	const struct dwell_pair *pair = &stack->pair;
	struct off_cpu *off = &stack->off_cpu;
	uint64_t from_ticks = had_begun ? gap_ticks : pair->first_ticks;
	uint64_t to_ticks = known < pair->depth ? pair->frames[known].enter_ticks : pair->last_ticks;

	charge_span(stack, context, known ? known - 1 : UINT32_MAX, from_ticks, to_ticks,
		known ? pair->frames[known - 1].child_ticks - known_child_ticks : 0);
	if (!known)
		off->section = off->section_self = (struct off_cpu_ticks){0};
	for (uint32_t index = known; index < pair->depth && off->next_ticks < pair->last_ticks; index++) {
		from_ticks = pair->frames[index].enter_ticks;
		to_ticks = index + 1 < pair->depth ? pair->frames[index + 1].enter_ticks : pair->last_ticks;
		charge_span(stack, context, index, from_ticks, to_ticks, pair->frames[index].child_ticks);
	}
}

static bool is_same(const struct off_cpu_ticks *a, const struct off_cpu_ticks *b)
{
	return a->ticks == b->ticks && a->preempted_ticks == b->preempted_ticks && a->unknown_ticks == b->unknown_ticks &&
	       a->faults == b->faults;
}

/* Whether *off is possible for a span of so many ticks. */
static bool is_part(const struct off_cpu_ticks *off, uint64_t ticks)
{
	return off->preempted_ticks <= off->ticks && off->ticks <= ticks && off->unknown_ticks <= ticks - off->ticks;
}

bool off_cpu_is_covered(const struct stack *stack)
{
	return stack->off_cpu.told && !stack->off_cpu.late && stack_has_begun(stack);
}

void off_cpu_set_unknown(struct profile_thread *row, struct thread_context *context)
{
	row->off = row->off_self = (struct off_cpu_ticks){
		.unknown_ticks = profile_rest(row->last_ticks - row->first_ticks, row->held_ticks), .faults = row->off_self.faults};
	row->off_lost = (struct off_cpu_ticks){.faults = row->off_lost.faults};
	row->off_outside = (struct off_cpu_ticks){.faults = row->off_outside.faults};
	row->off.faults += row->off_lost.faults + row->off_outside.faults;
	row->off_cpu_balanced = context->profile->off_cpu_is_partial = true;
}

void off_cpu_finish(struct stack *stack, struct thread_context *context)
{
	struct off_cpu *off = &stack->off_cpu;
	struct profile_thread *row = &stack->row;
	struct off_cpu_ticks sum = off->self;

	row->off = off->all;
	row->off_self = off->self;
	row->off_lost = off->lost;
	row->off_outside = off->outside;
	row->switches = off->switches;
	row->off_cpu_is_unknown =
		context->profile->has_off_cpu && !off_cpu_is_covered(stack) && row->last_ticks != row->first_ticks;
	if (row->off_cpu_is_unknown) {
		off_cpu_set_unknown(row, context);
		return;
	}
	profile_add_off_cpu(&sum, &off->lost);
	profile_add_off_cpu(&sum, &off->outside);
	/* If the profile shows no time off the CPU, late intervals of this thread do not matter. */
	row->off_cpu_balanced = !context->profile->has_off_cpu ||
		(is_same(&sum, &off->all) && is_part(&off->self, row->self_ticks) && is_part(&off->lost, row->lost_ticks) &&
			is_part(&off->outside, row->outside_ticks));
}

void off_cpu_clear(struct off_cpu *off)
{
	uint64_t next_ticks = off->told ? off->covered_ticks : UINT64_MAX;

	free(off->queue);
	free(off->faults);
	free(off->ahead_faults);
	free(off->frames);
	free(off->sections);
	free(off->ends);
	free(off->ahead);
	off->queue = off->ahead = NULL;
	off->faults = off->ahead_faults = NULL;
	off->frames = NULL;
	off->sections = NULL;
	off->ends = NULL;
	off->fault_head = off->fault_count = off->fault_capacity = off->ahead_fault_count = 0;
	off->head = off->count = off->capacity = off->frame_capacity = off->section_count = off->section_capacity = 0;
	off->end_count = off->end_capacity = off->ahead_count = 0;
	off->depth = off->inherited = 0;
	off->next_ticks = next_ticks;
}
