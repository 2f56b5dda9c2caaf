/* SPDX-License-Identifier: MIT
 *
 * Counters of a process with threads: the signal may come to any thread, also while another thread is in its handler. */
#ifndef DWELL_CLASSIC_PORT_ULTRA_COUNTER_H
#define DWELL_CLASSIC_PORT_ULTRA_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

static inline bool port_counter_raise(volatile uint16_t *counter, uint16_t was)
{
	return __atomic_compare_exchange_n(counter, &was, (uint16_t)(was + 1), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline void port_word_raise(volatile uintptr_t *word, uintptr_t was)
{
	(void)was;
	__atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
}

static inline bool port_counter_exchange(volatile uint16_t *counter, uint16_t was, uint16_t now)
{
	return __atomic_compare_exchange_n(counter, &was, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#endif
