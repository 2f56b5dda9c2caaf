/* sieve: slots without those of some calls. An event that is dropped takes the tags with it that are about it. For stages that drop calls,
 * which say which: inlined into each of them. */
#ifndef DWELL_HOST_RECORD_STAGE_SIEVE_H
#define DWELL_HOST_RECORD_STAGE_SIEVE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/slot.h"
#include "record/stage/stage.h"

/* The state between one run of slots and the next; zeroed: a beginning. */
struct sieve {
	struct stage_thread thread;
	struct dwell_slot_cursor cursor;
	uint64_t held[2]; /* tags that say something of the next event */
	uint32_t held_count;
	bool dropped;     /* the last event: what its values are is dropped, too */
};

/* Slots that are held of the run before: so many more may be left than there were. */
#define SIEVE_MORE 2u

/* Whether the tag is about the event in front of it. */
static inline bool sieve_is_value(uint32_t tag)
{
	return tag == DWELL_TAG_ARG || tag == DWELL_TAG_ARG_HIGH || tag == DWELL_TAG_RET || tag == DWELL_TAG_RET_HIGH;
}

static inline uint32_t sieve_keep(uint64_t *out, const uint64_t *slots, uint32_t count)
{
	memcpy(out, slots, count * sizeof *slots);
	return count;
}

typedef bool sieve_drops_fn(struct sieve *sieve, uint64_t slot, const struct dwell_slot_event *event);
/* Of a tag that is about no event, and of those behind it that belong to it: how many that are, and whether they are kept. */
typedef uint32_t sieve_tag_fn(struct sieve *sieve, const uint64_t *slots, uint32_t count, bool *kept);

/* Copies what is kept; returns how many slots. take_tag may be null. */
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
				kept += sieve_keep(out + kept, sieve->held, sieve->held_count);
				out[kept++] = slots[i];
			}
			sieve->held_count = 0;
		} else if (tag == DWELL_TAG_WINDOW || tag == DWELL_TAG_ENTRY) {
			/* The last one counts, as for whoever reads. */
			sieve->held_count %= sizeof sieve->held / sizeof *sieve->held;
			sieve->held[sieve->held_count++] = slots[i];
		} else if (!sieve_is_value(tag)) {
			bool wanted = true;

			if (tag == DWELL_TAG_HOLE)
				sieve->held_count = 0;
			if (take_tag)
				length = take_tag(sieve, slots + i, count - i, &wanted);
			kept += wanted ? sieve_keep(out + kept, slots + i, length) : 0;
		} else if (!sieve->dropped) {
			out[kept++] = slots[i];
		}
	}
	return kept;
}

/* A whole run, behind head_count slots that go in front of it. False: no memory, and it stays as it is: too much is better than too
 * little. */
static inline __attribute__((always_inline)) bool sieve_run(struct sieve *sieve, struct stage_run *run, const uint64_t *head,
	uint32_t head_count, sieve_drops_fn *drops, sieve_tag_fn *take_tag)
{
	uint64_t *out = stage_room(run, (uint64_t)run->count + head_count + SIEVE_MORE);

	if (!out)
		return false;
	for (uint32_t i = 0; i < head_count; i++)
		out[i] = head[i];
	stage_put(run, head_count + sieve_slots(sieve, run->slots, run->count, out + head_count, drops, take_tag));
	return true;
}

#endif
