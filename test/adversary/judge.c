#include "judge.h"

#include <stdio.h>

#include "core/slot.h"

/* What has been read so far. */
struct reading {
	const struct truth *truth;
	struct dwell_slot_cursor cursor;
	uint64_t last_ticks;
	uint64_t said[3];       /* LOST, LOST_POPS, LOST_PUSHES */
	bool in_doubt;          /* which frames are open nobody can know */
	unsigned next;          /* of the handler's events */
	unsigned heard;         /* of them */
	unsigned events, afters, offs, ons;
	unsigned heard_before;  /* of the handler's, when the event came */
	int64_t depth;
	bool unwound, landed, caller;
	bool may_have_values;   /* directly behind the event */
	uint64_t values[DWELL_ARGS_MAX];
	unsigned value_count;
};

static const char *complain(const char *what, uint64_t at)
{
	static char text[200];

	snprintf(text, sizeof text, "%s, slot at 0x%llx", what, (unsigned long long)at);
	return text;
}

static const char *hear(struct reading *reading, const struct dwell_slot_event *event, uint64_t at)
{
	const struct truth *truth = reading->truth;
	uint32_t word = (uint32_t)event->place | (event->kind == DWELL_SLOT_EXIT);

	reading->depth += event->kind == DWELL_SLOT_ENTER ? 1 : -1;
	if (truth->is_off && !reading->ons)
		return complain("an event before the stop was said", at);
	if (truth->landing && !reading->landed && (word == truth->event || word == truth->after)) {
		if (!reading->caller || !reading->unwound)
			return complain("it is not said where the unwind landed", at);
		reading->landed = true;
	}
	reading->caller = false;
	reading->unwound = false;
	if (truth->event && word == (truth->event | truth->kind)) {
		reading->heard_before = reading->heard;
		reading->may_have_values = true;
		return reading->events++ ? complain("the event twice", at) : NULL;
	}
	if (word == truth->after)
		return reading->afters++ ? complain("the last event twice", at) : NULL;
	while (reading->next < truth->handler_count && (uint32_t)truth->handler[reading->next] != word)
		reading->next++; /* lost: whether as many were counted is checked at the end */
	if (reading->next++ == truth->handler_count)
		return complain("an event that nobody recorded, or out of order", at);
	if (reading->afters)
		return complain("the handler's event after the last", at);
	reading->heard++;
	return NULL;
}

static bool is_value(uint64_t slot)
{
	uint32_t tag = (uint32_t)slot;

	return tag == DWELL_TAG_ARG || tag == DWELL_TAG_ARG_HIGH || tag == DWELL_TAG_RET || tag == DWELL_TAG_RET_HIGH;
}

static const char *hear_value(struct reading *reading, const struct dwell_slot_event *event, uint64_t at)
{
	bool is_high = event->tag == DWELL_TAG_ARG_HIGH || event->tag == DWELL_TAG_RET_HIGH;
	bool is_arg = event->tag == DWELL_TAG_ARG || event->tag == DWELL_TAG_ARG_HIGH;

	if (!reading->may_have_values || is_arg != (reading->truth->kind == DWELL_ENTER))
		return complain("a value that is nobody's", at);
	if (reading->value_count == (is_high ? 0 : reading->truth->value_count))
		return complain("a value too many", at);
	if (is_high)
		reading->values[reading->value_count - 1] |= (uint64_t)event->payload << 32;
	else
		reading->values[reading->value_count++] = event->payload;
	return NULL;
}

static const char *hear_tag(struct reading *reading, const struct dwell_slot_event *event, uint64_t at)
{
	switch (event->tag) {
	case DWELL_TAG_LOST:
	case DWELL_TAG_LOST_POPS:
	case DWELL_TAG_LOST_PUSHES:
		reading->in_doubt |= event->tag == DWELL_TAG_LOST_POPS && event->payload == DWELL_LOST_ALL;
		reading->said[event->tag - DWELL_TAG_LOST] += event->payload;
		return NULL;
	case DWELL_TAG_HELD: /* it waited for room, and there was none */
	case DWELL_TAG_HELD_END:
		return NULL;
	case DWELL_TAG_OFF:
		if (reading->offs++)
			return complain("the stop said twice", at);
		return event->ticks == reading->truth->stop_ticks ? NULL : complain("not when it stopped", at);
	case DWELL_TAG_ON:
		reading->unwound = true; /* frames may have been left since the stop */
		return reading->ons++ ? complain("the start said twice", at) : NULL;
	case DWELL_TAG_ARG:
	case DWELL_TAG_ARG_HIGH:
	case DWELL_TAG_RET:
	case DWELL_TAG_RET_HIGH:
		return hear_value(reading, event, at);
	case DWELL_TAG_STACK:
		return "a stack, where there is one only";
	case DWELL_TAG_UNWIND_JUMP:
		reading->unwound = true;
		return NULL;
	case DWELL_TAG_CALLER:
		reading->caller = event->payload == reading->truth->landing;
		return NULL;
	default:
		return complain("an unknown tag", at);
	}
}

