/* The reader of uftrace's data directories: a file of events for each task (uftrace_events.h); task.txt says whose they are, and
 * sid-*.map what was mapped. Of arguments and what is returned (-A, -R, -a) nothing is read but that they are there; the kernel's events
 * and functions are not read. A task is one chunk: it is read again as a whole. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "reader/uftrace/events.h"
#include "reader/uftrace/uftrace.h"

#define NS_A_SECOND UINT64_C(1000000000)

/* Where the reading of a task is. */
struct cursor {
	uint32_t task;
	bool has_begun;
	struct uftrace_events events; /* its source is ours; null: its file is not there */
};

struct uftrace_reader {
	struct reader_input *input;
	struct uftrace_tasks tasks;
	struct uftrace_extent *extents; /* by task */
	unsigned stage;
	size_t told, part; /* of what the stage tells */
	struct cursor cursor;
	bool is_open, finished;
	uint64_t bytes, more; /* more: events with something behind them */
	uint64_t maps_told;
};

static bool probe(struct bytes start, bool whole)
{
	(void)whole;
	return start.size >= 40 && !memcmp(start.data, "Ftrace!", 8);
}

static bool open_cursor(const struct uftrace_reader *reader, struct cursor *cursor, uint32_t task)
{
	char name[32];

	free_source(cursor->events.source);
	memset(cursor, 0, offsetof(struct cursor, events) + offsetof(struct uftrace_events, open));
	cursor->events.from = cursor->events.used = 0;
	cursor->task = task;
	cursor->events.tasks = &reader->tasks;
	cursor->events.end_ticks = reader->extents[task].last_ticks;
	snprintf(name, sizeof name, "%" PRIu32 ".dat", reader->tasks.tasks[task].tid);
	cursor->events.source = make_source_beside(reader->input->source, name, NULL);
	return cursor->events.source;
}

/* A checkpoint with nothing in it, then the events. False: that was all. */
static bool next_of_task(struct cursor *cursor, struct message *message)
{
	uint32_t count = cursor->events.source ? uftrace_events_next(&cursor->events) : 0;

	if (!count)
		return false;
	*message = (struct message){.kind = MESSAGE_EVENTS,
		.offset = cursor->events.at,
		.events = {.stream = cursor->task,
			.place_kind = DWELL_PLACE_ADDRESS,
			.events = cursor->events.events,
			.count = count,
			.chunk = cursor->task}};
	return true;
}

static bool begin_task(struct cursor *cursor, struct message *message, uint64_t first_ticks)
{
	if (cursor->has_begun)
		return false;
	cursor->has_begun = true;
	*message = (struct message){.kind = MESSAGE_CHECKPOINT,
		.checkpoint = {.stream = cursor->task, .place_kind = DWELL_PLACE_ADDRESS, .ticks = first_ticks, .first = true}};
	return true;
}

/* When each task was, for who reads them again. */
static bool find_extents(struct uftrace_reader *reader)
{
	reader->extents = calloc(reader->tasks.task_count + 1, sizeof *reader->extents);
	for (uint32_t i = 0; reader->extents && i < reader->tasks.task_count; i++) {
		uint64_t size;

		if (!open_cursor(reader, &reader->cursor, i))
			continue;
		size = source_size(reader->cursor.events.source);
		reader->bytes += size == UINT64_MAX ? 0 : size;
		reader->extents[i] = uftrace_find_extent(&reader->tasks, reader->cursor.events.source);
	}
	return reader->extents;
}

static bool open_uftrace(void *state, struct reader_input *input)
{
	struct uftrace_reader *reader = state;
	uint8_t head[40];
	const char *problem;

	reader->input = input;
	if (source_read(input->source, head, sizeof head) < sizeof head)
		problem = "ends within its header";
	else if (head[14] != 1 || head[15] != 2)
		problem = "is of a machine with another byte order, or of 32 bits: only uftrace can read it";
	else
		problem = uftrace_tasks_read(&reader->tasks, input->source, input->diag);
	if (!problem && !find_extents(reader))
		problem = "cannot be read: out of memory";
	if (!problem && !reader->tasks.task_count)
		problem = "is of a data directory of uftrace without a task";
	if (problem)
		diag_add(input->diag, DIAG_ERROR, source_name(input->source), DIAG_NO_OFFSET, "%s", problem);
	return !problem;
}

