#include "model/thread/off.h"

#include <stdlib.h>
#include <string.h>

#include "model/thread/account.h"
#include "model/thread/off_inner.h"
#include "model/thread/thread_state.h"
#include "util/array.h"

bool off_is_none(const struct profile_off *sum)
{
	return !sum->ticks && !sum->unknown_ticks && !sum->held_ticks;
}

/* ---- what is told ---- */

void off_set_next(struct off *off)
{
	if (off->head == off->count)
		off->head = off->count = 0;
	off->next_ticks = off->covered_ticks;
	if (off->head < off->count && off->queue[off->head].begin_ticks < off->next_ticks)
		off->next_ticks = off->queue[off->head].begin_ticks;
}

bool off_push(struct off *off, uint64_t begin_ticks, uint64_t end_ticks, enum off_kind kind)
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
	if (off->count >= OFF_QUEUE_MAX || !array_reserve(&off->queue, &off->capacity, off->count + 1, sizeof *off->queue))
		return false;
	off->queue[off->count++] = (struct off_interval){begin_ticks, end_ticks, kind};
	return true;
}

void off_tell(struct thread *thread, const struct message_switches *message)
{
	struct off *off = &thread->off;
	uint64_t passed_ticks = thread_has_begun(thread) ? thread->pair.last_ticks : 0;
	bool room = true;

	if (!off->told && passed_ticks) {
		off->late = true;
		off->covered_ticks = passed_ticks;
	}
	off->told = true;
	if (message->from_ticks > off->covered_ticks)
		room = off_push(off, off->covered_ticks, message->from_ticks, OFF_UNKNOWN);
	for (uint32_t i = 0; room && i < message->count; i++) {
		const struct message_switch *at = &message->switches[i];
		uint64_t last_ticks = off->count > off->head ? off->queue[off->count - 1].end_ticks : 0;

		if (at->in_ticks <= passed_ticks || at->in_ticks <= last_ticks)
			continue;
		room = off_push(off, at->out_ticks, at->in_ticks, at->preempted ? OFF_PREEMPTED : OFF_WAITING);
	}
	if (room && message->until_ticks > off->covered_ticks)
		off->covered_ticks = message->until_ticks;
	if (off->count > off->head && off->queue[off->count - 1].end_ticks > off->covered_ticks) /* what is told is known */
		off->covered_ticks = off->queue[off->count - 1].end_ticks;
	off_set_next(off);
}

void off_hand_over(struct thread *to, struct thread *from)
{
	struct off *off = &to->off, *other = &from->off;
	struct profile_off others = other->all;

	profile_add_off(&others, &other->others);
	profile_subtract_off(&others, &off->all);
	if (thread_has_begun(to)) {
		profile_add_off(&off->away, &others);
		profile_subtract_off(&off->away, &off->others);
	}
	off->others = others;
	if (!other->told)
		return;
	off->late |= !off->told && thread_has_begun(to);
	off->told = true;
	free(off->queue);
	off->queue = other->queue;
	off->head = other->head;
	off->count = other->count;
	off->capacity = other->capacity;
	off->covered_ticks = other->covered_ticks;
	off_set_next(off);
	other->queue = NULL;
	other->head = other->count = other->capacity = 0;
	other->next_ticks = UINT64_MAX;
}

/* ---- who is charged ---- */

struct off_frame *off_frame_at(struct off *off, uint32_t index)
{
	if (index >= off->depth) {
		if (!array_reserve(&off->frames, &off->frame_capacity, (size_t)index + 1, sizeof *off->frames))
			return NULL;
		memset(off->frames + off->depth, 0, ((size_t)index + 1 - off->depth) * sizeof *off->frames);
		off->depth = index + 1;
	}
	return &off->frames[index];
}

static void charge_frame(struct thread *thread, struct thread_context *context, uint32_t index, const struct profile_off *self,
	const struct profile_off *lost)
{
	struct off *off = &thread->off;
	struct off_frame *frame = off_frame_at(off, index);

	profile_add_off(&off->self, self);
	profile_add_off(&off->lost, lost);
	if (!frame) {
		thread_starve(context);
		return;
	}
	profile_add_off(&frame->self, self);
	profile_add_off(&frame->total, self);
	profile_add_off(&frame->total, lost);
	if (context->options.want_profile)
		account_off(thread, context, index, self);
}

