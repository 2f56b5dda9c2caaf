/* SPDX-License-Identifier: MIT
 *
 * The recorder of hook records (core/hook_records.h): records of three words in one buffer, linear or circular. All of it is inlined into
 * the hooks, and what is constant there costs nothing.
 *
 * Where a port masks interrupts (port/c6000/port.h), a record is made while they are; where it cannot, a place is claimed by
 * compare-and-exchange after the clock was read, and a handler in between has the clock read again. Either way the order of records is
 * that of their times.
 *
 * C of 1989 as far as it goes: TI's compilers of the C6000 know little more. */
#ifndef DWELL_RECORDER_RECORDS_H
#define DWELL_RECORDER_RECORDS_H

#include <stdint.h>

#include "core/hook_records.h"
#include "port/c6000/port.h"

#define RECORD_WORDS (HOOK_RECORD_BYTES / 4)

/* One buffer. The address of a record's first word is words + RECORD_WORDS times its number. */
struct records {
	hook_u32 *words;
	hook_u32 capacity; /* of a circular one: a power of two */
	volatile hook_u32 *count;
	struct hook_clock *clock;
};

/* The first words of a pair of records are made of this: the place, its low bits given up, and what happened. */
#define RECORD_FIRST(place, type) (((hook_u32)(place) & ~(hook_u32)HOOK_RECORD_TYPE_MASK) | (type))

HOOK_INLINE void records_write(hook_u32 *record, hook_u32 first, hook_u32 low, hook_u32 high)
{
	HOOK_PORT_UNWRITTEN(record);
	record[1] = low;
	record[2] = high;
	HOOK_PORT_WRITTEN();
	record[0] = first;
}

/* A count of one or two records more, of a circular buffer: it never is HOOK_COUNT_OFF nor looks like one of few records, and stays right
 * modulo the capacity, which divides 2^31. */
HOOK_INLINE hook_u32 records_beyond(hook_u32 count, hook_u32 more)
{
	hook_u32 next = count + more;

	if (next + 1 <= 1) /* it is HOOK_COUNT_OFF, or 0 behind it */
		next ^= 0x80000000u;
	return next;
}

/* Whether nothing may be written at that count. A linear buffer is full then, or off: HOOK_COUNT_OFF is above any capacity. */
HOOK_INLINE int records_is_shut(const struct records *records, hook_u32 count, int circular)
{
	return circular ? count == HOOK_COUNT_OFF : count >= records->capacity;
}

HOOK_INLINE hook_u32 *records_at(const struct records *records, hook_u32 number, int circular)
{
	return records->words + RECORD_WORDS * (circular ? number & (records->capacity - 1) : number);
}

/* One record. Context: that of hooks; never blocks. */
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

/* Two records of one time; linear: of the second one only when there is room. */
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
