/* relay_import: see relay_import.h. */
#include "record/drain/relay_import.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* What calls may have taken, all in all: decades. Sums of several turns have room in 64 bits. */
#define TICKS_MAX (UINT64_MAX >> 4)

/* What is one byte there must be 0 or 1 here, to be a bool. */
static void settle_bool(bool *value)
{
	unsigned char byte;

	memcpy(&byte, value, 1);
	*value = byte != 0;
}

/* Whether so many ticks were between these two. */
static bool is_within(uint64_t ticks, uint64_t begin, uint64_t end)
{
	return begin <= end && ticks <= end - begin;
}

static bool is_sane_pair(struct dwell_pair *pair)
{
	settle_bool(&pair->section_inherited);
	settle_bool(&pair->section_missed);
	settle_bool(&pair->resumed);
	settle_bool(&pair->doubted);
	settle_bool(&pair->is_copy);
	settle_bool(&pair->without_held);
	/* Between two turns nothing is due, and all frames are there. */
	return pair->ended_count <= DWELL_PAIR_ENDED_MAX + 1 &&
	       !pair->beyond && !pair->due && !pair->due_last && !pair->lost_pushes && dwell_pair_is_consistent(pair) &&
	       pair->land_flags < DWELL_CALL_NO_EXIT && pair->deepest >= pair->depth &&
	       is_within(pair->held_ticks, pair->first_ticks, pair->last_ticks) &&
	       is_within(pair->lost_ticks, pair->first_ticks, pair->last_ticks) && pair->land_ticks <= pair->last_ticks &&
	       pair->wait_end_ticks <= pair->last_ticks;
}

/* Outermost calls that are over were in the section, and before the one that is open. */
static bool is_sane_section(const struct dwell_pair *pair)
{
	uint64_t end_ticks = pair->depth ? pair->frames[0].enter_ticks : pair->last_ticks;

	return (!pair->depth && dwell_pair_is_waiting(pair)) ||
	       (pair->first_ticks <= pair->section_first_ticks &&
		       is_within(pair->section_ticks, pair->section_first_ticks, end_ticks));
}

/* Where it is not known yet which call goes on, those above it end where the landing began, and the time since then is charged to it. */
static bool is_sane_waiting(const struct dwell_pair *pair)
{
	const struct dwell_frame *top = pair->depth ? &pair->frames[pair->depth - 1] : NULL;
	struct dwell_pair landed = *pair;
	uint64_t begin_ticks = top ? top->enter_ticks + top->child_ticks : pair->first_ticks;

	/* With no call open it may have waited for longer: calls were left behind meanwhile. */
	landed.last_ticks = pair->land_ticks;
	if (top && dwell_pair_is_landing(pair)) {
		if (!dwell_pair_is_valid(&landed))
			return false;
		begin_ticks = pair->land_ticks;
	}
	return is_within(pair->wait_lost_ticks, begin_ticks, pair->last_ticks) &&
	       is_within(pair->wait_off_ticks, begin_ticks + pair->wait_lost_ticks, pair->last_ticks) &&
	       is_within(pair->wait_held_ticks, begin_ticks + pair->wait_lost_ticks + pair->wait_off_ticks, pair->last_ticks);
}

/* Whether one can be what became of the other. Sums are told as what was added since the last time, so none goes back; and who searches
 * for ever holds up everybody. */
static bool is_later(const struct dwell_pair *pair, const struct dwell_pair *before)
{
	return (!dwell_pair_has_begun(before) || pair->first_ticks == before->first_ticks) &&
	       pair->last_ticks >= before->last_ticks && pair->deepest >= before->deepest &&
	       pair->lost_ticks + pair->wait_lost_ticks >= before->lost_ticks + before->wait_lost_ticks &&
	       pair->held_ticks >= before->held_ticks &&
	       pair->lost_events >= before->lost_events && pair->unmatched_exits >= before->unmatched_exits &&
	       pair->unwound_calls >= before->unwound_calls && pair->beyond_calls >= before->beyond_calls &&
	       pair->backward_events >= before->backward_events && pair->search_left <= before->search_left;
}

/* Each stack stays where it is. */
static bool is_what_follows(const struct follower *calls, const struct follower *before)
{
	struct dwell_pair begun;
	size_t known = 0;
	bool good = true;

	dwell_pair_init(&begun, NULL, 0);
	for (size_t i = 0; good && i < calls->stack_count; i++) {
		const struct follower_stack *stack = calls->stacks[i];
		bool is_known = known < before->stack_count && before->stacks[known]->number == stack->number;

		good = is_later(&stack->pair, is_known ? &before->stacks[known]->pair : &begun);
		known += is_known;
	}
	return good && known == before->stack_count;
}

