/* gap: follows dropped slots in a copy of the drain's pairing, and counts the frames left and entered. */
#include "record/drain/gap.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for more frames. Without memory, the pairing counts the frames that have no room. */
static bool reserve_frames(struct gap *gap, uint32_t depth, uint32_t more)
{
	uint64_t capacity = gap->frame_capacity ? gap->frame_capacity : 1024;
	struct dwell_frame *frames;

	while (capacity < (uint64_t)depth + more)
		capacity *= 2;
	if (capacity <= gap->frame_capacity)
		return true;
	if (capacity > UINT32_MAX)
		return false;
	frames = realloc(gap->frames, capacity * sizeof *frames);
	if (!frames)
		return false;
	gap->frames = frames;
	gap->frame_capacity = (uint32_t)capacity;
	return true;
}

bool gap_begin(struct gap *gap, const struct dwell_fold *fold)
{
	const struct dwell_pair *pair = fold->pair;

	gap->exact = fold->stack || fold->next_stack || fold->changed_stacks;
	gap->dropped = 0;
	if (gap->exact)
		return gap->open = true;
	if (!reserve_frames(gap, pair->depth, 1))
		return false;
	memcpy(gap->frames, pair->frames, pair->depth * sizeof *gap->frames);
	gap->pair = *pair;
	dwell_pair_grow(&gap->pair, gap->frames, gap->frame_capacity);
	gap->fold = *fold;
	gap->fold.pair = &gap->pair;
	gap->fold.stacks = NULL;
	gap->lost_before = pair->lost_events;
	dwell_fold_begin(&gap->fold);
	gap->open = true;
	return true;
}

void gap_add(struct gap *gap, const uint64_t *slots, uint32_t count)
{
	for (uint32_t done = 0, part; done < count; done += part) {
		part = count - done < DWELL_BLOCK_SLOTS ? count - done : DWELL_BLOCK_SLOTS;
		if (reserve_frames(gap, gap->pair.depth, part))
			dwell_pair_grow(&gap->pair, gap->frames, gap->frame_capacity);
		dwell_fold_slots(&gap->fold, slots + done, part);
	}
}

static uint32_t saturate(uint64_t number)
{
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

void gap_put(uint64_t events, uint64_t pops, uint64_t pushes, uint64_t slots[static GAP_SLOTS])
{
	slots[0] = dwell_slot_make(DWELL_TAG_LOST, saturate(events));
	slots[1] = dwell_slot_make(DWELL_TAG_LOST_POPS, saturate(pops));
	slots[2] = dwell_slot_make(DWELL_TAG_LOST_PUSHES, saturate(pushes));
}

uint64_t gap_end(struct gap *gap, struct dwell_fold *fold, uint64_t slots[static GAP_SLOTS])
{
	const struct dwell_fold_summary *summary = &gap->fold.summary;
	uint64_t dropped = summary->events + summary->holes;

	if (gap->exact) {
		gap_put(gap->dropped, 0, 0, slots);
		dwell_fold_slots(fold, slots, GAP_SLOTS);
		gap->open = gap->exact = false;
		return gap->dropped;
	}
	/* After a change of stacks in the gap, the numbers of frames are unknown. */
	gap_put(summary->events + gap->pair.lost_events - gap->lost_before,
		gap->fold.changed_stacks || summary->unknown_gap ? DWELL_LOST_ALL : summary->pops,
		gap->fold.changed_stacks ? 0 : summary->pushes, slots);
	dwell_fold_slots(fold, slots, GAP_SLOTS);
	/* Slots in the gap set the state in which the next slots are read. */
	fold->cursor.high = gap->fold.cursor.high;
	fold->cursor.window = gap->fold.cursor.window;
	fold->next_stack = gap->fold.next_stack;
	gap->open = false;
	return dropped;
}

void gap_clear(struct gap *gap)
{
	free(gap->frames);
	*gap = (struct gap){0};
}
