/* off_cpu_queue: a thread's intervals off the CPU and page faults to come, in order of time. off_cpu.c charges them to calls. */
#include <stdlib.h>
#include <string.h>

#include "model/thread/off_cpu_inner.h"
#include "model/thread/thread.h"
#include "util/array.h"
#include "util/saturate.h"

void off_cpu_set_next(struct off_cpu *off)
{
	if (off->head == off->count)
		off->head = off->count = 0;
	if (off->fault_head == off->fault_count)
		off->fault_head = off->fault_count = 0;
	off->next_ticks = off->told ? off->covered_ticks : UINT64_MAX;
	if (off->fault_head < off->fault_count && off->faults[off->fault_head] < off->next_ticks)
		off->next_ticks = off->faults[off->fault_head];
	if (off->head < off->count && off->queue[off->head].begin_ticks < off->next_ticks)
		off->next_ticks = off->queue[off->head].begin_ticks;
}

bool off_cpu_push(struct off_cpu *off, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind)
{
	uint64_t floor_ticks = off->count > off->head ? off->queue[off->count - 1].end_ticks : 0;

	if (begin_ticks < floor_ticks)
		begin_ticks = floor_ticks;
	if (begin_ticks >= end_ticks)
		return true;
	if (off->head > off->count / 2) {
		memmove(off->queue, off->queue + off->head, (off->count - off->head) * sizeof *off->queue);
		off->count -= off->head;
		off->head = 0;
	}
	if (off->count >= OFF_CPU_QUEUE_MAX || !array_reserve(&off->queue, &off->capacity, off->count + 1, sizeof *off->queue))
		return false;
	off->queue[off->count++] = (struct off_cpu_interval){begin_ticks, end_ticks, kind};
	return true;
}

/* Appends a page fault, unless it is not later than the last one: a message may come twice. False: no room. */
static bool push(struct off_cpu *off, uint64_t ticks)
{
	if (off->fault_count > off->fault_head && ticks <= off->faults[off->fault_count - 1])
		return true;
	if (off->fault_head > off->fault_count / 2) {
		off->fault_count -= off->fault_head;
		memmove(off->faults, off->faults + off->fault_head, off->fault_count * sizeof *off->faults);
		off->fault_head = 0;
	}
	if (off->fault_count >= OFF_CPU_QUEUE_MAX ||
		!array_reserve(&off->faults, &off->fault_capacity, off->fault_count + 1, sizeof *off->faults))
		return false;
	off->faults[off->fault_count++] = ticks;
	return true;
}

static void add_faults(struct stack *stack, const struct message_faults *message)
{
	struct off_cpu *off = &stack->off_cpu;
	uint64_t passed_ticks = stack_has_begun(stack) ? stack->pair.last_ticks : 0;
	bool room = true;

	off->has_faults = true;
	for (uint32_t i = 0; room && i < message->count; i++)
		room = message->faults[i].ticks < passed_ticks || push(off, message->faults[i].ticks);
	off_cpu_set_next(off);
}

void thread_feed_faults(struct thread *thread, const struct message_faults *message)
{
	uint64_t recorded = message->before;

	saturate_add(&recorded, message->count);
	if (!message->is_part && recorded > thread->own.off_cpu.recorded_faults)
		thread->own.off_cpu.recorded_faults = recorded;
	add_faults(thread_get_running(thread), message);
}

void off_cpu_hand_over_faults(struct off_cpu *off, struct off_cpu *other)
{
	if (!other->has_faults)
		return;
	free(off->faults);
	off->faults = other->faults;
	off->fault_head = other->fault_head;
	off->fault_count = other->fault_count;
	off->fault_capacity = other->fault_capacity;
	off->has_faults = true;
	other->faults = NULL;
	other->fault_head = other->fault_count = other->fault_capacity = 0;
	off_cpu_set_next(off);
	off_cpu_set_next(other);
}

bool off_cpu_faults_agree(const struct off_cpu *off, const struct off_cpu *part, uint64_t ticks)
{
	size_t at = 0;

	for (size_t i = off->fault_head; i < off->fault_count; i++)
		if (off->faults[i] >= ticks && (at == part->ahead_fault_count || part->ahead_faults[at++] != off->faults[i]))
			return false;
	return true;
}

bool off_cpu_join_faults(struct off_cpu *off, const struct off_cpu *part)
{
	off->has_faults |= part->has_faults;
	off->fault_head = off->fault_count = 0;
	for (size_t i = part->fault_head; i < part->fault_count; i++)
		if (!push(off, part->faults[i]))
			return false;
	if (part->recorded_faults > off->recorded_faults)
		off->recorded_faults = part->recorded_faults;
	off_cpu_set_next(off);
	return true;
}

void off_cpu_set_outside_faults(struct profile_thread *row, uint64_t recorded)
{
	uint64_t inside = row->off_self.faults + row->off_lost.faults;

	if (recorded > inside)
		row->off_outside.faults = recorded - inside;
	row->off.faults = inside + row->off_outside.faults;
}
