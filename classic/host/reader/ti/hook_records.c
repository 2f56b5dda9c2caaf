#include "classic/host/reader/ti/hook_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define FALLS_PART 16u

static uint32_t kind_of(const struct hook_record *record)
{
	return record->place & HOOK_RECORD_TYPE_MASK;
}

/* Whether the record was never written, or is being written: its first word is HOOK_RECORD_INVALID, or all three words are 0. */
bool hook_record_is_unused(const struct hook_record *record)
{
	return record->place == HOOK_RECORD_INVALID || !(record->place | record->low | record->high);
}

struct hook_record hook_record_swapped(const struct hook_record *record)
{
	return (struct hook_record){
		__builtin_bswap32(record->place), __builtin_bswap32(record->low), __builtin_bswap32(record->high)};
}

void hook_records_clear(struct hook_records *records)
{
	free(records->list);
	free(records->slices);
	free(records->tasks);
	numbers_clear(&records->by_handle);
	*records = (struct hook_records){0};
}

bool hook_records_add(struct hook_records *records, const struct hook_record *record)
{
	if (records->count >= UINT32_MAX - 1 ||
		!array_reserve(&records->list, &records->capacity, records->count + 1, sizeof *records->list))
		return false;
	records->list[records->count++] = *record;
	return true;
}

struct hook_doubt hook_records_doubt(const struct hook_record *list, size_t count, bool is_swapped)
{
	struct hook_doubt doubt = {0};
	uint64_t before = 0, earliest = UINT64_MAX;

	for (size_t i = 0; i < count; i++) {
		struct hook_record record = is_swapped ? hook_record_swapped(&list[i]) : list[i];
		uint64_t ticks = hook_record_ticks(&record);

		if (hook_record_is_unused(&record))
			continue;
		doubt.backward += doubt.used && ticks < before;
		doubt.latest = ticks > doubt.latest ? ticks : doubt.latest;
		doubt.nulls += record.place < HOOK_RECORD_TASK_IN;
		earliest = ticks < earliest ? ticks : earliest;
		before = ticks;
		doubt.used++;
	}
	doubt.span = doubt.used ? doubt.latest - earliest : 0;
	return doubt;
}

bool hook_doubt_is_less(const struct hook_doubt *a, const struct hook_doubt *b)
{
	return a->backward != b->backward ? a->backward < b->backward : a->span < b->span;
}

/* ---- in order ---- */

static void reverse(struct hook_record *list, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct hook_record record = list[i];

		list[i] = list[count - 1 - i];
		list[count - 1 - i] = record;
	}
}

static void rotate(struct hook_records *records, size_t oldest)
{
	if (!oldest)
		return;
	reverse(records->list, oldest);
	reverse(records->list + oldest, records->count - oldest);
	reverse(records->list, records->count);
}

/* Whether the record was never written: all three words are all ones, as hook_init() leaves them, or 0, as zeroed memory has them.
 * Stricter than hook_record_is_unused: a record that is being written may have its time already. */
static bool is_room(const struct hook_record *record)
{
	return (record->place & record->low & record->high) == UINT32_MAX || !(record->place | record->low | record->high);
}

/* Drops unused records. The never-written records at the end of the buffer count as room; the other unused records count in
 * records->unused, without the torn one. If no record was ever written, all count as unused. */
static void drop_unused(struct hook_records *records)
{
	size_t kept = 0, end = records->count;

	while (end && is_room(&records->list[end - 1]))
		end--;
	for (size_t i = 0; i < end; i++)
		if (!hook_record_is_unused(&records->list[i]))
			records->list[kept++] = records->list[i];
	if (!end)
		end = records->count;
	records->room += records->count - end;
	records->unused = end - kept - records->is_torn;
	records->count = kept;
	for (size_t i = 1; i < kept; i++)
		records->backward += hook_record_ticks(&records->list[i]) < hook_record_ticks(&records->list[i - 1]);
}

/* ---- tasks ---- */

