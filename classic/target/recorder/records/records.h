/* SPDX-License-Identifier: MIT
 *
 * The recorder of hook records (classic/core/hook_records.h): writes records of three words to one
 * buffer, linear or circular. The hooks inline all of it, and constant arguments cost nothing.
 *
 * If a port masks interrupts (classic/target/port/c6000/port.h), the record is made while they are masked.
 * Otherwise the code reads the clock and then claims a record by compare-and-exchange; if a handler comes
 * in between, the code reads the clock again. Either way the records are in the order of their times.
 *
 * C of 1989 as far as possible: TI's compilers for the C6000 support little more. */
#ifndef DWELL_CLASSIC_RECORDER_RECORDS_H
#define DWELL_CLASSIC_RECORDER_RECORDS_H

#include <stdint.h>

#include "classic/core/hook_records.h"
#include "classic/target/port/c6000/port.h"

#define RECORD_WORDS (HOOK_RECORD_BYTES / 4)

/* One buffer. The first word of record n is at words + RECORD_WORDS * n. */
struct records {
	hook_u32 *words;
	hook_u32 capacity; /* circular: a power of two */
	volatile hook_u32 *count;
	struct hook_clock *clock;
};

/* The first word of a record: the place without its low two bits, and the event. */
#define RECORD_FIRST(place, type) (((hook_u32)(place) & ~(hook_u32)HOOK_RECORD_TYPE_MASK) | (type))

HOOK_INLINE void records_write(hook_u32 *record, hook_u32 first, hook_u32 low, hook_u32 high)
{
	HOOK_PORT_UNWRITTEN(record);
	record[1] = low;
	record[2] = high;
	HOOK_PORT_WRITTEN();
	record[0] = first;
}

/* Adds one or two records to the count of a circular buffer. The result is never HOOK_COUNT_OFF
 * and never a small number again, and stays correct modulo the capacity, which divides 2^31. */
HOOK_INLINE hook_u32 records_beyond(hook_u32 count, hook_u32 more)
{
	hook_u32 next = count + more;

	if (next + 1 <= 1) /* HOOK_COUNT_OFF, or the 0 behind it */
		next ^= 0x80000000u;
	return next;
}

/* Whether no record may be written at this count. A linear buffer is full, or off: HOOK_COUNT_OFF is above any capacity. */
HOOK_INLINE int records_is_shut(const struct records *records, hook_u32 count, int circular)
{
	return circular ? count == HOOK_COUNT_OFF : count >= records->capacity;
}

HOOK_INLINE hook_u32 *records_at(const struct records *records, hook_u32 number, int circular)
{
	return records->words + RECORD_WORDS * (circular ? number & (records->capacity - 1) : number);
}

/* Writes one record. Context: that of hooks; never blocks. */
HOOK_INLINE void records_put(const struct records *records, hook_u32 first, int circular)
{
	hook_port_held held = hook_port_hold();
	hook_u32 at, low, high, next;

	do {
		at = *records->count;
		if (records_is_shut(records, at, circular))
			break;
		hook_port_now(records->clock, &low, &high);
		next = circular ? records_beyond(at, 1) : at + 1;
		if (!hook_port_claim(records->count, at, next))
			continue;
		records_write(records_at(records, at, circular), first, low, high);
		hook_port_commit(records->count, next);
		break;
	} while (1);
	hook_port_release(held);
}

/* Writes two records with one time; a linear buffer gets the second one only if there is room. */
HOOK_INLINE void records_put_switch(const struct records *records, hook_u32 first, hook_u32 second, int circular)
{
	hook_port_held held = hook_port_hold();
	hook_u32 at, low, high, next;

	do {
		at = *records->count;
		if (records_is_shut(records, at, circular))
			break;
		hook_port_now(records->clock, &low, &high);
		next = circular ? records_beyond(at, 2) : at + 1 < records->capacity ? at + 2 : at + 1;
		if (!hook_port_claim(records->count, at, next))
			continue;
		records_write(records_at(records, at, circular), first, low, high);
		if (circular || next == at + 2)
			records_write(records_at(records, at + 1, circular), second, low, high);
		hook_port_commit(records->count, next);
		break;
	} while (1);
	hook_port_release(held);
}

#endif
