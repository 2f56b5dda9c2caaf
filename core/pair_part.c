/* SPDX-License-Identifier: MIT
 *
 * Pairing of a part of a thread's data: begins in the middle, and joins the results of consecutive parts. So a host can pair one
 * thread's data on several processors. Also checks of the pairing's state, for tests.
 */
#include "core/pair_inner.h"

bool dwell_pair_resume(struct dwell_pair *pair, uint32_t count, uint64_t ticks)
{
	if (count > pair->capacity)
		return false;
	pair->depth = pair->reached = pair->deepest = count;
	pair->first_ticks = pair->last_ticks = pair->section_first_ticks = pair->land_ticks = ticks;
	pair->section_inherited = pair->resumed = true;
	pair->state = 0;
	return dwell_pair_is_valid(pair);
}

bool dwell_pair_is_interrupted(const struct dwell_pair *pair)
{
	return pair->state & (STATE_STOPPED | STATE_GAP);
}

bool dwell_pair_is_held(const struct dwell_pair *pair)
{
	return pair->state & STATE_HELD;
}

bool dwell_pair_join(struct dwell_pair *pair, const struct dwell_pair *part)
{
	uint32_t searched = SEARCH_ALL - part->search_left;

	/* The result of a shortened search depends on all earlier searches. */
	if (part->section_missed || pair->search_left < SEARCH_ALL / 2 + searched || part->deepest > SEARCH_ALL / 2)
		return false;
	pair->search_left -= searched;
	pair->depth = part->depth;
	pair->beyond = part->beyond;
	pair->state = part->state;
	if (pair->reached < part->reached)
		pair->reached = part->reached < pair->capacity ? part->reached : pair->capacity;
	if (pair->deepest < part->deepest)
		pair->deepest = part->deepest;
	pair->last_ticks = part->last_ticks;
	pair->self_ticks += part->self_ticks;
	pair->lost_ticks += part->lost_ticks;
	pair->held_ticks += part->held_ticks;
	pair->covered_ticks += part->covered_ticks;
	pair->lost_events += part->lost_events;
	pair->unmatched_exits += part->unmatched_exits;
	pair->unwound_calls += part->unwound_calls;
	pair->beyond_calls += part->beyond_calls;
	pair->backward_events += part->backward_events;
	pair->land_flags = part->land_flags;
	pair->land_ticks = part->land_ticks;
	pair->lost_pushes = part->lost_pushes;
	pair->wait_lost_ticks = part->wait_lost_ticks;
	pair->wait_stopped_ticks = part->wait_stopped_ticks;
	pair->wait_held_ticks = part->wait_held_ticks;
	pair->wait_end_ticks = part->wait_end_ticks;
	if (part->section_inherited) {
		pair->section_ticks += part->section_ticks;
	} else {
		pair->section_ticks = part->section_ticks;
		pair->section_first_ticks = part->section_first_ticks;
	}
	pair->has_gap |= part->has_gap;
	pair->misfit_id = part->misfit_id;
	for (uint32_t i = 0; i < part->ended_count && i < DWELL_PAIR_ENDED_MAX; i++)
		note_ended(pair, part->ended[i]);
	if (part->ended_count > DWELL_PAIR_ENDED_MAX)
		pair->ended_count = part->ended_count;
	return true;
}

void dwell_pair_move_to_lost(struct dwell_pair *pair, uint64_t ticks)
{
	uint64_t next_ticks = pair->last_ticks;

	for (uint32_t index = pair->depth; index-- && ticks;) {
		struct dwell_frame *frame = &pair->frames[index];
		uint64_t own_ticks = next_ticks - frame->enter_ticks - frame->child_ticks;

		own_ticks = own_ticks < ticks ? own_ticks : ticks;
		frame->child_ticks += own_ticks;
		pair->lost_ticks += own_ticks;
		ticks -= own_ticks;
		next_ticks = frame->enter_ticks;
	}
}

bool dwell_pair_is_valid(const struct dwell_pair *pair)
{
	for (uint32_t index = 0; index < pair->depth; index++) {
		const struct dwell_frame *frame = &pair->frames[index];
		uint64_t next_ticks = index + 1 < pair->depth ? frame[1].enter_ticks : pair->last_ticks;

		if (frame->enter_ticks > next_ticks || frame->child_ticks > next_ticks - frame->enter_ticks)
			return false;
	}
	return pair->last_ticks >= pair->first_ticks;
}

bool dwell_pair_is_waiting(const struct dwell_pair *pair)
{
	return pair->state & STATE_WAIT;
}
