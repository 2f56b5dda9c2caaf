/* off_cpu_part: time off the CPU of a part (part.h): the state at its beginning, the comparison with the thread, the joining. */
#include <stdlib.h>
#include <string.h>

#include "model/thread/account.h"
#include "model/thread/off_cpu_inner.h"
#include "model/thread/off_cpu_sections.h"
#include "model/thread/stack_state.h"
#include "util/array.h"

/* Removes the intervals that end at ticks or before, and the page faults before ticks. An interval around ticks
 * begins at ticks afterwards. */
static void drop_passed(struct off_cpu *off, uint64_t ticks)
{
	while (off->head < off->count && off->queue[off->head].end_ticks <= ticks)
		off->head++;
	if (off->head < off->count && off->queue[off->head].begin_ticks < ticks)
		off->queue[off->head].begin_ticks = ticks;
	while (off->fault_head < off->fault_count && off->faults[off->fault_head] < ticks)
		off->fault_head++;
	if (off->told && off->covered_ticks < ticks)
		off->covered_ticks = ticks;
	off_cpu_set_next(off);
}

bool off_cpu_resume(struct off_cpu *off, uint32_t count, uint64_t ticks)
{
	drop_passed(off, ticks);
	off->ahead_count = off->count - off->head;
	off->ahead_ticks = off->covered_ticks;
	off->ahead = malloc((off->ahead_count ? off->ahead_count : 1) * sizeof *off->ahead);
	off->ahead_fault_count = off->fault_count - off->fault_head;
	off->ahead_faults = malloc((off->ahead_fault_count ? off->ahead_fault_count : 1) * sizeof *off->ahead_faults);
	if (!off->ahead || !off->ahead_faults)
		return false;
	if (count &&
		(!off_cpu_frame_at(off, count - 1) || !array_reserve(&off->ends, &off->end_capacity, count, sizeof *off->ends)))
		return false;
	if (off->ahead_count)
		memcpy(off->ahead, off->queue + off->head, off->ahead_count * sizeof *off->ahead);
	if (off->ahead_fault_count)
		memcpy(off->ahead_faults, off->faults + off->fault_head, off->ahead_fault_count * sizeof *off->ahead_faults);
	off->inherited = count;
	return true;
}

/* The thread's intervals must be the first of the part's intervals. The part may have more: later intervals, or
 * unknown time from the end of the thread's intervals on. */
bool off_cpu_agrees(const struct off_cpu *off, const struct off_cpu *part, uint64_t ticks)
{
	size_t at = 0;

	if (!off_cpu_faults_agree(off, part, ticks))
		return false;
	if (!off->told || !part->told)
		return !off->told;
	for (size_t i = off->head; i < off->count; i++) {
		const struct off_cpu_interval *mine = &off->queue[i], *other = &part->ahead[at];

		if (mine->end_ticks <= ticks)
			continue;
		if (at == part->ahead_count || mine->end_ticks != other->end_ticks || mine->kind != other->kind ||
			(mine->begin_ticks > ticks ? mine->begin_ticks : ticks) != other->begin_ticks)
			return false;
		at++;
	}
	for (; at < part->ahead_count; at++)
		if (part->ahead[at].kind == OFF_CPU_UNKNOWN && part->ahead[at].begin_ticks < off->covered_ticks)
			return false;
	return part->ahead_ticks >= off->covered_ticks;
}

bool off_cpu_has_held(const struct off_cpu *off, const struct off_cpu *part)
{
	for (size_t i = 0; i < part->end_count; i++)
		if (part->ends[i].index < off->depth && off->frames[part->ends[i].index].total.held_ticks)
			return true;
	return false;
}

/* Calls that the part ended may have charges from before the part. Adds these charges to the calls, and to the total of the
 * innermost call that stays open. */
static void carry(struct stack *stack, struct thread_context *context, struct stack *part)
{
	struct off_cpu_ticks above = {0};
	struct off_cpu *off = &stack->off_cpu;

	for (size_t i = 0; i < part->off_cpu.end_count; i++) { /* innermost first */
		const struct off_cpu_end *end = &part->off_cpu.ends[i];

		struct off_cpu_ticks self = off->depth > end->index ? off->frames[end->index].self : (struct off_cpu_ticks){0};

		while (off->depth > end->index)
			profile_add_off_cpu(&above, &off->frames[--off->depth].total);
		if (context->options.on_carry)
			context->options.on_carry(context->carry_context, end->index, &self, &above);
		if (context->options.want_profile)
			account_carry_call(stack, context, part, end, above.held_ticks);
		if (context->options.want_profile && !off_cpu_is_none(&above))
			account_carry_off_cpu(stack, context, part, end, &above);
	}
	if (!off_cpu_is_none(&above) && off->depth)
		profile_add_off_cpu(&off->frames[off->depth - 1].total, &above);
}

static bool join_frames(struct off_cpu *off, const struct off_cpu *part)
{
	if (part->depth && !off_cpu_frame_at(off, part->depth - 1))
		return false;
	for (uint32_t i = 0; i < part->depth; i++) {
		profile_add_off_cpu(&off->frames[i].self, &part->frames[i].self);
		profile_add_off_cpu(&off->frames[i].total, &part->frames[i].total);
	}
	return true;
}

static void join_sums(struct off_cpu *off, const struct off_cpu *part, bool same_section)
{
	if (!same_section)
		off->section = off->section_self = (struct off_cpu_ticks){0};
	profile_add_off_cpu(&off->section, &part->section);
	profile_add_off_cpu(&off->section_self, &part->section_self);
	profile_add_off_cpu(&off->all, &part->all);
	profile_add_off_cpu(&off->self, &part->self);
	profile_add_off_cpu(&off->lost, &part->lost);
	profile_add_off_cpu(&off->outside, &part->outside);
	off->switches += part->switches;
	off->waiting = part->waiting;
	off->waiting_before = part->waiting_before;
	off->unrecorded = part->unrecorded;
	off->watch = part->watch;
	off->in_gap = part->in_gap;
	off->is_stopped = part->is_stopped;
	off->is_held = part->is_held;
	off->was_unrecorded = part->was_unrecorded;
}

bool off_cpu_join(struct stack *stack, struct thread_context *context, struct stack *part)
{
	struct off_cpu *off = &stack->off_cpu, *from = &part->off_cpu;

	carry(stack, context, part);
	if (!join_frames(off, from))
		return false;
	join_sums(off, from, part->pair.section_inherited);
	for (uint32_t i = 0; part->section_inherited && i < from->section_count; i++)
		if (from->sections[i].number == part->section && !off_cpu_is_none(&from->sections[i].total))
			off_cpu_add_section_total(stack, i, &from->sections[i].total);
	if (!off_cpu_join_faults(off, from))
		return false;
	if (!from->told)
		return true;
	off->late |= from->late || !off->told;
	off->told = true;
	off->head = off->count = 0;
	for (size_t i = from->head; i < from->count; i++)
		if (!off_cpu_push(off, from->queue[i].begin_ticks, from->queue[i].end_ticks, from->queue[i].kind))
			return false;
	off->covered_ticks = from->covered_ticks;
	off_cpu_set_next(off);
	return true;
}