static bool copy_frames(struct relay_import *import, const struct dwell_frame *from)
{
	uint32_t used = 0;

	if (!array_reserve(&import->frames, &import->frame_capacity, DWELL_RELAY_THREAD_FRAMES, sizeof *import->frames))
		return false;
	for (uint32_t i = 0; i < import->state.stack_count; i++) {
		struct dwell_relay_stack *stack = &import->state.stacks[i];

		memcpy(import->frames + used, from + stack->first, stack->pair.depth * sizeof *from);
		stack->first = used;
		used += stack->pair.depth;
	}
	for (uint32_t i = 0; i < used; i++) {
		import->frames[i].user = import->frames[i].reserved = 0; /* of other paths */
		import->frames[i].flags &= DWELL_CALL_NO_ENTRY | DWELL_CALL_PIECE;
	}
	return true;
}

static bool is_sane_stacks(struct dwell_relay_state *state)
{
	uint64_t depth = 0;
	bool runs = false;

	if (!state->stack_count || state->stack_count > DWELL_RELAY_STACKS || state->stacks[0].number)
		return false;
	for (uint32_t i = 0; i < state->stack_count; i++) {
		struct dwell_relay_stack *stack = &state->stacks[i];

		if (!is_sane_pair(&stack->pair) || stack->number >= DWELL_STACK_BEGINS ||
			stack->first > DWELL_RELAY_THREAD_FRAMES || stack->pair.depth > DWELL_RELAY_THREAD_FRAMES - stack->first)
			return false;
		for (uint32_t k = 0; k < i; k++)
			if (state->stacks[k].number == stack->number)
				return false;
		depth += stack->pair.depth;
		runs |= stack->number == state->stack;
	}
	return runs && depth <= DWELL_RELAY_THREAD_FRAMES && state->next_stack < DWELL_STACK_BEGINS;
}

static bool is_sane_octaves(const struct dwell_paths *paths)
{
	for (uint32_t i = 0; i < paths->octave_count; i++)
		for (uint32_t step = 0; step < DWELL_DURATION_STEPS; step++)
			if (paths->octaves[i][step] > UINT64_MAX >> 2)
				return false;
	return true;
}

/* What readers ask of a file, too. */
static bool is_sane_paths(struct dwell_paths *paths)
{
	for (uint32_t i = 0; i < paths->function_count; i++) {
		struct dwell_path_function *function = &paths->functions[i];

		settle_bool(&function->incomplete);
		for (uint32_t k = 0; k < DWELL_DURATION_OCTAVES; k++)
			if (function->octaves[k] > paths->octave_count)
				return false;
		if (function->durations && function->min_ticks > function->max_ticks)
			return false;
	}
	for (uint32_t i = 1; i < paths->node_count; i++) {
		const struct dwell_path *node = &paths->nodes[i];

		if (node->parent >= i || node->function >= paths->function_count || node->self_ticks > node->total_ticks)
			return false;
	}
	return is_sane_octaves(paths);
}

/* A slot is two events at most, and an event ends a call, or a call was open. */
static bool is_sane_number(const struct dwell_relay_state *state, const struct follower *before, uint64_t from)
{
	uint64_t slots = (state->position - from) / DWELL_SLOT_BYTES, left,
		 open = follower_open_calls(before);
	const struct dwell_paths *paths = &state->paths;
	bool good = state->position >= from && state->position % DWELL_SLOT_BYTES == 0 && state->events / 2 <= slots;

	left = state->events + open;
	good = good && state->no_entry_calls <= left && state->gap_calls <= left && paths->other_calls <= left;
	left -= good ? paths->other_calls : 0;
	for (uint32_t i = 0; good && i < paths->function_count; i++) {
		good = paths->functions[i].folded_calls <= left;
		left -= good ? paths->functions[i].folded_calls : 0;
	}
	for (uint32_t i = 0; good && i < paths->node_count; i++) {
		good = paths->nodes[i].calls <= left;
		left -= good ? paths->nodes[i].calls : 0;
	}
	return good;
}

