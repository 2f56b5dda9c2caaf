/* slots: decodes SLOTS chunks, whole or piece by piece. */
#include <stdlib.h>

#include "core/stamps.h"
#include "dwell/format.h"
#include "pack/packed_slots.h"
#include "reader/dwell/slots.h"
#include "util/array.h"
#include "util/bytes.h"

/* How many slots to unpack at once from a chunk that is unpacked piece by piece: at
 * first, and after the model took at least PACKED_WORTHWHILE events packed. */
#define WINDOW_FIRST 16u
#define WINDOW_BETWEEN 2u
#define PACKED_WORTHWHILE 64u

static uint64_t slot_at(const struct slots *slots, uint32_t index)
{
	return get_u64(slots->data + (size_t)index * DWELL_SLOT_BYTES);
}

/* Returns whether the times of the remaining slots never go back, and begin no earlier
 * than last. Sets *first_ticks to the first time, if there is any. This is an extra pass
 * over the slots, but without it decoding would always have to wait for later slots. */
static bool is_in_order(const struct slots *slots, uint64_t last, uint64_t *first_ticks)
{
	struct dwell_slot_cursor cursor = slots->cursor;
	struct dwell_slot_event event;
	bool late = false, any = false;

	for (uint32_t i = slots->done; i < slots->count; i++) {
		dwell_slot_decode(&cursor, slot_at(slots, i), &event);
		if (!dwell_stamps_has_time(&event))
			continue;
		late |= event.ticks < last;
		last = event.ticks;
		if (!any)
			*first_ticks = event.ticks;
		any = true;
	}
	return !late;
}

static enum event_kind kind_of_tag(uint32_t tag)
{
	switch (tag) {
	case DWELL_TAG_UNWIND_JUMP:
		return EVENT_UNWIND_JUMP;
	case DWELL_TAG_UNWIND_CATCH:
		return EVENT_UNWIND_CATCH;
	case DWELL_TAG_CALLER:
	case DWELL_TAG_ENTRY: /* the call site; the enter behind it becomes EVENT_ENTRY */
		return EVENT_CALLER;
	case DWELL_TAG_LANDED:
		return EVENT_LANDED;
	case DWELL_TAG_LOST_POPS:
		return EVENT_LOST_POPS;
	case DWELL_TAG_LOST_PUSHES:
		return EVENT_LOST_PUSHES;
	case DWELL_TAG_STACK:
		return EVENT_STACK;
	case DWELL_TAG_OFF:
		return EVENT_STOP;
	case DWELL_TAG_ON:
		return EVENT_RESUME;
	case DWELL_TAG_HELD:
		return EVENT_HELD;
	case DWELL_TAG_HELD_END:
		return EVENT_HELD_END;
	default:
		return EVENT_LOST;
	}
}

/* Writes a mark: a call that takes no time, at a place with the index of the
 * mark's text. The text's slot follows the mark's; alone it means nothing. */
static void put_mark(struct slots *slots, uint32_t next, uint64_t ticks, struct event out[2])
{
	struct dwell_slot_cursor cursor = {0};
	struct dwell_slot_event event = {.kind = DWELL_SLOT_SKIP};
	uint64_t place = MESSAGE_MARK_PLACE;

	if (next < slots->count)
		dwell_slot_decode(&cursor, slot_at(slots, next), &event);
	if (event.kind == DWELL_SLOT_TAG && event.tag == DWELL_TAG_MARK_TEXT)
		place += event.payload;
	out[0] = (struct event){ticks, place, EVENT_ENTER};
	out[1] = (struct event){ticks, place, EVENT_EXIT};
}

static uint32_t low_at(const struct slots *slots, uint32_t index)
{
	return (uint32_t)slot_at(slots, index);
}

/* Returns whether the RET at index directly follows an exit. For an ARG at index: whether an
 * enter precedes it, with at most other ARGs of the same enter between. */
static bool has_event(const struct slots *slots, uint32_t index)
{
	if (low_at(slots, index) == DWELL_TAG_RET)
		return index && low_at(slots, index - 1) >= DWELL_TAG_LIMIT && low_at(slots, index - 1) & 1u;
	for (uint32_t args = 0; index && args < DWELL_ARGS_MAX; args++) {
		uint32_t before = low_at(slots, --index);

		if (before == DWELL_TAG_ARG_HIGH && index && low_at(slots, index - 1) == DWELL_TAG_ARG)
			before = low_at(slots, --index);
		if (before != DWELL_TAG_ARG)
			return before >= DWELL_TAG_LIMIT && !(before & 1u);
	}
	return false;
}