static void close_uftrace(void *state)
{
	struct uftrace_reader *reader = state;

	free_source(reader->cursor.events.source);
	uftrace_tasks_clear(&reader->tasks);
	free(reader->extents);
}

static void rewind_uftrace(void *state)
{
	struct uftrace_reader *reader = state;

	reader->stage = 0;
	reader->told = reader->part = 0;
	reader->more = reader->maps_told = 0;
	reader->is_open = reader->finished = false;
}

/* ---- declarations ---- */

static bool tell_header(struct uftrace_reader *reader, struct message *message)
{
	*message = (struct message){.kind = MESSAGE_HEADER,
		.header = {.format = "a data directory of uftrace",
			.has_events = true,
			.unit = "",
			.clock_hz = NS_A_SECOND,
			.clock_bits = 64,
			.clock_global = true,
			.pointer_bytes = 8}};
	return !reader->told++;
}

static bool tell_process(struct uftrace_reader *reader, struct message *message)
{
	const struct uftrace_process *process;
	const char *path = "";

	if (reader->told >= reader->tasks.process_count)
		return false;
	process = &reader->tasks.processes[reader->told];
	if (process->session)
		path = reader->tasks.sessions[process->session - 1].path;
	*message = (struct message){.kind = MESSAGE_PROCESS,
		.process = {.process = (uint32_t)reader->told++, .pid = process->pid, .parent_pid = process->parent_pid, .path = path}};
	return true;
}

static bool tell_map(struct message *message, const struct uftrace_load *load, const struct uftrace_map *map, bool is_gone, uint64_t time)
{
	*message = (struct message){.kind = MESSAGE_MODULE,
		.module = {.process = load->process,
			.low = map->low,
			.high = map->high,
			.bias = map->low - map->offset,
			.bias_is_of_offsets = true,
			.load_ticks = time,
			.unmapped = is_gone,
			.hooked = true,
			.build_id = map->build_id,
			.build_id_bytes = map->build_id_bytes,
			.path = map->path}};
	return true;
}

static bool tell_load(struct uftrace_reader *reader, struct message *message)
{
	const struct uftrace_tasks *tasks = &reader->tasks;

	for (; reader->told < tasks->load_count; reader->told++, reader->part = 0) {
		const struct uftrace_load *load = &tasks->loads[reader->told];
		const struct uftrace_load *before = load->before ? &tasks->loads[load->before - 1] : NULL;
		const struct uftrace_session *old = before ? &tasks->sessions[before->session] : NULL;
		const struct uftrace_session *new = &tasks->sessions[load->session];
		size_t gone = old ? old->map_count : 0, part = reader->part++;

		if (part < gone + new->map_count && reader->maps_told++ >= UFTRACE_MAPS_MAX)
			return false;
		if (part < gone)
			return tell_map(message, load, &tasks->maps[old->first_map + part], true, load->time);
		if (part - gone < new->map_count) /* before its session is told, it was there already: entries may be earlier */
			return tell_map(message, load, &tasks->maps[new->first_map + part - gone], false, before ? load->time : 0);
	}
	return false;
}

static bool tell_thread(struct uftrace_reader *reader, struct message *message)
{
	const struct uftrace_task *task;

	if (reader->told >= reader->tasks.task_count)
		return false;
	task = &reader->tasks.tasks[reader->told];
	*message = (struct message){.kind = MESSAGE_THREAD,
		.thread = {.stream = (uint32_t)reader->told++,
			.process = task->process,
			.tid = task->tid,
			.place_kind = DWELL_PLACE_ADDRESS,
			.name = ""}};
	return true;
}

/* ---- events ---- */

static void say(struct uftrace_reader *reader, const struct cursor *cursor)
{
	const struct uftrace_events *events = &cursor->events;
	char name[64];

	reader->more += events->more;
	if (!events->problem || !events->source)
		return; /* a task that did nothing has no file */
	snprintf(name, sizeof name, "%" PRIu32 ".dat", reader->tasks.tasks[cursor->task].tid);
	reader->input->health->bytes_skipped += source_size(events->source) - events->at;
	diag_add(reader->input->diag, DIAG_WARN, name, events->at, "%s: what comes behind it is not read", events->problem);
}

