/* sieve: see sieve.h. */
#include "record/stage/sieve.h"

#include <stdlib.h>
#include <string.h>

bool sieve_begin(struct sieve *sieve, struct filter *filter, uint32_t process, uint32_t depth_limit)
{
	*sieve = (struct sieve){.filter = filter, .process = process, .depth_limit = depth_limit};
	sieve->memory = filter ? calloc(1, sizeof *sieve->memory) : NULL;
	sieve->depth = depth_limit ? make_depth() : NULL;
	return (!filter || sieve->memory) && (!depth_limit || sieve->depth);
}

void sieve_end(struct sieve *sieve)
{
	free(sieve->memory);
	free_depth(sieve->depth);
	sieve->memory = NULL;
	sieve->depth = NULL;
}

/* Whether the tag is about the event in front of it. */
static bool is_value(uint32_t tag)
{
	return tag == DWELL_TAG_ARG || tag == DWELL_TAG_ARG_HIGH || tag == DWELL_TAG_RET || tag == DWELL_TAG_RET_HIGH;
}

static bool is_unwind(uint32_t tag)
{
	return tag == DWELL_TAG_UNWIND_JUMP || tag == DWELL_TAG_UNWIND_CATCH;
}

/* Whether the event is of a call that is too deep. The calls around it are those that are wanted otherwise. */
static bool is_deep(struct sieve *sieve, uint64_t slot, const struct dwell_slot_event *event)
{
	uint32_t before = depth_now(sieve->depth);

	depth_feed(sieve->depth, sieve->held, sieve->held_count);
	depth_feed(sieve->depth, &slot, 1);
	/* An exit may leave several calls; the last of them is its own. */
	return (event->kind == DWELL_SLOT_EXIT ? depth_now(sieve->depth) : before) >= sieve->depth_limit;
}

static bool drops(struct sieve *sieve, uint64_t slot, const struct dwell_slot_event *event)
{
	if (sieve->filter && filter_drops_place(sieve->filter, sieve->memory, sieve->process, event->place, event->ticks))
		return true;
	if (sieve->throttle && throttle_drops(sieve->throttle, event))
		return true;
	return sieve->depth && is_deep(sieve, slot, event);
}

/* A jump, and where it landed, which stands right behind it: from one deep call to another it is none. Returns how many slots that are, to
 * be kept or not. */
static uint32_t take_unwind(struct sieve *sieve, const uint64_t *slots, uint32_t count, bool *kept)
{
	uint32_t before = depth_now(sieve->depth), length = 1;

	while (length < count && (uint32_t)slots[length] == DWELL_TAG_LANDED)
		length++;
	depth_feed(sieve->depth, slots, length);
	*kept = length == 1 || before <= sieve->depth_limit || depth_now(sieve->depth) <= sieve->depth_limit;
	return length;
}

static uint32_t keep(uint64_t *out, const uint64_t *slots, uint32_t count)
{
	memcpy(out, slots, count * sizeof *slots);
	return count;
}

uint32_t sieve_slots(struct sieve *sieve, const uint64_t *slots, uint32_t count, uint64_t *out)
{
	uint32_t kept = 0, length;
	bool wanted;

	for (uint32_t i = 0; i < count; i += length) {
		uint32_t tag = (uint32_t)slots[i];
		struct dwell_slot_event event;

		length = 1;
		dwell_slot_decode(&sieve->cursor, slots[i], &event);
		if (tag >= DWELL_TAG_LIMIT) {
			sieve->dropped = drops(sieve, slots[i], &event);
			sieve->left_out += sieve->dropped && event.kind == DWELL_SLOT_ENTER;
			if (!sieve->dropped) {
				kept += keep(out + kept, sieve->held, sieve->held_count);
				out[kept++] = slots[i];
			}
			sieve->held_count = 0;
		} else if (tag == DWELL_TAG_WINDOW || tag == DWELL_TAG_ENTRY) {
			/* The last one counts, as for whoever reads. */
			sieve->held_count %= sizeof sieve->held / sizeof *sieve->held;
			sieve->held[sieve->held_count++] = slots[i];
		} else if (sieve->depth && is_unwind(tag)) {
			length = take_unwind(sieve, slots + i, count - i, &wanted);
			kept += wanted ? keep(out + kept, slots + i, length) : 0;
		} else if (!is_value(tag) || !sieve->dropped) {
			if (tag == DWELL_TAG_HOLE)
				sieve->held_count = 0;
			if (sieve->depth)
				depth_feed(sieve->depth, slots + i, 1);
			out[kept++] = slots[i];
		}
	}
	return kept;
}
