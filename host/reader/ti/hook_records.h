/* hook records: what TI's function hooks wrote, as messages. What is behind the bytes of c6000.c and ccs.c, and the same for both.
 *
 * A record is three words: an address, in its two low bits what happened there, and a time of 64 bits. Functions belong to the task that
 * runs, tasks are streams, and what another task runs is time off the CPU. All of them are in memory, since a buffer that was written
 * round and round begins in its middle.
 *
 *     hook_records_add(&records, &record)                as often as there are records
 *     hook_records_settle(&records, UINT64_MAX)          once
 *     hook_records_next(&records, &cursor, &message)     a message; false: that was all
 */
#ifndef DWELL_HOST_READER_TI_HOOK_RECORDS_H
#define DWELL_HOST_READER_TI_HOOK_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hook_records.h"
#include "reader/format.h"
#include "reader/ti/hook_record.h"
#include "util/numbers.h"

/* A file with more tasks is not believed in that: what these do is left out, and counted. */
#define HOOK_TASKS_MAX (1u << 14)
#define HOOK_EVENTS_MAX 1024u
/* No clock has counted so far: years at 1 GHz. */
#define HOOK_TICKS_MAX (UINT64_C(1) << 56)

/* Consecutive records of functions of one task, while it ran: [in, out). */
struct hook_run {
	uint32_t stream; /* UINT32_MAX: of one task too many */
	uint32_t first, end; /* records [first, end) */
	uint32_t next; /* the stream's next run; 0: none (the first of all is nobody's next) */
	uint64_t in_ticks, out_ticks;
	uint64_t away_ticks; /* when its run before this one was over; of its first run in_ticks */
	bool begins, ends; /* with a task record, not with the data */
};

struct hook_task {
	uint32_t handle; /* 0: before the first task, and where that is not said */
	uint32_t first_run, last_run;
	uint32_t events; /* of functions */
};

struct hook_records {
	struct hook_record *list;
	size_t count, capacity;
	struct hook_run *runs;
	size_t run_count, run_capacity;
	struct hook_task *tasks; /* stream → task */
	size_t task_count, task_capacity;
	struct numbers by_handle; /* its stream + 1 */
	uint64_t file_bytes; /* that they stand in */
	uint64_t clock_hz; /* 0: unknown */
	enum dwell_place_kind place_kind; /* of functions */
	uint64_t first_ticks, last_ticks;
	bool has_tasks; /* there are task records */
	bool is_rotated; /* the first record of the file is not the oldest */
	uint64_t room; /* records at the end of the buffer that nobody has written yet */
	uint64_t unused; /* others that nobody wrote */
	uint64_t offset; /* of the first record in the file; UINT64_MAX: records have no such thing there */
	bool is_torn; /* the oldest one was left out: who stopped the machine inside of a hook finds it half overwritten */
	uint64_t left_out; /* of tasks that are too many */
	uint64_t contradictions; /* task records that say another task ran than those before */
	uint64_t backward; /* records that are earlier than the one before, once they are in order */
};

void hook_records_clear(struct hook_records *records);

/* The record with its bytes in the other order. */
struct hook_record hook_record_swapped(const struct hook_record *record);

/* One record, as it stands in the file. False: no memory. */
bool hook_records_add(struct hook_records *records, const struct hook_record *record);

/* All are there. written: how many there were since the buffer was begun, where that is known, and what was added is all of the buffer;
 * else UINT64_MAX: then a buffer that was written round and round begins where times fall the furthest. Of such a one the oldest record is
 * left out, as nobody can tell whether it is whole. False: no memory. */
bool hook_records_settle(struct hook_records *records, uint64_t written);

/* How little they look like records, with their bytes as they are or in the other order. */
struct hook_doubt {
	size_t used;
	uint64_t backward; /* that are earlier than the one before */
	uint64_t span; /* ticks from the earliest to the latest */
	uint64_t latest;
	size_t nulls; /* of a function at address 0 */
};
struct hook_doubt hook_records_doubt(const struct hook_record *list, size_t count, bool is_swapped);
/* Fewer go back in time; where as many do, time passes more slowly. */
bool hook_doubt_is_less(const struct hook_doubt *a, const struct hook_doubt *b);

/* Says what is wrong with them, and puts it into the health. */
void hook_records_report(const struct hook_records *records, struct reader_input *input);

/* Where a reader, or a decoder of one stream, is. Zeroed: at the beginning, of all streams. */
struct hook_cursor {
	bool is_one; /* of one stream, which begins with its first run; no declarations */
	uint32_t threads; /* that were told */
	uint32_t run, part, at;
	struct event events[HOOK_EVENTS_MAX];
	struct message_switch gap;
};
/* The threads, then all that happened. False: that was all. */
bool hook_records_next(const struct hook_records *records, struct hook_cursor *cursor, struct message *message);

#endif