/* Writes an argument or a returned value, with the high half from the next slot.
 * False: the slot is such a high half, or does not belong to any event. */
static bool put_value(struct slots *slots, uint32_t index, uint64_t ticks, struct event *out)
{
	uint32_t tag = low_at(slots, index);
	bool is_high = tag == DWELL_TAG_ARG_HIGH || tag == DWELL_TAG_RET_HIGH;

	if (is_high ? !index || low_at(slots, index - 1) != tag - 1 : !has_event(slots, index)) {
		slots->unknown_tags++;
		return false;
	}
	if (is_high)
		return false;
	*out = (struct event){ticks, slot_at(slots, index) >> 32, tag == DWELL_TAG_ARG ? EVENT_ARG : EVENT_RET};
	if (index + 1 < slots->count && low_at(slots, index + 1) == tag + 1)
		out->value |= slot_at(slots, index + 1) >> 32 << 32;
	return true;
}

static bool is_value(uint32_t tag)
{
	return tag >= DWELL_TAG_ARG && tag <= DWELL_TAG_RET_HIGH;
}

/* Decodes slots until out has max − 1 events or max, or no slot is left. Returns the number of events. */
static uint32_t decode(struct slots *slots, struct event *out, uint32_t max)
{
	struct dwell_slot_cursor cursor = slots->cursor;
	struct dwell_slot_event event;
	uint32_t count = 0, i = slots->done;
	bool after_hole = false;

	for (; i < slots->count && count + 1 < max; i++) { /* a mark becomes two events */
		struct event *e = &out[count];
		dwell_slot_decode(&cursor, slot_at(slots, i), &event);
		if (event.kind == DWELL_SLOT_ENTER || event.kind == DWELL_SLOT_EXIT) {
			*e = (struct event){event.ticks, event.place, event.kind == DWELL_SLOT_ENTER ? EVENT_ENTER : EVENT_EXIT};
			count++;
			slots->events++;
			after_hole = false;
			continue;
		}
		if (event.kind == DWELL_SLOT_SKIP)
			continue;
		if (event.kind == DWELL_SLOT_ENTRY) {
			*e = (struct event){event.ticks, event.place, EVENT_ENTRY};
			count++;
			slots->events++;
			after_hole = false;
			continue;
		}
		if (event.kind == DWELL_SLOT_UNKNOWN) {
			slots->unknown_tags++;
			continue;
		}
		if (event.kind == DWELL_SLOT_HOLE) {
			slots->holes++;
			if (after_hole) /* holes in a row become one loss */
				out[count - 1].value++;
			else
				out[count++] = (struct event){event.ticks, 1, EVENT_LOST};
			after_hole = true;
			continue;
		}
		if (event.tag == DWELL_TAG_MARK) {
			put_mark(slots, i + 1, event.ticks, e);
			count += 2;
			after_hole = false;
			continue;
		}
		if (event.tag == DWELL_TAG_MARK_TEXT || (event.tag == DWELL_TAG_ENTRY && !event.payload))
			continue;
		if (is_value(event.tag)) {
			count += put_value(slots, i, event.ticks, e);
			after_hole = false;
			continue;
		}
		*e = (struct event){event.ticks, dwell_slot_tag_has_stamp(event.tag) ? 0 : event.payload, kind_of_tag(event.tag)};
		count++;
		after_hole = false;
	}
	/* A returned value must be in the message of its exit. */
	if (count < max && count && i < slots->count && low_at(slots, i) == DWELL_TAG_RET)
		count += put_value(slots, i++, cursor.last_ticks, &out[count]);
	slots->cursor = cursor;
	slots->done = i;
	return count;
}

static bool has_stamp(const struct event *event)
{
	switch (event->kind) {
	case EVENT_CALLER:
	case EVENT_LANDED:
	case EVENT_LOST:
	case EVENT_LOST_POPS:
	case EVENT_LOST_PUSHES:
	case EVENT_STACK:
	case EVENT_ARG:
	case EVENT_NO_ARG:
	case EVENT_RETURNS_TO:
	case EVENT_RET:
		return false;
	default:
		return true;
	}
}

