/* SPDX-License-Identifier: MIT
 *
 * Hook records: a buffer in a program's memory, with a record of three 32-bit words for each entry, exit and task
 * switch, in the byte order of the machine. The target writes the records (classic/target/recorder/records/). The
 * host reads them as raw bytes of the records alone, or from a RAM image, where a control area describes the buffer.
 *
 * A record:
 *
 *     u32 address_type   bits 0–1: HOOK_RECORD_…, the event; the other bits: the place, without its own low two bits
 *     u32 TSCL           low half of the time stamp
 *     u32 TSCH           high half of the time stamp
 *
 * HOOK_PLACE_… defines the place of an entry or an exit. The place of a task is its handle; 0: before the first
 * task. A task switch is two records with one time: first the task that leaves, then the task that comes. A
 * record whose first word is HOOK_RECORD_INVALID was never written, or is being written; readers skip it.
 *
 * Record number n since the start lies at n mod CAPACITY. COUNT is the number of records since the start:
 *
 *     COUNT = HOOK_COUNT_OFF     nothing is recorded: hook_init() was not called, or is running
 *     COUNT <= CAPACITY          records 0 … COUNT − 1, oldest first
 *     COUNT >  CAPACITY          the circular hooks wrapped around: the whole buffer, oldest at COUNT mod CAPACITY. After 2^32
 *                                records COUNT is not the number of records any more, but it stays above CAPACITY and correct
 *                                modulo CAPACITY.
 *
 * If the machine was stopped inside a circular hook, the record at
 * COUNT mod CAPACITY may be half overwritten: readers leave it out.
 *
 * The linear hooks stop at CAPACITY, so a reader needs no mark of which hooks wrote the buffer.
 *
 * The control area is aligned to a word, which has the size of a pointer. Eight bytes come first, then its words:
 *
 *     u32 magic    HOOK_MAGIC: its bytes show the byte order
 *     u32 what     bits 0–7 HOOK_VERSION; 8–15 HOOK_PLACE_…; 16–23 bytes in a record; 24–31 bytes in a word
 *     word[0 …]    HOOK_WORD_…
 *
 * hook_init() writes the control area, so memory that is neither loaded nor zeroed is good
 * enough. SELF is the address of the control area. A reader that has only the bytes learns their
 * addresses from SELF; a reader that has the addresses rejects a control area with another SELF. */
#ifndef DWELL_CLASSIC_CORE_HOOK_RECORDS_H
#define DWELL_CLASSIC_CORE_HOOK_RECORDS_H

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

/* The meaning of an entry's or exit's place. */
#define HOOK_PLACE_ADDRESS 1 /* the function's address; plus two where a function may begin at an odd multiple of 2 */
#define HOOK_PLACE_NAME 2    /* address of the function's name, which ends with a zero byte */
#define HOOK_PLACE_RETURN 3  /* behind the call of the hook; entry and exit of one function differ */

/* clang-format off */
#define HOOK_WORD_SELF 0     /* address of the control area */
#define HOOK_WORD_RECORDS 1  /* address of the first record */
#define HOOK_WORD_CAPACITY 2 /* records that fit */
#define HOOK_WORD_COUNT_AT 3 /* address of COUNT, a u32 */
#define HOOK_WORD_HZ 4       /* ticks of the time stamp per second; 0: unknown */
#define HOOK_WORD_STATE 5    /* HOOK_STATE_… */
#define HOOK_WORD_MISSED 6   /* calls on other threads than the one that called hook_init(): not recorded */
#define HOOK_WORDS 7

#define HOOK_STATE_NO_CLOCK 1 /* the machine's counter does not count: nothing is recorded */
#define HOOK_STATE_WRAPS 2    /* the counter has 32 bits: the hooks count the high half of the time */
/* clang-format on */

#define HOOK_HEAD_BYTES 8
#define HOOK_WHAT(place, word_bytes)                                                                                               \
	(HOOK_VERSION | (unsigned)(place) << 8 | HOOK_RECORD_BYTES << 16 | (unsigned)(word_bytes) << 24)

#endif