/* From the first event of all stacks to the last. */
static uint64_t elapsed_ticks(const struct dwell_relay_state *state)
{
	uint64_t first_ticks = UINT64_MAX, last_ticks = 0;

	for (uint32_t i = 0; i < state->stack_count; i++) {
		const struct dwell_pair *pair = &state->stacks[i].pair;

		if (dwell_pair_has_begun(pair) && pair->first_ticks < first_ticks)
			first_ticks = pair->first_ticks;
		if (pair->last_ticks > last_ticks)
			last_ticks = pair->last_ticks;
	}
	return first_ticks < last_ticks ? last_ticks - first_ticks : 0;
}

/* No call takes longer than all of it. */
static bool are_sane_times(const struct dwell_relay_state *state)
{
	uint64_t elapsed = elapsed_ticks(state);
	bool good = elapsed <= TICKS_MAX;

	for (uint32_t i = 1; good && i < state->paths.node_count; i++) {
		const struct dwell_path *node = &state->paths.nodes[i];

		good = node->total_ticks <= TICKS_MAX && (!elapsed || node->total_ticks / elapsed <= node->calls) &&
		       (elapsed || !node->total_ticks);
	}
	return good;
}

static bool copy_paths(struct relay_import *import, void *from)
{
	struct dwell_paths *paths = &import->state.paths, theirs;
	size_t bytes = dwell_paths_bytes(&dwell_relay_size);

	if (!array_reserve(&import->memory, &import->memory_bytes, bytes, 1))
		return false;
	dwell_paths_open(&theirs, from, &dwell_relay_size, paths);
	dwell_paths_open(paths, import->memory, &dwell_relay_size, paths);
	memcpy(paths->nodes, theirs.nodes, paths->node_count * sizeof *paths->nodes);
	memcpy(paths->functions, theirs.functions, paths->function_count * sizeof *paths->functions);
	memcpy(paths->octaves, theirs.octaves, paths->octave_count * sizeof *paths->octaves);
	return true;
}

/* Of one that is there. */
static bool is_sane_depth(const struct relay_import *import)
{
	const struct follower *calls = import->calls;
	bool good = follower_is_valid(calls) && import->state.floor_ticks <= calls->fold.pair->last_ticks;

	for (size_t i = 0; good && i < calls->stack_count; i++)
		good = is_sane_section(&calls->stacks[i]->pair) && is_sane_waiting(&calls->stacks[i]->pair);
	return good;
}

enum relay_import_result relay_import_read(
	struct relay_import *import, struct dwell_relay *relay, uint32_t buffer, const struct count *count, uint64_t from)
{
	struct dwell_relay_state *state = &import->state;
	unsigned char full;

	memcpy(state, dwell_relay_state(relay, buffer), sizeof *state);
	memcpy(&full, &state->paths.full, 1);
	state->paths.full = full != 0;
	if (!is_sane_stacks(state) || !state->paths.node_count || state->paths.node_count > DWELL_RELAY_NODES ||
		state->paths.function_count > DWELL_RELAY_FUNCTIONS || state->paths.octave_count > DWELL_RELAY_OCTAVES)
		return RELAY_IMPORT_BAD;
	if (!copy_frames(import, dwell_relay_frames(relay, buffer)) || !copy_paths(import, dwell_relay_paths(relay, buffer)))
		return RELAY_IMPORT_NO_MEMORY;
	if (!is_sane_paths(&state->paths) || !is_sane_number(state, count->thread.calls, from) || !are_sane_times(state))
		return RELAY_IMPORT_BAD;
	free_follower(import->calls);
	import->calls = make_follower_at(state, import->frames);
	if (!import->calls)
		return RELAY_IMPORT_NO_MEMORY;
	return is_sane_depth(import) && is_what_follows(import->calls, count->thread.calls) ? RELAY_IMPORT_GOOD : RELAY_IMPORT_BAD;
}

uint64_t relay_import_apply(struct relay_import *import, struct count *count)
{
	struct dwell_relay_state *state = &import->state;

	count_go_on(count, import->calls);
	import->calls = NULL;
	path_sums_add(&count->sums, &state->paths);
	count->events += state->events;
	count->no_entry_calls += state->no_entry_calls;
	count->gap_calls += state->gap_calls;
	count->has_news = true;
	return state->events;
}

void relay_import_clear(struct relay_import *import)
{
	free(import->frames);
	free(import->memory);
	free_follower(import->calls);
	import->frames = NULL;
	import->memory = NULL;
	import->calls = NULL;
	import->frame_capacity = import->memory_bytes = 0;
}