/* Returns the time of the first event with a stamp; without any, the time in the chunk's header. */
static uint64_t first_stamp(const struct slots *slots)
{
	for (size_t i = 0; i < slots->sorted_count; i++)
		if (has_stamp(&slots->sorted[i]))
			return slots->sorted[i].ticks;
	return slots->chunk.first_ticks;
}

/* Sets the corrected times. An event without a stamp gets the time of the event before. */
static void set_ticks(struct slots *slots, const uint64_t *ticks, size_t count)
{
	uint64_t last = slots->chunk.floor_ticks ? slots->chunk.floor_ticks : count ? *ticks : slots->chunk.first_ticks;

	for (size_t i = 0; i < slots->sorted_count; i++) {
		struct event *event = &slots->sorted[i];

		last = has_stamp(event) ? *ticks++ : last;
		event->ticks = last;
	}
}

/* The most events that the slots can become: one each, but two for a MARK, even if no text follows. */
static uint32_t count_events(const struct slots *slots)
{
	uint32_t count = slots->count;

	for (uint32_t i = 0; i < slots->count; i++)
		count += low_at(slots, i) == DWELL_TAG_MARK;
	return count;
}

/* Decodes the whole chunk into slots->sorted, in the order of the slots, and corrects late times. False: no memory. */
static bool decode_sorted(struct slots *slots)
{
	uint32_t room = count_events(slots) + 1;
	uint64_t *ticks;
	size_t count = 0;

	if (!array_reserve(&slots->sorted, &slots->sorted_capacity, room, sizeof *slots->sorted))
		return false;
	slots->sorted_count = decode(slots, slots->sorted, room);
	ticks = malloc((slots->sorted_count + 1) * sizeof *ticks);
	if (!ticks)
		return false;
	for (size_t i = 0; i < slots->sorted_count; i++)
		if (has_stamp(&slots->sorted[i]))
			ticks[count++] = slots->sorted[i].ticks;
	slots->late_stamps += dwell_stamps_correct(ticks, count, slots->chunk.floor_ticks);
	set_ticks(slots, ticks, count);
	free(ticks);
	slots->first_ticks = first_stamp(slots);
	slots->is_sorted = true;
	slots->sorted_done = 0;
	return true;
}

/* Decodes the chunk's checkpoint into slots->frames. False: no memory. */
static bool read_checkpoint(struct slots *slots)
{
	if (!array_reserve(&slots->frames, &slots->frame_capacity, slots->chunk.frames, sizeof *slots->frames))
		return false;
	for (uint32_t i = 0; i < slots->chunk.frames; i++) {
		const uint8_t *p = slots->chunk.payload.data + (size_t)i * DWELL_FRAME_BYTES;
		uint32_t flags = get_u32(p + DWELL_FRAME_FLAGS);
		slots->frames[i] = (struct message_frame){
			.place = get_u64(p + DWELL_FRAME_PLACE) & ~UINT64_C(1),
			.enter_ticks = get_u64(p + DWELL_FRAME_ENTER_TICKS),
			.child_ticks = get_u64(p + DWELL_FRAME_CHILD_TICKS),
			.stack = get_u32(p + DWELL_FRAME_STACK) & ~DWELL_STACK_BEGINS,
			.no_entry = flags & DWELL_FRAME_NO_ENTRY,
			.no_place = flags & DWELL_FRAME_NO_PLACE,
			.is_piece = flags & DWELL_FRAME_PIECE,
		};
	}
	return true;
}

/* ---- a chunk that is unpacked piece by piece ---- */

/* Unpacks some more slots. False: they are not in order, or damaged. */
static bool advance(struct slots *slots, uint64_t last_ticks, uint64_t *first_ticks)
{
	slots->count = unpacker_advance(&slots->unpacker, slots->window);
	return unpacker_is_good(&slots->unpacker) && is_in_order(slots, last_ticks, first_ticks);
}

/* Returns whether the next slots can be offered packed: the unpacker and the decoder have the same time, no TIME has changed its
 * high half since the last event, no tag WINDOW or ENTRY (core/slot.h) waits for its event, and the next slot is not a tag. */
static bool can_offer(const struct slots *slots, const struct packed_slots *packed)
{
	const struct dwell_slot_cursor *cursor = &slots->cursor;

	return !cursor->window && packed->high == cursor->high && packed->ticks == cursor->last_ticks &&
	       packed->ticks >> 32 == packed->high && *packed->tokens != DWELL_PACK_TAG;
}