static void charge_outside(struct off *off, const struct profile_off *sum)
{
	profile_add_off(&off->outside, sum);
	profile_add_off(&off->section_self, sum);
}

static void add_piece(const struct thread *thread, const struct thread_context *context, struct profile_off *sum, uint64_t begin_ticks,
	uint64_t end_ticks, enum off_kind kind)
{
	*(kind == OFF_UNKNOWN ? &sum->unknown_ticks : &sum->ticks) += end_ticks - begin_ticks;
	if (kind == OFF_PREEMPTED)
		sum->preempted_ticks += end_ticks - begin_ticks;
	if (context->options.on_off)
		context->options.on_off(context->options.context, thread->row.stream, begin_ticks, end_ticks, kind);
}

/* Takes what lies between two times off the queue. */
static struct profile_off take(struct thread *thread, const struct thread_context *context, uint64_t from_ticks, uint64_t to_ticks)
{
	struct off *off = &thread->off;
	struct profile_off sum = {0};

	while (off->head < off->count && off->queue[off->head].begin_ticks < to_ticks) {
		const struct off_interval *at = &off->queue[off->head];
		uint64_t begin_ticks = at->begin_ticks > from_ticks ? at->begin_ticks : from_ticks;
		uint64_t end_ticks = at->end_ticks < to_ticks ? at->end_ticks : to_ticks;

		if (begin_ticks < end_ticks)
			add_piece(thread, context, &sum, begin_ticks, end_ticks, at->kind);
		if (at->end_ticks > to_ticks)
			break;
		off->switches += at->kind != OFF_UNKNOWN && at->end_ticks > from_ticks;
		off->head++;
	}
	if (to_ticks > off->covered_ticks) {
		add_piece(thread, context, &sum, from_ticks > off->covered_ticks ? from_ticks : off->covered_ticks, to_ticks, OFF_UNKNOWN);
		off->covered_ticks = to_ticks;
	}
	off_set_next(off);
	return sum;
}

void off_advance_slowly(struct thread *thread, struct thread_context *context, uint64_t ticks)
{
	struct off *off = &thread->off;
	static const struct profile_off none;
	uint64_t from_ticks = thread_has_begun(thread) ? thread->pair.last_ticks : ticks;
	struct profile_off sum;

	if (from_ticks > ticks)
		return;
	sum = take(thread, context, from_ticks, ticks);
	if (off_is_none(&sum) || off->is_held) /* then it is counted already, as that */
		return;
	profile_add_off(&off->all, &sum);
	profile_add_off(&off->section, &sum);
	if (off->in_gap || off->is_paused) {
		profile_add_off(off->in_gap ? &off->lost : &off->outside, &sum);
		profile_add_off(&off->away, &sum);
		return;
	}
	if (dwell_pair_is_landing(&thread->pair))
		profile_add_off(&off->waiting, &sum);
	else if (thread->pair.depth)
		charge_frame(thread, context, thread->pair.depth - 1, &sum, &none);
	else
		charge_outside(off, &sum);
}

/* ---- where the thread goes on ---- */

/* The time away is over. What waits since before it is none of a section that begins behind it. */
static void end_away(struct off *off)
{
	off->is_held = false;
	if (!off->in_gap && !off->is_paused)
		return;
	off->waiting_before = off->waiting;
	off->in_gap = off->is_paused = false;
}

void off_lose(struct off *off)
{
	off->is_held = false;
	off->in_gap = off->was_away = off->watch = true;
}

void off_pause(struct off *off)
{
	end_away(off);
	off->is_paused = off->was_away = off->watch = true;
}

void off_go_on(struct off *off)
{
	end_away(off);
}

void off_hold(struct off *off)
{
	if (off->is_paused) { /* and stays so; a gap in it is over */
		off->in_gap = false;
		return;
	}
	end_away(off);
	off->is_held = off->watch = true;
}