/* Returns the stream of a task; UINT32_MAX: there are too many tasks. False: no memory. */
static bool find_stream(struct hook_records *records, uint32_t handle, uint32_t *stream)
{
	uint32_t *known = numbers_put(&records->by_handle, handle);

	if (!known)
		return false;
	*stream = *known - 1;
	if (*known || records->task_count == HOOK_TASKS_MAX)
		return true;
	if (!array_reserve(&records->tasks, &records->task_capacity, records->task_count + 1, sizeof *records->tasks))
		return false;
	records->tasks[records->task_count] = (struct hook_task){.handle = handle, .first_slice = UINT32_MAX};
	*stream = (uint32_t)records->task_count++;
	*known = *stream + 1;
	return true;
}

/* ---- time slices ---- */

struct slicing {
	struct hook_records *records;
	uint64_t ticks; /* latest time so far: switches do not go back in time */
	bool is_open; /* the last slice of records->slices has no end yet */
};

static bool open_slice(struct slicing *slicing, uint32_t handle, size_t at, bool begins)
{
	struct hook_records *records = slicing->records;
	uint32_t number = (uint32_t)records->slice_count;
	struct hook_slice slice = {.first = (uint32_t)at, .end = (uint32_t)at, .begins = begins};
	struct hook_task *task;

	slice.in_ticks = slice.out_ticks = slice.away_ticks = slicing->ticks;
	if (!find_stream(records, handle, &slice.stream) ||
		!array_reserve(&records->slices, &records->slice_capacity, records->slice_count + 1, sizeof *records->slices))
		return false;
	if (slice.stream != UINT32_MAX) {
		task = &records->tasks[slice.stream];
		if (task->first_slice == UINT32_MAX) {
			task->first_slice = number;
		} else {
			slice.away_ticks = records->slices[task->last_slice].out_ticks;
			records->slices[task->last_slice].next = number;
		}
		task->last_slice = number;
	}
	records->slices[records->slice_count++] = slice;
	slicing->is_open = true;
	return true;
}

static void close_slice(struct slicing *slicing, size_t at, bool ends)
{
	struct hook_records *records = slicing->records;
	struct hook_slice *slice = records->slice_count ? &records->slices[records->slice_count - 1] : NULL;

	if (!slicing->is_open)
		return;
	slicing->is_open = false;
	slice->end = (uint32_t)at;
	slice->out_ticks = slicing->ticks;
	slice->ends = ends;
	if (slice->stream == UINT32_MAX)
		records->left_out += slice->end - slice->first;
	else
		records->tasks[slice->stream].events += slice->end - slice->first;
}

/* Returns the handle of the task that ran before the first task record: the task that the first switch left. 0: no task record, or
 * the first one is of a coming task, so no task ran, or an unknown one. */
static uint32_t first_handle(const struct hook_records *records)
{
	for (size_t i = 0; i < records->count; i++)
		if (kind_of(&records->list[i]) >= HOOK_RECORD_TASK_IN)
			return kind_of(&records->list[i]) == HOOK_RECORD_TASK_OUT
				       ? records->list[i].place & ~(uint32_t)HOOK_RECORD_TYPE_MASK
				       : 0;
	return 0;
}

/* Whether a task record contradicts the task that runs according to earlier records. */
static bool contradicts(const struct slicing *slicing, const struct hook_record *record)
{
	const struct hook_records *records = slicing->records;
	uint32_t stream;

	if (!slicing->is_open)
		return false;
	if (kind_of(record) == HOOK_RECORD_TASK_IN)
		return true;
	stream = records->slices[records->slice_count - 1].stream;
	return stream != UINT32_MAX && records->tasks[stream].handle != (record->place & ~(uint32_t)HOOK_RECORD_TYPE_MASK);
}

static bool find_slices(struct hook_records *records)
{
	uint32_t handle = first_handle(records);
	struct slicing slicing = {.records = records};

	for (size_t i = 0; i < records->count; i++) {
		const struct hook_record *record = &records->list[i];

		if (hook_record_ticks(record) > slicing.ticks)
			slicing.ticks = hook_record_ticks(record);
		if (kind_of(record) < HOOK_RECORD_TASK_IN) {
			if (slicing.is_open)
				continue;
			records->contradictions += records->has_tasks; /* a function ran after a task left and before a task came */
			if (!open_slice(&slicing, handle, i, records->has_tasks))
				return false;
			continue;
		}
		records->contradictions += contradicts(&slicing, record);
		close_slice(&slicing, i, true);
		records->has_tasks = true;
		handle = 0;
		if (kind_of(record) == HOOK_RECORD_TASK_IN &&
			!open_slice(&slicing, record->place & ~(uint32_t)HOOK_RECORD_TYPE_MASK, i + 1, true))
			return false;
	}
	close_slice(&slicing, records->count, false);
	return true;
}