static void offer(struct slots *slots, struct packed_slots *packed, struct message *message)
{
	slots->offered = true;
	slots->offered_times = packed->times;
	message->kind = MESSAGE_PACKED;
	message->packed = (struct message_packed){.stream = slots->chunk.stream, .place_kind = slots->place_kind, .slots = packed};
}

/* After an offer: the decoder continues where the model stopped. If the model took few
 * slots, the decoder unpacks more slots itself before the next offer. */
static void take_position(struct slots *slots, const struct packed_slots *packed)
{
	uint32_t events = (uint32_t)(packed->times - slots->offered_times), position = unpacker_position(&slots->unpacker);

	slots->offered = false;
	slots->window = events >= PACKED_WORTHWHILE	  ? WINDOW_BETWEEN
			: slots->window < SLOTS_BATCH / 2 ? slots->window * 2
							  : SLOTS_BATCH;
	if (position > slots->done)
		unpacker_put_last(&slots->unpacker); /* the next slots may belong to the last one */
	slots->done = slots->count = position;
	slots->events += events;
	slots->cursor.last_ticks = packed->ticks;
}

/* A message was written; the chunk has no more slots; the chunk is damaged, or its slots are not in order of time. */
enum piecewise { PIECEWISE_MESSAGE, PIECEWISE_END, PIECEWISE_WRONG };

/* Writes the next message of a chunk that is unpacked piece by piece. */
static enum piecewise next_piecewise(struct slots *slots, struct message *message)
{
	struct packed_slots *packed = unpacker_get_slots(&slots->unpacker);
	uint64_t first_ticks;
	bool refused = slots->offered; /* the model just refused the slot that is next now */

	if (slots->offered)
		take_position(slots, packed);
	for (;; refused = false) {
		uint32_t count = slots->done < slots->count ? decode(slots, slots->batch, SLOTS_BATCH) : 0;

		if (count) {
			message->kind = MESSAGE_EVENTS;
			message->events = (struct message_events){.stream = slots->chunk.stream,
				.place_kind = slots->place_kind,
				.events = slots->batch,
				.count = count};
			return PIECEWISE_MESSAGE;
		}
		if (slots->done < slots->count)
			continue;
		if (slots->count == slots->total)
			return unpacker_is_good(&slots->unpacker) ? PIECEWISE_END : PIECEWISE_WRONG;
		if (!refused && can_offer(slots, packed)) {
			offer(slots, packed, message);
			return PIECEWISE_MESSAGE;
		}
		if (!advance(slots, slots->cursor.last_ticks, &first_ticks))
			return PIECEWISE_WRONG;
	}
}

/* ---- chunks ---- */

/* Sets the state in front of the first slot. frame_bytes: length of the checkpoint, at the front of the payload. */
static void begin(struct slots *slots, const struct raw_chunk *chunk, struct bytes payload, size_t frame_bytes)
{
	slots->chunk = *chunk;
	slots->chunk.payload = payload;
	slots->data = payload.data + frame_bytes;
	slots->count = slots->total = (uint32_t)((payload.size - frame_bytes) / DWELL_SLOT_BYTES);
	slots->done = 0;
	slots->checkpoint_written = slots->is_sorted = slots->is_piecewise = slots->offered = false;
	slots->events = slots->holes = slots->late_stamps = slots->unknown_tags = 0;
	slots->first_ticks = chunk->floor_ticks ? chunk->floor_ticks : chunk->first_ticks;
	/* The first slot is TIME; if it is missing, the chunk's header gives the clock's high half. */
	slots->cursor = (struct dwell_slot_cursor){.high = (uint32_t)(chunk->first_ticks >> 32)};
}

/* Starts to unpack a chunk piece by piece. False: the chunk must be decoded as a whole. */
static bool begin_piecewise(struct slots *slots, const struct raw_chunk *chunk)
{
	struct packed packed = raw_chunk_get_packed(chunk);
	uint64_t first_ticks = UINT64_MAX;
	struct bytes payload;

	if (packed.is_cut || unpacker_begin(&slots->unpacker, &packed, &payload))
		return false;
	begin(slots, chunk, payload, (size_t)chunk->frames * DWELL_FRAME_BYTES);
	slots->window = WINDOW_FIRST;
	if (!advance(slots, chunk->floor_ticks, &first_ticks) || first_ticks == UINT64_MAX)
		return false;
	slots->first_ticks = first_ticks;
	slots->packed = *chunk;
	return slots->is_piecewise = true;
}