void off_let_go(struct thread *thread, struct thread_context *context, uint64_t ticks)
{
	const struct profile_off held = {.held_ticks = ticks};
	struct off *off = &thread->off;
	struct off_frame *frame;

	off->is_held = false;
	if (!ticks)
		return;
	profile_add_off(&off->all, &held);
	profile_add_off(&off->section, &held);
	if (dwell_pair_is_waiting(&thread->pair)) { /* for where it goes on */
		profile_add_off(&off->away, &held);
		off->was_away = off->watch = true;
	} else if (thread->pair.depth) {
		frame = off_frame_at(off, thread->pair.depth - 1);
		if (frame)
			profile_add_off(&frame->total, &held);
		else
			thread_starve(context);
	}
}

/* The thread goes on in the call at index. */
static void arrive_in(struct thread *thread, struct thread_context *context, uint32_t index)
{
	static const struct profile_off none;
	struct off *off = &thread->off;

	if (!off_is_none(&off->waiting) || !off_is_none(&off->away))
		charge_frame(thread, context, index, &off->waiting, &none);
	if (!off_is_none(&off->away) && index < off->depth)
		profile_add_off(&off->frames[index].total, &off->away);
}

static void arrived(struct off *off)
{
	off->waiting = off->waiting_before = off->away = (struct profile_off){0};
	off->was_away = off->watch = false;
}

/* Of what waits it has what is behind the time away. */
static void begin_section(struct off *off)
{
	off->section = off->waiting;
	profile_subtract_off(&off->section, &off->waiting_before);
	off->section_self = off->section;
}

void off_begin_section(struct off *off)
{
	off->section = off->waiting;
	off->section_self = (struct profile_off){0};
}

void off_settle(struct thread *thread, struct thread_context *context, uint32_t depth)
{
	struct off *off = &thread->off;

	end_away(off);
	if (depth) {
		arrive_in(thread, context, depth - 1);
	} else {
		charge_outside(off, &off->waiting);
		if (off->was_away) /* a section begins where it came back */
			begin_section(off);
	}
	arrived(off);
}

void off_before_exit(struct thread *thread, struct thread_context *context)
{
	struct off *off = &thread->off;
	struct off_frame *frame;

	end_away(off);
	if (thread->pair.depth)
		return;
	off_settle(thread, context, 0);
	/* It was open since the section began. */
	if (off_is_none(&off->section) || !(frame = off_frame_at(off, 0)))
		return;
	*frame = (struct off_frame){off->section_self, off->section};
	profile_subtract_off(&off->outside, &off->section_self);
	profile_add_off(&off->self, &off->section_self);
	off->section_self = (struct profile_off){0};
}

void off_after_exit(struct thread *thread, struct thread_context *context, const struct dwell_call *call)
{
	if (!call) {
		off_settle(thread, context, thread->pair.depth);
		return;
	}
	arrive_in(thread, context, call->depth);
	arrived(&thread->off);
}

/* ---- the ends of calls, and of the data ---- */

struct off_frame off_leave(struct off *off, const struct dwell_call *call, uint32_t function)
{
	struct off_frame left = {0};
	uint32_t index = call->depth;

	while (off->depth > index) {
		const struct off_frame *frame = &off->frames[--off->depth];

		left.self = frame->self;
		profile_add_off(&left.total, &frame->total);
	}
	if (index) /* there is a record: it is below one that was charged */
		profile_add_off(&off->frames[index - 1].total, &left.total);
	if (index < off->inherited) { /* there is room: see off_resume */
		off->ends[off->end_count++] = (struct off_end){call->user, function, index};
		off->inherited = index;
	}
	return left;
}

/* Of what was spent in [from, to) the frame at index, or nobody (UINT32_MAX), was charged with all but lost_ticks. */
static void charge_span(
	struct thread *thread, struct thread_context *context, uint32_t index, uint64_t from_ticks, uint64_t to_ticks, uint64_t lost_ticks)
{
	struct off *off = &thread->off;
	struct profile_off sum, lost, self;

