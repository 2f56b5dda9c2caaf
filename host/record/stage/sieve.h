/* sieve: copies a batch of slots without the events that a stage drops, and without the tags about these events.
 *
 * The stages filter, depth and throttle choose the events, by a sieve_drops_fn. The code is inline, since it handles each slot of a
 * recording. */
#ifndef DWELL_HOST_RECORD_STAGE_SIEVE_H
#define DWELL_HOST_RECORD_STAGE_SIEVE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/slot.h"
#include "record/stage/stage.h"

/* The state between two batches of slots. Zeroed: the beginning. */
struct sieve {
	struct stage_thread thread;
	struct dwell_slot_cursor cursor;
	uint64_t next_tags[2]; /* the tags WINDOW and ENTRY, which wait for their event: the next one */
	uint32_t next_tag_count;
	bool dropped;     /* the last event was dropped: drop the event's values, too */
	uint64_t replacement; /* set by a sieve_tag_fn: the slot that replaces a kept tag; 0: none */
};

/* The output may have this many more slots than the input: the tags held over from the batch before. */
#define SIEVE_EXTRA_SLOTS 2u

/* Whether the tag is a value (argument or return value) of the event before it. */
static inline bool sieve_is_value(uint32_t tag)
{
	return tag == DWELL_TAG_ARG || tag == DWELL_TAG_ARG_HIGH || tag == DWELL_TAG_RET || tag == DWELL_TAG_RET_HIGH;
}

/* Copies count slots to out. Returns count. */
static inline uint32_t sieve_copy_slots(uint64_t *out, const uint64_t *slots, uint32_t count)
{
	memcpy(out, slots, count * sizeof *slots);
	return count;
}

/* Whether to drop the event. slot: the event as recorded. */
typedef bool sieve_drops_fn(struct sieve *sieve, uint64_t slot, const struct dwell_slot_event *event);
/* Handles a tag that is about no event. count: the slots left, with the tag. Returns the number of slots handled: the tag, and
 * slots behind it that belong to it. Sets *kept to false to drop these slots; *kept is true before the call. */
typedef uint32_t sieve_tag_fn(struct sieve *sieve, const uint64_t *slots, uint32_t count, bool *kept);

/* Copies the slots that the stage keeps to out, and returns their number. take_tag: null: keeps all tags about no event. */
static inline __attribute__((always_inline)) uint32_t sieve_slots(
	struct sieve *sieve, const uint64_t *slots, uint32_t count, uint64_t *out, sieve_drops_fn *drops, sieve_tag_fn *take_tag)
{
	uint32_t kept = 0, length;

	for (uint32_t i = 0; i < count; i += length) {
		uint32_t tag = (uint32_t)slots[i];
		struct dwell_slot_event event;

		length = 1;
		dwell_slot_decode(&sieve->cursor, slots[i], &event);
		if (tag >= DWELL_TAG_LIMIT) {
			sieve->dropped = drops(sieve, slots[i], &event);
			sieve->thread.figures.left_out += sieve->dropped && event.kind == DWELL_SLOT_ENTER;
			if (!sieve->dropped) {
				kept += sieve_copy_slots(out + kept, sieve->next_tags, sieve->next_tag_count);
				out[kept++] = slots[i];
			}
			sieve->next_tag_count = 0;
		} else if (tag == DWELL_TAG_WINDOW || tag == DWELL_TAG_ENTRY) {
			/* An event has at most one WINDOW and one ENTRY. If a tag repeats, the last one counts, as in readers. */
			sieve->next_tag_count %= sizeof sieve->next_tags / sizeof *sieve->next_tags;
			sieve->next_tags[sieve->next_tag_count++] = slots[i];
		} else if (!sieve_is_value(tag)) {
			bool wanted = true;

			if (tag == DWELL_TAG_HOLE)
				sieve->next_tag_count = 0;
			if (take_tag)
				length = take_tag(sieve, slots + i, count - i, &wanted);
			kept += wanted ? sieve_copy_slots(out + kept, sieve->replacement ? &sieve->replacement : slots + i, length)
				       : 0;
			sieve->replacement = 0;
		} else if (!sieve->dropped) {
			out[kept++] = slots[i];
		}
	}
	return kept;
}

/* Sieves a whole batch. The output begins with the head_count slots of head. False: no memory; then the batch stays as it was,
 * since too many calls are better than missing calls. */
static inline __attribute__((always_inline)) bool sieve_batch(struct sieve *sieve, struct stage_batch *batch, const uint64_t *head,
	uint32_t head_count, sieve_drops_fn *drops, sieve_tag_fn *take_tag)
{
	uint64_t *out = stage_reserve_slots(batch, (uint64_t)batch->count + head_count + SIEVE_EXTRA_SLOTS);

	if (!out)
		return false;
	for (uint32_t i = 0; i < head_count; i++)
		out[i] = head[i];
	stage_replace_slots(batch, head_count + sieve_slots(sieve, batch->slots, batch->count, out + head_count, drops, take_tag));
	return true;
}

#endif