static const char *begin_whole(struct slots *slots, const struct raw_chunk *chunk)
{
	size_t frame_bytes = (size_t)chunk->frames * DWELL_FRAME_BYTES;
	struct bytes payload = chunk->payload;
	const char *problem;

	if (chunk->flags & DWELL_CHUNK_PACKED) {
		struct packed packed = raw_chunk_get_packed(chunk);

		problem = unpacker_unpack(&slots->unpacker, &packed, &payload);
		if (problem)
			return problem;
	}
	if (frame_bytes > payload.size)
		return chunk->payload.size < chunk->length ? "is cut inside of its checkpoint" : "has a checkpoint that is longer than its payload";
	begin(slots, chunk, payload, frame_bytes);
	return NULL;
}

const char *slots_begin(struct slots *slots, const struct raw_chunk *chunk, enum dwell_place_kind place_kind)
{
	bool wants_piecewise = slots->wants_packed && chunk->flags & DWELL_CHUNK_PACKED;
	const char *problem = wants_piecewise && begin_piecewise(slots, chunk) ? NULL : begin_whole(slots, chunk);

	slots->problem = NULL;
	if (problem)
		return problem;
	slots->place_kind = place_kind;
	if (!slots->batch)
		slots->batch = malloc(SLOTS_BATCH * sizeof *slots->batch);
	if (!slots->batch || !read_checkpoint(slots))
		return "cannot be decoded: out of memory";
	if (!slots->is_piecewise && !is_in_order(slots, chunk->floor_ticks, &slots->first_ticks))
		return decode_sorted(slots) ? NULL : "cannot be decoded: out of memory";
	/* Tags before the first event happened between the previous chunk and that event. */
	slots->cursor.last_ticks = chunk->floor_ticks ? chunk->floor_ticks : slots->first_ticks;
	return NULL;
}

const char *slots_problem(const struct slots *slots)
{
	return slots->problem;
}

/* Writes MESSAGE_RESTART, and starts again on the chunk, which is decoded as a whole this time. */
static void restart_whole(struct slots *slots, struct message *message)
{
	struct raw_chunk chunk = slots->packed;

	slots->wants_packed = false;
	slots->problem = slots_begin(slots, &chunk, slots->place_kind);
	slots->wants_packed = true;
	slots->is_piecewise = false;
	message->kind = MESSAGE_RESTART;
}

bool slots_next(struct slots *slots, struct message *message)
{
	const struct event *events = slots->batch;
	size_t count;

	message->offset = slots->chunk.offset;
	if (slots->problem)
		return false;
	if (!slots->checkpoint_written) {
		slots->checkpoint_written = true;
		message->kind = MESSAGE_CHECKPOINT;
		message->checkpoint = (struct message_checkpoint){
			.stream = slots->chunk.stream,
			.place_kind = slots->place_kind,
			.frames = slots->frames,
			.count = slots->chunk.frames,
			.ticks = slots->first_ticks,
			.floor_ticks = slots->chunk.floor_ticks,
			.incomplete = slots->chunk.flags & DWELL_CHUNK_FRAMES_MISSING,
		};
		return true;
	}
	if (slots->is_piecewise) {
		enum piecewise result = next_piecewise(slots, message);

		if (result == PIECEWISE_WRONG)
			restart_whole(slots, message);
		return result != PIECEWISE_END;
	}
	if (slots->is_sorted) {
		events = slots->sorted + slots->sorted_done;
		count = slots->sorted_count - slots->sorted_done;
		if (count > SLOTS_BATCH) /* keep a returned value in the message of its exit */
			count = SLOTS_BATCH - (events[SLOTS_BATCH].kind == EVENT_RET);
		slots->sorted_done += count;
	} else {
		count = decode(slots, slots->batch, SLOTS_BATCH);
	}
	if (!count)
		return false;
	message->kind = MESSAGE_EVENTS;
	message->events = (struct message_events){
		.stream = slots->chunk.stream,
		.place_kind = slots->place_kind,
		.events = events,
		.count = (uint32_t)count,
	};
	return true;
}

void slots_clear(struct slots *slots)
{
	unpacker_clear(&slots->unpacker);
	free(slots->frames);
	free(slots->batch);
	free(slots->sorted);
	*slots = (struct slots){0};
}