	if (off->next_ticks >= to_ticks)
		return;
	sum = lost = take(thread, context, from_ticks, to_ticks);
	if (off_is_none(&sum))
		return;
	profile_add_off(&off->all, &sum);
	profile_add_off(&off->section, &sum);
	if (index == UINT32_MAX) {
		profile_add_off(&off->lost, &sum);
		return;
	}
	/* Where in the span the lost time is nobody knows: of the times off the CPU as much as can be is taken to be in it. */
	if (lost.unknown_ticks > lost_ticks)
		lost.unknown_ticks = lost_ticks;
	if (lost.ticks > lost_ticks - lost.unknown_ticks)
		lost.ticks = lost_ticks - lost.unknown_ticks;
	if (lost.preempted_ticks > lost.ticks)
		lost.preempted_ticks = lost.ticks;
	self = sum;
	profile_subtract_off(&self, &lost);
	if (self.preempted_ticks > self.ticks) {
		lost.preempted_ticks += self.preempted_ticks - self.ticks;
		self.preempted_ticks = self.ticks;
	}
	charge_frame(thread, context, index, &self, &lost);
}

void off_adopt(struct thread *thread, struct thread_context *context, bool had_begun, uint32_t known, uint64_t gap_ticks,
	uint64_t known_child_ticks)
{
	const struct dwell_pair *pair = &thread->pair;
	struct off *off = &thread->off;
	uint64_t from_ticks = had_begun ? gap_ticks : pair->first_ticks;
	uint64_t to_ticks = known < pair->depth ? pair->frames[known].enter_ticks : pair->last_ticks;

	charge_span(thread, context, known ? known - 1 : UINT32_MAX, from_ticks, to_ticks,
		known ? pair->frames[known - 1].child_ticks - known_child_ticks : 0);
	if (!known)
		off->section = off->section_self = (struct profile_off){0};
	for (uint32_t index = known; index < pair->depth && off->next_ticks < pair->last_ticks; index++) {
		from_ticks = pair->frames[index].enter_ticks;
		to_ticks = index + 1 < pair->depth ? pair->frames[index + 1].enter_ticks : pair->last_ticks;
		charge_span(thread, context, index, from_ticks, to_ticks, pair->frames[index].child_ticks);
	}
}

static bool is_same(const struct profile_off *a, const struct profile_off *b)
{
	return a->ticks == b->ticks && a->preempted_ticks == b->preempted_ticks && a->unknown_ticks == b->unknown_ticks;
}

static bool is_part(const struct profile_off *off, uint64_t ticks)
{
	return off->preempted_ticks <= off->ticks && off->ticks <= ticks && off->unknown_ticks <= ticks - off->ticks;
}

bool off_is_told(const struct thread *thread)
{
	return thread->off.told && !thread->off.late && thread_has_begun(thread);
}

void off_set_unknown(struct profile_thread *row, struct thread_context *context)
{
	row->off = row->off_self = (struct profile_off){.unknown_ticks = profile_rest(row->last_ticks - row->first_ticks, row->held_ticks)};
	row->off_lost = row->off_outside = (struct profile_off){0};
	row->off_balanced = context->profile->off_is_partial = true;
}

void off_finish(struct thread *thread, struct thread_context *context)
{
	struct off *off = &thread->off;
	struct profile_thread *row = &thread->row;
	struct profile_off sum = off->self;

	row->off = off->all;
	row->off_self = off->self;
	row->off_lost = off->lost;
	row->off_outside = off->outside;
	row->switches = off->switches;
	row->off_untold = context->profile->has_off && !off_is_told(thread) && row->last_ticks != row->first_ticks;
	if (row->off_untold) {
		off_set_unknown(row, context);
		return;
	}
	profile_add_off(&sum, &off->lost);
	profile_add_off(&sum, &off->outside);
	/* Where it is shown of no thread, what came too late of this one is for nobody. */
	row->off_balanced = !context->profile->has_off ||
		(is_same(&sum, &off->all) && is_part(&off->self, row->self_ticks) && is_part(&off->lost, row->lost_ticks) &&
			is_part(&off->outside, row->outside_ticks));
}

void off_clear(struct off *off)
{
	uint64_t next_ticks = off->told ? off->covered_ticks : UINT64_MAX;

	free(off->queue);
	free(off->frames);
	free(off->sections);
	free(off->ends);
	free(off->ahead);
	off->queue = off->ahead = NULL;
	off->frames = NULL;
	off->sections = NULL;
	off->ends = NULL;
	off->head = off->count = off->capacity = off->frame_capacity = off->section_count = off->section_capacity = 0;
	off->end_count = off->end_capacity = off->ahead_count = 0;
	off->depth = off->inherited = 0;
	off->next_ticks = next_ticks;
}
