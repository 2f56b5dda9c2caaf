/* SPDX-License-Identifier: MIT
 *
 * Counters on one processor: the sampling interrupt may interrupt all other code that uses them, but no such code interrupts it. */
#ifndef DWELL_CLASSIC_PORT_ULTRA_COUNTER_H
#define DWELL_CLASSIC_PORT_ULTRA_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* In the interrupt: adds 1 to the counter. Always true. */
static inline bool port_counter_raise(volatile uint16_t *counter, uint16_t was)
{
	*counter = (uint16_t)(was + 1);
	return true;
}

static inline void port_word_raise(volatile uintptr_t *word, uintptr_t was)
{
	*word = was + 1;
}

/* Outside the interrupt: sets the counter to now if it is was. */
#if defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_2)
static inline bool port_counter_exchange(volatile uint16_t *counter, uint16_t was, uint16_t now)
{
	return __atomic_compare_exchange_n(counter, &was, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#elif defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4)
/* For processors that exchange whole words only: the neighbour in the
 * word is exchanged for itself. Counters are aligned in pairs to a word. */
static inline bool port_counter_exchange(volatile uint16_t *counter, uint16_t was, uint16_t now)
{
	volatile uint32_t *pair = (volatile uint32_t *)((uintptr_t)counter & ~(uintptr_t)3);
	union {
		uint16_t half[2];
		uint32_t word;
	} before = {.word = *pair}, after = before;
	uintptr_t which = (uintptr_t)counter / 2 & 1;

	if (before.half[which] != was)
		return false;
	after.half[which] = now;
	return __atomic_compare_exchange_n(pair, &before.word, after.word, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#else
/* For processors without an atomic exchange: the board masks interrupts. */
uintptr_t ultra_board_mask(void);
void ultra_board_unmask(uintptr_t before);

static inline bool port_counter_exchange(volatile uint16_t *counter, uint16_t was, uint16_t now)
{
	uintptr_t before = ultra_board_mask();
	bool same = *counter == was;

	if (same)
		*counter = now;
	ultra_board_unmask(before);
	return same;
}
#endif

#endif