static const char *read_slot(struct reading *reading, uint64_t slot, uint64_t at, bool old)
{
	struct dwell_slot_event event = {0};
	bool stamped = !dwell_slot_is_tag(slot) || dwell_slot_tag_has_stamp((uint32_t)slot);

	if (at % DWELL_BLOCK_BYTES == 0 && (uint32_t)slot != DWELL_TAG_TIME)
		return complain("a block that does not begin with the time", at);
	if (!slot)
		return complain("a hole", at);
	reading->may_have_values &= is_value(slot);
	dwell_slot_decode(&reading->cursor, slot, &event);
	if (stamped && event.ticks < reading->last_ticks)
		return complain("a stamp that goes back", at);
	if (stamped)
		reading->last_ticks = event.ticks;
	if (old || event.kind == DWELL_SLOT_SKIP) {
		reading->unwound |= event.kind == DWELL_SLOT_TAG && event.tag == DWELL_TAG_UNWIND_JUMP;
		return NULL;
	}
	if (stamped && (uint32_t)slot != DWELL_TAG_OFF && event.ticks < reading->truth->begin_ticks)
		return complain("a stamp from before it happened", at);
	if (stamped && event.ticks > reading->truth->end_ticks)
		return complain("a stamp from after it happened", at);
	return event.kind == DWELL_SLOT_TAG ? hear_tag(reading, &event, at) : hear(reading, &event, at);
}

static bool has_its_values(const struct reading *reading)
{
	bool good = reading->value_count == reading->truth->value_count;

	for (unsigned i = 0; good && i < reading->value_count; i++)
		good = reading->values[i] == reading->truth->values[i];
	return good;
}

static int64_t true_depth(const struct truth *truth)
{
	int64_t depth = (truth->event ? (truth->kind == DWELL_ENTER ? 1 : -1) : 0) + 1; /* the last event is an enter */

	for (unsigned i = 0; i < truth->handler_count; i++)
		depth += truth->handler[i] & 1 ? -1 : 1;
	return depth;
}

const char *judge(struct dwell_ring *ring, const struct truth *truth)
{
	struct reading reading = {.truth = truth};
	dwell_pos block = truth->begin ? (truth->begin - DWELL_SLOT_BYTES) & ~(dwell_pos)(DWELL_BLOCK_BYTES - 1) : 0, at = block;
	uint64_t lost = ring->lost_events - truth->lost_before, called, recorded;

	/* A ring that wrapped: what is left of it. */
	if (ring->mode == DWELL_MODE_RING && ring->pos - at > ring->bytes - DWELL_BLOCK_BYTES)
		return "the trial is too long for the ring";
	for (; at < ring->pos; at += DWELL_SLOT_BYTES) {
		const char *problem = read_slot(&reading, *dwell_ring_slot(ring, at), at, at < truth->begin);

		if (problem)
			return problem;
	}
	called = (truth->event != 0) + truth->handler_count + 1;
	recorded = reading.events + reading.heard + reading.afters;
	if (recorded + lost + truth->refused != called)
		return "events were lost and not counted, or counted and not lost";
	if (lost + truth->refused && !truth->may_lose)
		return "events were lost although there is room";
	if (reading.events && !has_its_values(&reading))
		return "other values than there were";
	if (reading.events && reading.heard_before != 0 && reading.heard_before != reading.heard)
		return "an event in the middle of a handler that interrupted it";
	if (reading.said[0] + ring->gap_events != truth->gap[0] + lost)
		return "another number of losses is said than happened";
	if (!ring->gap_events && (ring->gap_pops || ring->gap_pushes))
		return "frames of a gap wait to be said, and the gap does not";
	if (truth->gap[0] && !truth->may_lose && ring->gap_events)
		return "the losses before were not said";
	reading.in_doubt |= ring->gap_is_unknown;
	if (reading.in_doubt && !truth->may_doubt)
		return "a stack in doubt, and nobody knows why";
	if (!truth->refused && !reading.in_doubt &&
		reading.depth + (int64_t)reading.said[2] + (int64_t)ring->gap_pushes - (int64_t)reading.said[1] -
				(int64_t)ring->gap_pops !=
			true_depth(truth) + (int64_t)truth->gap[2] - (int64_t)truth->gap[1])
		return "the stack is another one than it was";
	if (truth->is_off && !truth->may_lose && (reading.offs != 1 || reading.ons != 1))
		return "the stop was not said";
	return NULL;
}