/* Returns the index of the oldest record of a circular buffer, where times fall the most. 0: times do not fall, or fall too often
 * for one circular buffer. */
static size_t find_oldest(const struct hook_records *records)
{
	uint64_t before = 0, furthest = 0;
	size_t oldest = 0, falls = 0;

	for (size_t i = 0; i < records->count; i++) {
		uint64_t ticks = hook_record_ticks(&records->list[i]);

		if (hook_record_is_unused(&records->list[i]))
			continue;
		falls += ticks < before;
		if (ticks < before && before - ticks > furthest) {
			furthest = before - ticks;
			oldest = i;
		}
		before = ticks;
	}
	return falls <= 2 + records->count / FALLS_PART ? oldest : 0;
}

bool hook_records_settle(struct hook_records *records, uint64_t written)
{
	size_t oldest = 0;
	bool is_circle = written != UINT64_MAX && written > records->count && records->count;

	if (is_circle)
		oldest = (size_t)(written % records->count);
	else if (written == UINT64_MAX)
		oldest = find_oldest(records);
	rotate(records, oldest);
	if ((is_circle || oldest) && !hook_record_is_unused(&records->list[0])) {
		records->list[0].place = HOOK_RECORD_INVALID;
		records->is_torn = true;
	}
	drop_unused(records);
	if (records->count) {
		records->first_ticks = hook_record_ticks(&records->list[0]);
		records->last_ticks = hook_record_ticks(&records->list[records->count - 1]);
	}
	return find_slices(records);
}

void hook_records_report(const struct hook_records *records, struct reader_input *input)
{
	struct reader_health *health = input->health;
	const char *name = source_name(input->source);

	health->bytes_total = records->file_bytes;
	health->holes = records->unused;
	health->room = records->room;
	health->events = records->count;
	health->events_backward = records->backward;
	health->chunks = records->task_count;
	health->ended_well = true; /* a buffer has no end mark that could be missing */
	if (!records->count && records->unused)
		diag_add(input->diag, DIAG_WARN, name, DIAG_NO_OFFSET, "holds no record: of %" PRIu64 " none was written",
			records->unused);
	else if (!records->count)
		diag_add(input->diag, DIAG_WARN, name, DIAG_NO_OFFSET, "holds no record: it is empty");
	if (records->contradictions)
		diag_add(input->diag, DIAG_WARN, name, DIAG_NO_OFFSET,
			"task records that do not fit what ran before them: %" PRIu64
			" (expected: one that leaves, then one that comes)",
			records->contradictions);
	if (records->left_out) {
		health->bytes_skipped += records->left_out * HOOK_RECORD_BYTES;
		diag_add(input->diag, DIAG_WARN, name, DIAG_NO_OFFSET,
			"more than %u tasks: %" PRIu64 " records of the others are left out", HOOK_TASKS_MAX, records->left_out);
	}
	if (records->is_torn)
		diag_add(input->diag, DIAG_NOTE, name, DIAG_NO_OFFSET,
			"its buffer was written round and round: the oldest record is left out, since a hook may have been at work on it");
	if (records->backward)
		diag_add(input->diag, DIAG_WARN, name, DIAG_NO_OFFSET, "%" PRIu64 " of %zu records are earlier than those before them%s",
			records->backward, records->count,
			records->backward > records->count / 4 ? ": these may be no records, or their bytes in another order" : "");
}

/* ---- messages ---- */

enum part { PART_CHECKPOINT, PART_SWITCHES, PART_EVENTS };

static void tell_thread(const struct hook_records *records, uint32_t stream, struct message *message)
{
	const struct hook_task *task = &records->tasks[stream];

	*message = (struct message){
		.kind = MESSAGE_THREAD,
		.thread = {.stream = stream,
			.tid = task->handle,
			.place_kind = records->place_kind,
			.is_task = records->has_tasks,
			.name = records->has_tasks && !task->handle ? "(no task)" : ""},
	};
}

