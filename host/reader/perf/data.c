/* The reader of perf.data, the file of perf record: samples with their callers, by thread and in order of time, and
 * the mapped files. The file has the kernel's buffers one after the other; perf_order sorts their records by time.
 *
 * Reads the samples of one event: the one that the user asked for, else the first with samples.
 * Names are not in the file but in the mapped files, which are identified by build-ids. Kernel
 * code gets no names. An unwinder finds the callers in copies of stacks (--call-graph dwarf), if the reader was given one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reader/perf/reader.h"

#define HOLD_BYTES (UINT64_C(1) << 30) /* limit for a file that comes through a pipe */

static bool probe(struct bytes start, bool whole)
{
	(void)whole;
	return start.size >= 8 && (!memcmp(start.data, PERF_MAGIC, 8) || !memcmp(start.data, PERF_MAGIC_SWAPPED, 8));
}

/* Reads the file up to a sample of each event, and chooses an event. Adds no diags: the reading that follows does. */
static bool survey(struct perf_reader *reader)
{
	struct reader_input *input = reader->input, quiet = *input;
	struct reader_health health = {0};

	quiet.diag = make_diag();
	quiet.health = &health;
	reader->input = &quiet;
	reader->is_surveying = true;
	while (!perf_all_have_samples(&reader->head.layout) && !reader->no_memory && perf_read_record(reader))
		;
	reader->is_surveying = false;
	reader->input = input;
	free_diag(quiet.diag);
	return perf_choose_event(reader);
}

static bool begin(struct perf_reader *reader)
{
	const char *problem = perf_head_read(&reader->head, reader->input->source);

	reader->at = reader->head.begin;
	reader->input->health->ended_well = false;
	if (problem)
		diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), 0, "%s", problem);
	else if (reader->head.lacks_features)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->head.end,
			"lacks some of what stands behind the records: build-ids and names of events may be missing");
	return !problem;
}

static void clear(struct perf_reader *reader)
{
	perf_head_clear(&reader->head);
	perf_tasks_clear(&reader->tasks);
	perf_order_clear(&reader->order);
	perf_samples_clear(&reader->samples);
	perf_stacks_clear(reader);
	stream_unpacker_clear(&reader->unpacker);
	free(reader->queue);
}

static void close_perf(void *state)
{
	clear(state);
}

/* The choice of an event stays. */
static void rewind_perf(void *state)
{
	struct perf_reader *reader = state;
	struct reader_input *input = reader->input;
	struct perf_choice choice = reader->choice;

	clear(reader);
	memset(reader, 0, sizeof *reader);
	reader->input = input;
	reader->choice = choice;
	begin(reader);
}

static bool open_perf(void *state, struct reader_input *input)
{
	struct perf_reader *reader = state;
	uint8_t start[16];

	reader->input = input;
	input->has_events = true;
	if (source_peek(input->source, start, sizeof start) == sizeof start && get_u64(start + 8) != sizeof start &&
		!source_hold(input->source, HOLD_BYTES)) {
		diag_add(input->diag, DIAG_ERROR, source_name(input->source), 0,
			"is more than 1 GiB of perf.data through a pipe: give its name, or what 'perf record -o -' writes");
		return false;
	}
	if (!begin(reader))
		return false;
	if (!source_is_seekable(input->source))
		return true;
	if (!survey(reader) || !source_rewind(input->source))
		return false;
	rewind_perf(reader);
	return true;
}

/* Sets reader->held to the next record in order of time. False: none is left. */
static bool next_record(struct perf_reader *reader)
{
	if (reader->pending.size)
		return true;
	while (!perf_order_take(&reader->order, &reader->pending, &reader->pending_offset)) {
		if (reader->at_end)
			return false;
		if (!perf_read_record(reader) || reader->no_memory) {
			reader->at_end = true;
			perf_order_end_round(&reader->order, true);
		}
	}
	return true;
}

static void report_count(struct perf_reader *reader, uint64_t count, const char *what)
{
	if (count)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET, "%" PRIu64 " %s", count, what);
}

