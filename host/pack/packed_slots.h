/* packed_slots: reads the usual slots of a packed chunk directly from its streams. They cross the
 * border reader → model in MESSAGE_PACKED: the model counts calls faster than slots could be unpacked.
 *
 * Usual slots are: an enter; the predicted exit; a TIME with the same payload as the last one. At any other slot the reader
 * unpacks, and gives events.
 *
 *     struct packed_slot slot;
 *     while (packed_peek(packed, &slot))
 *             packed_take_exit(packed, &slot), packed_take_enter(packed, &slot, …) or packed_put_back(packed, &slot) and stop
 *
 * All input is checked: an impossible slot counts as unusual. */
#ifndef DWELL_HOST_PACK_PACKED_SLOTS_H
#define DWELL_HOST_PACK_PACKED_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "dwell/format.h"
#include "pack/expect.h"
#include "util/bytes.h"

/* Inlined into the caller, to keep the packed slots in registers. */
#define PACKED_INLINE __attribute__((always_inline)) static inline
#define PACKED_RARELY(condition) __builtin_expect(!!(condition), 0)

/* A low word (low 32 bits of a slot: the place) to which the packer gave a number. */
struct packed_word {
	uint32_t low;  /* 0: the number is not in use */
	uint32_t user; /* for the code that takes enters, which may note here what the place means; 0 at the start of a chunk */
};

/* Positions in the streams (FORMAT.md, Packed slots). Work on a local copy:
 * the compiler may then assume that no pointer in it aliases the struct. */
struct packed_slots {
	const uint8_t *tokens; /* a byte DWELL_PACK_TAG follows the last one */
	const uint8_t *times;  /* has a byte for each token, valid or not */
	const uint8_t *fine, *fine_end;
	const uint8_t *words, *words_end;
	uint64_t ticks; /* of the last enter or exit: the payload of the last TIME, with the event's stamp */
	uint32_t high;  /* payload of the last TIME */
	uint32_t top;   /* index of the innermost expected exit, modulo the size of exits */
	uint32_t next_number;   /* the next new low word gets this number */
	uint32_t *exits;        /* EXPECT_MASK + 1 elements, as in expect.h */
	struct packed_word *names; /* low words by their number: DWELL_PACK_NUMBERS elements */
};

struct packed_slot {
	uint32_t number; /* 0: the predicted exit; else the number of an enter's low word */
	uint32_t step;   /* ticks since the last enter or exit */
	uint32_t fine, words, numbers; /* amounts taken of these streams, and new numbers */
};

/* Internal: reads a slot that needs more than a byte, or is no enter or exit.
 * False: the slot is unusual; only repeated TIMEs in front of it are taken. */
PACKED_INLINE bool packed_peek_long(struct packed_slots *packed, struct packed_slot *slot)
{
	uint32_t left = (uint32_t)(packed->fine_end - packed->fine), words = (uint32_t)(packed->words_end - packed->words);

	for (; slot->number == DWELL_PACK_TIME; slot->number = *packed->tokens)
		packed->tokens++;
	if (slot->number == DWELL_PACK_NEW) {
		uint32_t low = words < 4 ? 0 : get_u32(packed->words);

		if (low < DWELL_TAG_LIMIT || low & 1u || packed->next_number == DWELL_PACK_NUMBERS)
			return false;
		packed->names[packed->next_number] = (struct packed_word){low, 0};
		slot->number = packed->next_number;
		slot->words = 4;
		slot->numbers = 1;
	} else if (slot->number >= DWELL_PACK_WIDE) {
		if (slot->number > DWELL_PACK_NEW || !left)
			return false;
		slot->number = DWELL_PACK_WIDE + (slot->number - DWELL_PACK_WIDE) * 256 + packed->fine[slot->fine++];
	}
	if (slot->step == DWELL_PACK_FULL) {
		if (words - slot->words < 4)
			return false;
		slot->step = get_u32(packed->words + slot->words);
		slot->words += 4;
	} else if (slot->step >= DWELL_PACK_LONG) {
		if (slot->fine == left)
			return false;
		slot->step = DWELL_PACK_LONG + (slot->step - DWELL_PACK_LONG) * 256 + packed->fine[slot->fine++];
	}
	packed->fine += slot->fine;
	packed->words += slot->words;
	packed->next_number += slot->numbers;
	return true;
}

/* Reads the next slot. True: the caller must take it or put it back. False: the slot is unusual. */
PACKED_INLINE bool packed_peek(struct packed_slots *packed, struct packed_slot *slot)
{
	*slot = (struct packed_slot){*packed->tokens, *packed->times, 0, 0, 0};
	return !PACKED_RARELY(slot->number >= DWELL_PACK_WIDE || slot->step >= DWELL_PACK_LONG) ||
	       packed_peek_long(packed, slot);
}

/* Undoes packed_peek: the slot stays the next one. */
PACKED_INLINE void packed_put_back(struct packed_slots *packed, const struct packed_slot *slot)
{
	packed->fine -= slot->fine;
	packed->words -= slot->words;
	packed->next_number -= slot->numbers;
}

/* Returns the low word of the predicted exit; below DWELL_TAG_LIMIT: none. */
PACKED_INLINE uint32_t packed_expected(const struct packed_slots *packed)
{
	return packed->exits[packed->top & EXPECT_MASK];
}

/* Takes the slot of packed_peek as the predicted exit. pre: slot->number is 0. */
PACKED_INLINE void packed_take_exit(struct packed_slots *packed, const struct packed_slot *slot)
{
	packed->tokens++;
	packed->times++;
	packed->ticks += slot->step;
	packed->top--;
}

/* Takes the slot of packed_peek as an enter. low: the low word of the slot's number. pre: low is even. */
PACKED_INLINE void packed_take_enter(struct packed_slots *packed, const struct packed_slot *slot, uint32_t low)
{
	packed->tokens++;
	packed->times++;
	packed->ticks += slot->step;
	packed->exits[++packed->top & EXPECT_MASK] = low | 1u;
}

#endif
