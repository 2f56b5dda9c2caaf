/* The reader of histograms (classic/core/histogram.h) in an image of a machine's memory: counters
 * of a sampling interrupt. Each control area is a stream, each of its segments a message of counts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "classic/host/doors.h"
#include "reader/format.h"
#include "classic/host/reader/ultra/histogram_area.h"

enum { TELL_HEADER, TELL_THREAD, TELL_SAMPLING, TELL_COUNTS };

struct histogram_reader {
	struct reader_input *input;
	struct memory memory;
	struct histogram_areas areas;
	struct histogram_counts counts; /* of the last message */
	int step;
	size_t at;        /* current area */
	uint32_t segment; /* its next segment */
	char name[48];
};

/* Whether the image contains a histogram, or a part of one. */
static bool find_any(struct source *source)
{
	struct histogram_areas areas = {0};
	struct memory memory;
	const char *problem;
	bool any = memory_open(&memory, source, &problem);

	if (any) {
		histogram_find(&areas, &memory);
		any = areas.count || areas.cut;
	}
	histogram_areas_clear(&areas);
	memory_close(&memory);
	return any;
}

static bool find_areas(struct histogram_reader *reader)
{
	const char *name = source_name(reader->input->source), *problem;
	struct histogram_areas *areas = &reader->areas;
	struct diag *diag = reader->input->diag;

	if (!memory_open(&reader->memory, reader->input->source, &problem)) {
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "%s", problem);
		return false;
	}
	histogram_find(areas, &reader->memory);
	if (areas->no_memory)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be read: out of memory");
	else if (!areas->count)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			areas->cut ? "holds the control area of histograms, and not all of their counters" : "holds no histogram");
	else if (areas->cut)
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET,
			"%" PRIu64 " histograms are left out: the image has not all of their counters", areas->cut);
	if (areas->elsewhere)
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET,
			"%" PRIu64 " histograms are left out: they say that they lay elsewhere; copies, or the image is not of one piece",
			areas->elsewhere);
	return areas->count && !areas->no_memory;
}

static bool open_histogram(void *state, struct reader_input *input)
{
	struct histogram_reader *reader = state;

	reader->input = input;
	input->is_bare = true;
	return find_areas(reader);
}

static void close_histogram(void *state)
{
	struct histogram_reader *reader = state;

	free(reader->counts.list);
	histogram_areas_clear(&reader->areas);
	memory_close(&reader->memory);
}

static void rewind_histogram(void *state)
{
	struct histogram_reader *reader = state;

	reader->step = TELL_HEADER;
	reader->at = 0;
	reader->segment = 0;
}

/* ---- messages ---- */

static struct message header(const struct histogram_reader *reader)
{
	const struct words *words = &reader->areas.list[0].words;

	return (struct message){.kind = MESSAGE_HEADER,
		.header = {.format = "histograms in an image of memory",
			.unit = "",
			.big_endian = words->is_big,
			.pointer_bytes = words->bytes,
			.machine = reader->memory.machine}};
}

static struct message thread(struct histogram_reader *reader)
{
	const struct histogram_area *area = &reader->areas.list[reader->at];

	snprintf(reader->name, sizeof reader->name, "histogram at 0x%" PRIx64, area->address);
	return (struct message){.kind = MESSAGE_THREAD,
		.thread = {.stream = (uint32_t)reader->at,
			.tid = (uint32_t)reader->at + 1,
			.place_kind = DWELL_PLACE_ADDRESS,
			.name = reader->name}};
}

/* If sampling never started, there is no period, and the counts are plain numbers. */
static struct message sampling(const struct histogram_area *area)
{
	return (struct message){.kind = MESSAGE_SAMPLING,
		.sampling = {.engine = DWELL_ENGINE_INTERRUPT,
			.unit = area->period_us ? DWELL_UNIT_NS : DWELL_UNIT_SAMPLES,
			.jittered = !area->is_fixed,
			.has_kernel = true,
			.is_wall = true,
			.period = area->period_us * 1000,
			.millihertz = area->period_us ? (1000000000 + area->period_us / 2) / area->period_us : 0}};
}

/* The first message of an area also contains OVERFLOW and BEYOND; an area without segments has one message, too. */
static struct message counts(struct histogram_reader *reader, const struct histogram_area *area)
{
	const struct histogram_extent *segment = reader->segment < area->count ? &area->segments[reader->segment] : NULL;

	reader->counts.count = 0;
	reader->counts.full = 0;
	if (segment && !histogram_read_counts(&reader->counts, &reader->memory, &area->words, segment))
		diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), area->offset,
			"the counters of segment %" PRIu32 " cannot be read: out of memory, or the image has changed", reader->segment);
	return (struct message){.kind = MESSAGE_COUNTS,
		.counts = {.stream = (uint32_t)reader->at,
			.bytes = 4,
			.weight = area->period_us ? area->period_us * 1000 : 1,
			.outside = reader->segment ? 0 : area->overflow,
			.beyond = reader->segment ? 0 : area->beyond,
			.full = reader->counts.full,
			.counts = reader->counts.list,
			.count = (uint32_t)reader->counts.count}};
}

static bool next(struct histogram_reader *reader, struct message *message)
{
	const struct histogram_area *area = &reader->areas.list[reader->at];

	if (reader->at == reader->areas.count)
		return false;
	switch (reader->step) {
	case TELL_HEADER:
		*message = header(reader);
		reader->step = TELL_THREAD;
		return true;
	case TELL_THREAD:
		*message = thread(reader);
		reader->step = TELL_SAMPLING;
		return true;
	case TELL_SAMPLING:
		*message = sampling(area);
		reader->step = TELL_COUNTS;
		return true;
	}
	*message = counts(reader, area);
	if (++reader->segment >= area->count) {
		reader->segment = 0;
		reader->at++;
		reader->step = TELL_THREAD;
	}
	return true;
}

static void next_histogram(void *state, struct message *message)
{
	struct histogram_reader *reader = state;

	if (next(reader, message)) {
		message->offset = reader->at < reader->areas.count ? reader->areas.list[reader->at].offset : 0;
		return;
	}
	reader->input->health->ended_well = true;
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->input->health->bytes_total};
}

const struct reader_format reader_histogram = {
	.name = "histograms in an image of memory",
	.find = find_any,
	.state_bytes = sizeof(struct histogram_reader),
	.open = open_histogram,
	.close = close_histogram,
	.next = next_histogram,
	.rewind = rewind_histogram,
};
