/* SPDX-License-Identifier: MIT
 *
 * Hook records: memory of a program in which entries, exits and task switches stand as records of three 32-bit words, in the byte
 * order of the machine. The target writes them (target/recorder/records/), the host reads them: as raw bytes of the records alone, or
 * out of a RAM image, in which a control area tells where they are.
 *
 * A record:
 *
 *     u32 address_type   bits 0–1: HOOK_RECORD_…, what happened; the other bits: the place, whose own low two bits are given up
 *     u32 TSCL           low half of the time stamp
 *     u32 TSCH           and its high half
 *
 * The place of an entry or an exit is what HOOK_PLACE_… says; that of a task is its handle, 0: before the first task. A task switch is
 * two records of one time: the task that leaves, then the one that comes. A record whose first word is HOOK_RECORD_INVALID was never
 * written, or is being written: it does not count.
 *
 * Record number n of all since the start lies at n mod CAPACITY. COUNT numbers were given:
 *
 *     COUNT = HOOK_COUNT_OFF     nothing was recorded, hook_init() was not called or is at work
 *     COUNT <= CAPACITY          records 0 … COUNT − 1, oldest first
 *     COUNT >  CAPACITY          the circular hooks came round: all of the buffer, oldest at COUNT mod CAPACITY. Behind 2^32 records
 *                                COUNT says no longer how many there were, but stays above CAPACITY, and right modulo CAPACITY.
 *
 * When the machine was stopped inside of a circular hook, the record at COUNT mod CAPACITY may be half overwritten: readers leave it out.
 *
 * The linear hooks stop at CAPACITY, so COUNT tells which it was as far as that matters.
 *
 * The control area is aligned to a word, which has the size of a pointer. It begins with eight bytes, then come its words:
 *
 *     u32 magic    HOOK_MAGIC: its bytes tell the byte order
 *     u32 what     bits 0–7 HOOK_VERSION; 8–15 HOOK_PLACE_…; 16–23 bytes in a record; 24–31 bytes in a word
 *     word[0 …]    HOOK_WORD_…
 *
 * hook_init() writes it, so memory that is neither loaded nor zeroed will do. SELF holds its own address: whoever has only the bytes
 * knows where they lay, and who finds another address there has found something else. */
#ifndef DWELL_CORE_HOOK_RECORDS_H
#define DWELL_CORE_HOOK_RECORDS_H

#define HOOK_MAGIC 0x4b485744 /* "DWHK" where the lowest byte comes first */
#define HOOK_VERSION 1

#define HOOK_RECORD_ENTRY 0
#define HOOK_RECORD_EXIT 1
#define HOOK_RECORD_TASK_IN 2
#define HOOK_RECORD_TASK_OUT 3
#define HOOK_RECORD_TYPE_MASK 3
#define HOOK_RECORD_INVALID 0xffffffff
#define HOOK_RECORD_BYTES 12
#define HOOK_COUNT_OFF 0xffffffff

/* What the place of an entry or an exit is. */
#define HOOK_PLACE_ADDRESS 1 /* of the function; where it may begin at an odd multiple of 2, two bytes behind it */
#define HOOK_PLACE_NAME 2    /* of a text, its name, which ends with a zero byte */
#define HOOK_PLACE_RETURN 3  /* in the function, behind its call of the hook: entry and exit of a function differ */

/* clang-format off */
#define HOOK_WORD_SELF 0     /* address of the control area */
#define HOOK_WORD_RECORDS 1  /* address of the first record */
#define HOOK_WORD_CAPACITY 2 /* records there is room for */
#define HOOK_WORD_COUNT_AT 3 /* address of COUNT, a u32 */
#define HOOK_WORD_HZ 4       /* ticks of the time stamp in a second, 0 when nobody said */
#define HOOK_WORD_STATE 5    /* HOOK_STATE_… */
#define HOOK_WORD_MISSED 6   /* calls that were not recorded though there was room: of other threads than the one that called hook_init() */
#define HOOK_WORDS 7

#define HOOK_STATE_NO_CLOCK 1 /* the machine's counter does not count: nothing is recorded */
#define HOOK_STATE_WRAPS 2    /* it has 32 bits: the high half of a time was counted by the hooks */
/* clang-format on */

#define HOOK_HEAD_BYTES 8
#define HOOK_WHAT(place, word_bytes)                                                                                               \
	(HOOK_VERSION | (unsigned)(place) << 8 | HOOK_RECORD_BYTES << 16 | (unsigned)(word_bytes) << 24)

#endif
