/* run: packed slots that are usual, taken one by one straight from the bytes that say so. Crosses the border reader → model, within
 * MESSAGE_RUN, for who counts calls faster than slots could be made of them.
 *
 * Usual is: an enter; the exit that is expected; a TIME that says the same again. Whatever else is next is left to whoever gave the run,
 * who goes on from where it was left.
 *
 *     struct run_slot slot;
 *     while (run_look(run, &slot))
 *             run_take_exit(run, &slot), run_take_enter(run, &slot, …) or run_put_back(run, &slot) and no more
 *
 * Nothing in it is believed: what could not be is not usual. */
#ifndef DWELL_HOST_PACK_RUN_H
#define DWELL_HOST_PACK_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "dwell/format.h"
#include "pack/expect.h"
#include "util/bytes.h"

/* Where it is called the run must stay in registers. */
#define RUN_INLINE __attribute__((always_inline)) static inline
#define RUN_RARELY(condition) __builtin_expect(!!(condition), 0)

/* The low word that has a number. */
struct run_name {
	uint32_t low;  /* 0: the number was not given out */
	uint32_t user; /* of whoever takes enters, 0 where the chunk begins */
};

/* Where in the streams (FORMAT.md, Packed slots). Copy it to take from it, so that what it points to cannot be what it is in. */
struct run {
	const uint8_t *tokens; /* a byte that is DWELL_PACK_TAG follows the last one */
	const uint8_t *times;  /* a byte for each token is there, whatever it says */
	const uint8_t *fine, *fine_end;
	const uint8_t *words, *words_end;
	uint64_t ticks; /* of the last enter or exit: the payload of the last TIME, and its stamp */
	uint32_t high;  /* payload of the last TIME */
	uint32_t top;   /* of the expected exits */
	uint32_t next_number;
	uint32_t *exits;        /* EXPECT_MASK + 1 of them: see expect.h */
	struct run_name *names; /* DWELL_PACK_NUMBERS of them */
};

struct run_slot {
	uint32_t number; /* 0: the exit that is expected; else of an enter's low word */
	uint32_t step;   /* how much later */
	uint32_t fine, words, numbers; /* what it took of these */
};

/* Internal: what more than a byte says, or is no enter or exit. False: nothing is taken. */
RUN_INLINE bool run_look_further(struct run *run, struct run_slot *slot)
{
	uint32_t left = (uint32_t)(run->fine_end - run->fine), words = (uint32_t)(run->words_end - run->words);

	for (; slot->number == DWELL_PACK_TIME; slot->number = *run->tokens)
		run->tokens++;
	if (slot->number == DWELL_PACK_NEW) {
		uint32_t low = words < 4 ? 0 : get_u32(run->words);

		if (low < DWELL_TAG_LIMIT || low & 1u || run->next_number == DWELL_PACK_NUMBERS)
			return false;
		run->names[run->next_number] = (struct run_name){low, 0};
		slot->number = run->next_number;
		slot->words = 4;
		slot->numbers = 1;
	} else if (slot->number >= DWELL_PACK_WIDE) {
		if (slot->number > DWELL_PACK_NEW || !left)
			return false;
		slot->number = DWELL_PACK_WIDE + (slot->number - DWELL_PACK_WIDE) * 256 + run->fine[slot->fine++];
	}
	if (slot->step == DWELL_PACK_FULL) {
		if (words - slot->words < 4)
			return false;
		slot->step = get_u32(run->words + slot->words);
		slot->words += 4;
	} else if (slot->step >= DWELL_PACK_LONG) {
		if (slot->fine == left)
			return false;
		slot->step = DWELL_PACK_LONG + (slot->step - DWELL_PACK_LONG) * 256 + run->fine[slot->fine++];
	}
	run->fine += slot->fine;
	run->words += slot->words;
	run->next_number += slot->numbers;
	return true;
}

/* What is next: true, and it is taken or put back; or false: nothing usual. */
RUN_INLINE bool run_look(struct run *run, struct run_slot *slot)
{
	*slot = (struct run_slot){*run->tokens, *run->times, 0, 0, 0};
	return !RUN_RARELY(slot->number >= DWELL_PACK_WIDE || slot->step >= DWELL_PACK_LONG) || run_look_further(run, slot);
}

RUN_INLINE void run_put_back(struct run *run, const struct run_slot *slot)
{
	run->fine -= slot->fine;
	run->words -= slot->words;
	run->next_number -= slot->numbers;
}

/* The low word of the exit that is expected; below DWELL_TAG_LIMIT: it is none. */
RUN_INLINE uint32_t run_expected(const struct run *run)
{
	return run->exits[run->top & EXPECT_MASK];
}

RUN_INLINE void run_take_exit(struct run *run, const struct run_slot *slot)
{
	run->tokens++;
	run->times++;
	run->ticks += slot->step;
	run->top--;
}

/* low: what its number stands for. */
RUN_INLINE void run_take_enter(struct run *run, const struct run_slot *slot, uint32_t low)
{
	run->tokens++;
	run->times++;
	run->ticks += slot->step;
	run->exits[++run->top & EXPECT_MASK] = low | 1u;
}

#endif