static bool tell_events(struct uftrace_reader *reader, struct message *message)
{
	struct reader_health *health = reader->input->health;

	for (; reader->told < reader->tasks.task_count; reader->told++) {
		struct cursor *cursor = &reader->cursor;

		if (!reader->is_open)
			open_cursor(reader, cursor, (uint32_t)reader->told);
		reader->is_open = true;
		if (begin_task(cursor, message, reader->extents[reader->told].first_ticks) || next_of_task(cursor, message))
			return true;
		health->events += cursor->events.counts.events;
		health->late_stamps += cursor->events.counts.late_stamps;
		say(reader, cursor);
		reader->is_open = false;
	}
	return false;
}

static void next_uftrace(void *state, struct message *message)
{
	static bool (*const stages[])(struct uftrace_reader *, struct message *) = {
		tell_header, tell_process, tell_load, tell_thread, tell_events};
	struct uftrace_reader *reader = state;

	for (; reader->stage < sizeof stages / sizeof *stages; reader->stage++, reader->told = reader->part = 0)
		if (stages[reader->stage](reader, message))
			return;
	if (!reader->finished) {
		reader->finished = true;
		if (reader->tasks.bad_lines)
			diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET,
				"%" PRIu64 " lines of its task.txt cannot be read: they are left out", reader->tasks.bad_lines);
		if (reader->maps_told > UFTRACE_MAPS_MAX)
			diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET,
				"more than %u files are mapped, all processes together: the others are left out", UFTRACE_MAPS_MAX);
		if (reader->more)
			diag_add(reader->input->diag, DIAG_NOTE, source_name(reader->input->source), DIAG_NO_OFFSET,
				"%" PRIu64 " events have arguments or a result behind them, which are not read: where they end is told by what comes next",
				reader->more);
		reader->input->health->bytes_total = reader->bytes;
		reader->input->health->ended_well = true;
	}
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->bytes};
}

/* ---- chunks: a task is one ---- */

static uint64_t chunk_count(const void *state)
{
	return ((const struct uftrace_reader *)state)->tasks.task_count;
}

static struct reader_chunk get_chunk(const void *state, uint64_t chunk)
{
	const struct uftrace_reader *reader = state;

	return (struct reader_chunk){.first_ticks = reader->extents[chunk].first_ticks,
		.last_ticks = reader->extents[chunk].last_ticks,
		.stream = (uint32_t)chunk,
		.events = reader->extents[chunk].events < UINT32_MAX ? (uint32_t)reader->extents[chunk].events : UINT32_MAX};
}

struct decoder {
	const struct uftrace_reader *reader;
	struct cursor cursor;
	struct reader_counts counts;
};

static void *make_decoder(const void *state)
{
	struct decoder *decoder = calloc(1, sizeof *decoder);

	if (decoder)
		decoder->reader = state;
	return decoder;
}

static void free_decoder(void *state)
{
	free_source(((struct decoder *)state)->cursor.events.source);
	free(state);
}

static bool decoder_load(void *state, uint64_t chunk)
{
	struct decoder *decoder = state;

	if (chunk >= decoder->reader->tasks.task_count)
		return false;
	open_cursor(decoder->reader, &decoder->cursor, (uint32_t)chunk);
	return true;
}

static void decoder_next(void *state, struct message *message)
{
	struct decoder *decoder = state;
	struct cursor *cursor = &decoder->cursor;

	if (!begin_task(cursor, message, decoder->reader->extents[cursor->task].first_ticks) && !next_of_task(cursor, message))
		*message = (struct message){.kind = MESSAGE_END};
}

static struct reader_counts decoder_get_counts(const void *state)
{
	(void)state;
	return (struct reader_counts){0};
}

const struct reader_format reader_uftrace = {
	.name = "a data directory of uftrace",
	.probe = probe,
	.state_bytes = sizeof(struct uftrace_reader),
	.open = open_uftrace,
	.close = close_uftrace,
	.next = next_uftrace,
	.rewind = rewind_uftrace,
	.chunk_count = chunk_count,
	.get_chunk = get_chunk,
	.make_decoder = make_decoder,
	.free_decoder = free_decoder,
	.decoder_load = decoder_load,
	.decoder_next = decoder_next,
	.decoder_get_counts = decoder_get_counts,
};
