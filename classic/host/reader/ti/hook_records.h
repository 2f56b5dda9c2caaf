/* hook records: converts the records of TI's function hooks to messages. c6000.c and ccs.c read the bytes and share this code.
 *
 * A record is three words: an address, whose two low bits are the event, and a time of 64 bits.
 * Functions belong to the task that runs; each task is a stream, and the time of other tasks is
 * time off the CPU. All records are in memory, because a circular buffer begins in its middle.
 *
 *     hook_records_add(&records, &record)                as often as there are records
 *     hook_records_settle(&records, UINT64_MAX)          once
 *     hook_records_next(&records, &cursor, &message)     a message; false: there are no more
 */
#ifndef DWELL_CLASSIC_HOST_READER_TI_HOOK_RECORDS_H
#define DWELL_CLASSIC_HOST_READER_TI_HOOK_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/core/hook_records.h"
#include "reader/format.h"
#include "classic/host/reader/ti/hook_record.h"
#include "util/numbers.h"

/* The most tasks: records of further tasks are left out and counted, because such a file is not credible. */
#define HOOK_TASKS_MAX (1u << 14)
#define HOOK_EVENTS_MAX 1024u
/* No clock has counted this far: years at 1 GHz. */
#define HOOK_TICKS_MAX (UINT64_C(1) << 56)

/* A time slice: consecutive records of functions of one task, while it ran: [in, out). */
struct hook_slice {
	uint32_t stream; /* UINT32_MAX: of a task beyond HOOK_TASKS_MAX */
	uint32_t first, end; /* records [first, end) */
	uint32_t next; /* the stream's next slice; 0: none (slice 0 is never a next one) */
	uint64_t in_ticks, out_ticks;
	uint64_t away_ticks; /* when the task's previous slice ended; equal to in_ticks in its first slice */
	bool begins, ends; /* the slice begins or ends at a task record; false: where the data begins or ends */
};

struct hook_task {
	uint32_t handle; /* 0: what ran before the first task came, or the program has no tasks */
	uint32_t first_slice, last_slice;
	uint32_t events; /* number of entries and exits */
};

struct hook_records {
	struct hook_record *list;
	size_t count, capacity;
	struct hook_slice *slices;
	size_t slice_count, slice_capacity;
	struct hook_task *tasks; /* by stream */
	size_t task_count, task_capacity;
	struct numbers by_handle; /* handle to stream + 1 */
	uint64_t file_bytes; /* size of the file */
	uint64_t clock_hz; /* 0: unknown */
	enum dwell_place_kind place_kind; /* kind of the places of entries and exits */
	uint64_t first_ticks, last_ticks;
	bool has_tasks; /* there are task records */
	uint64_t room; /* unwritten records at the end of the buffer */
	uint64_t unused; /* other unwritten records */
	bool is_torn; /* the oldest record of a circular buffer was left out: a hook may have overwritten half of the record */
	uint64_t left_out; /* records of tasks beyond HOOK_TASKS_MAX */
	uint64_t contradictions; /* task records that contradict the records before */
	uint64_t backward; /* records that are earlier than the record before, in the order that hook_records_settle makes */
};

void hook_records_clear(struct hook_records *records);

/* Returns the record with the bytes of each word in reverse order. */
struct hook_record hook_record_swapped(const struct hook_record *record);

/* Adds one record, as in the file. False: no memory. */
bool hook_records_add(struct hook_records *records, const struct hook_record *record);

/* Turns the list, so that the oldest record is first, drops unwritten records, and cuts the rest into time slices of tasks. Does
 * not sort: a record may still be earlier than the record before. Call once, after the last hook_records_add.
 * written: how many records the hooks wrote since hook_init(), if the number is known and the list is the whole buffer; else
 * UINT64_MAX: then the oldest record is where times fall the most. If the buffer has wrapped, the oldest record is left out,
 * because a hook may have overwritten half of the record when the machine stopped. False: no memory. */
bool hook_records_settle(struct hook_records *records, uint64_t written);

/* Measures of how implausible the records are, in one of the two byte orders. */
struct hook_doubt {
	size_t used; /* number of written records: all members are about written records only */
	uint64_t backward; /* records that are earlier than the record before */
	uint64_t span; /* ticks from the earliest to the latest */
	uint64_t latest; /* ticks of the latest record */
	size_t nulls; /* entries and exits of a function at address 0 */
};
struct hook_doubt hook_records_doubt(const struct hook_record *list, size_t count, bool is_swapped);
/* Whether a is more plausible than b: fewer records go back in time; with equal numbers, the shorter span. */
bool hook_doubt_is_less(const struct hook_doubt *a, const struct hook_doubt *b);

/* Reports problems of the records, and fills the health. */
void hook_records_report(const struct hook_records *records, struct reader_input *input);

/* The position of a reader, or of a decoder of one stream. Zeroed: at the beginning, of all streams. */
struct hook_cursor {
	bool is_one; /* only one stream, from its first slice on, without MESSAGE_THREAD */
	uint32_t threads; /* threads already sent */
	uint32_t slice, part, at;
	struct event events[HOOK_EVENTS_MAX];
	struct message_switch gap;
};
/* Writes the next message: first each thread, then the messages of each time slice. False: no message is left. */
bool hook_records_next(const struct hook_records *records, struct hook_cursor *cursor, struct message *message);

#endif