/* Samples of other events came through a pipe after the event was chosen: the head of a report does not name those events. */
static void report_late_events(struct perf_reader *reader)
{
	if (reader->other_samples && !*reader->choice.counted && reader->choice.event < reader->head.layout.count)
		diag_add(reader->input->diag, DIAG_NOTE, source_name(reader->input->source), DIAG_NO_OFFSET,
			"samples of other events than the first in the stream, that are left out: %" PRIu64, reader->other_samples);
}

static void finish(struct perf_reader *reader)
{
	struct reader_health *health = reader->input->health;

	if (!reader->finished) {
		report_late_events(reader);
		report_count(reader, reader->damaged, "records end before their fields do, or are of an event that is not told: they are left out");
		health->entries_left_out += reader->damaged;
		report_count(reader, reader->stacks.unread,
			"samples have a copy of their stack (--call-graph dwarf) and show no callers: dwell cannot unwind stacks of this machine, or the file does not name the machine");
		report_count(reader, reader->stacks.narrow,
			"samples of 32-bit programs have a copy of their stack (--call-graph dwarf) and show no callers: dwell unwinds stacks of 64-bit programs only");
		if (reader->kernel)
			diag_add(reader->input->diag, DIAG_NOTE, source_name(reader->input->source), DIAG_NO_OFFSET,
				"samples in the kernel, of whose functions it has no names (what 'perf script' prints may have): %" PRIu64,
				reader->kernel);
		if (reader->no_memory)
			diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), reader->at,
				"cannot be read further: out of memory");
		if (health->cut)
			diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->at,
				"ends within a record, or where another was expected: what comes behind that is missing");
		health->ended_well = !health->cut && !reader->no_memory;
		health->bytes_total = health->bytes_total > reader->at ? health->bytes_total : reader->at;
	}
	reader->finished = true;
}

static void push_header(struct perf_reader *reader)
{
	struct message *message = perf_push_message(reader, MESSAGE_HEADER);

	if (message)
		message->header = (struct message_header){.format = "perf.data",
			.has_events = true,
			.clock_hz = PERF_NS_A_SECOND,
			.clock_bits = 64,
			.clock_global = true,
			.pointer_bytes = reader->head.pointer_bytes ? reader->head.pointer_bytes : 8,
			.unit = "",
			.counted = reader->choice.counted};
	for (uint32_t i = 0; i < reader->head.fact_count; i++) {
		message = perf_push_message(reader, MESSAGE_INFO);
		if (message)
			message->info = (struct message_info){reader->head.facts[i].key, reader->head.facts[i].value};
	}
	reader->header_written = true;
}

/* Puts the next messages into the queue. The queue stays empty at the end of the file. */
static void fill_queue(struct perf_reader *reader)
{
	if (!reader->header_written) {
		push_header(reader);
		return;
	}
	while (!reader->queued && next_record(reader)) {
		if (!perf_take_record(reader, reader->pending))
			break;
		reader->pending.size = 0;
		if (reader->queued)
			return;
	}
	if (!reader->queued && reader->samples.count) {
		struct message *message = perf_push_message(reader, MESSAGE_SAMPLES);

		if (message)
			message->samples = perf_samples_get(&reader->samples);
		perf_samples_begin(&reader->samples);
	} else if (!reader->queued && !reader->sampling_written) {
		perf_push_sampling(reader);
	}
}

static void next_perf(void *state, struct message *message)
{
	struct perf_reader *reader = state;

	if (reader->dequeued == reader->queued) {
		reader->dequeued = reader->queued = 0;
		fill_queue(reader);
	}
	if (reader->dequeued < reader->queued) {
		*message = reader->queue[reader->dequeued++];
		return;
	}
	finish(reader);
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->at};
}

const struct reader_format reader_perf_data = {
	.name = "perf.data",
	.probe = probe,
	.state_bytes = sizeof(struct perf_reader),
	.open = open_perf,
	.close = close_perf,
	.next = next_perf,
	.rewind = rewind_perf,
};