static bool tell_switches(
	const struct hook_records *records, const struct hook_slice *slice, struct hook_cursor *cursor, struct message *message)
{
	bool is_first = records->tasks[slice->stream].first_slice == (uint32_t)(slice - records->slices);

	if (!records->has_tasks)
		return false;
	cursor->gap = (struct message_switch){.out_ticks = slice->away_ticks, .in_ticks = slice->in_ticks};
	*message = (struct message){
		.kind = MESSAGE_SWITCHES,
		.switches = {.stream = slice->stream,
			.from_ticks = is_first ? 0 : slice->away_ticks,
			.until_ticks = slice->out_ticks,
			.switches = &cursor->gap,
			.count = slice->away_ticks < slice->in_ticks},
	};
	return true;
}

/* Writes a MESSAGE_EVENTS with the next records of a slice. False: the slice has no more. A task's first slice begins with RESUME,
 * and its last slice ends with STOP. So the time before its first function and after its last function counts as outside. */
static bool tell_events(
	const struct hook_records *records, const struct hook_slice *slice, struct hook_cursor *cursor, struct message *message)
{
	const struct hook_task *task = &records->tasks[slice->stream];
	uint32_t number = (uint32_t)(slice - records->slices), count = 0, total = slice->end - slice->first;

	if (!cursor->at && slice->begins && task->first_slice == number)
		cursor->events[count++] = (struct event){.ticks = slice->in_ticks, .kind = EVENT_RESUME};
	for (; cursor->at < total && count < HOOK_EVENTS_MAX; cursor->at++) {
		const struct hook_record *record = &records->list[slice->first + cursor->at];

		cursor->events[count++] =
			(struct event){hook_record_ticks(record), record->place & ~(uint32_t)HOOK_RECORD_TYPE_MASK,
				kind_of(record) == HOOK_RECORD_ENTRY ? EVENT_ENTER : EVENT_EXIT};
	}
	if (cursor->at == total && count < HOOK_EVENTS_MAX) {
		cursor->at++;
		if (slice->ends && task->last_slice == number)
			cursor->events[count++] = (struct event){.ticks = slice->out_ticks, .kind = EVENT_STOP};
	}
	*message = (struct message){
		.kind = MESSAGE_EVENTS,
		.events = {.stream = slice->stream,
			.place_kind = records->place_kind,
			.events = cursor->events,
			.count = count,
			.chunk = slice->stream},
	};
	return count;
}

static bool tell_part(
	const struct hook_records *records, const struct hook_slice *slice, struct hook_cursor *cursor, struct message *message)
{
	switch ((enum part)cursor->part) {
	case PART_CHECKPOINT:
		if (records->tasks[slice->stream].first_slice != (uint32_t)(slice - records->slices))
			return false;
		*message = (struct message){
			.kind = MESSAGE_CHECKPOINT,
			.checkpoint = {.stream = slice->stream,
				.place_kind = records->place_kind,
				.ticks = slice->in_ticks,
				.first = true},
		};
		return true;
	case PART_SWITCHES:
		return tell_switches(records, slice, cursor, message);
	case PART_EVENTS:
		return tell_events(records, slice, cursor, message);
	}
	return false;
}

bool hook_records_next(const struct hook_records *records, struct hook_cursor *cursor, struct message *message)
{
	if (!cursor->is_one && cursor->threads < records->task_count) {
		tell_thread(records, cursor->threads++, message);
		return true;
	}
	while (cursor->slice < records->slice_count) {
		const struct hook_slice *slice = &records->slices[cursor->slice];
		bool is_told = slice->stream != UINT32_MAX && tell_part(records, slice, cursor, message);

		if (is_told)
			message->offset = records->file_bytes / (records->count + 1) * slice->first;
		if (slice->stream != UINT32_MAX && (cursor->part < PART_EVENTS || is_told)) {
			cursor->part += cursor->part < PART_EVENTS;
			if (is_told)
				return true;
			continue;
		}
		cursor->part = cursor->at = 0;
		cursor->slice = !cursor->is_one ? cursor->slice + 1 : slice->next ? slice->next : UINT32_MAX;
	}
	return false;
}
