/* perf_layout: finds the fields of perf's records. */
#include "reader/perf/layout.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/sorted.h"

/* Bits: the fields that a sample has. */
enum {
	HAS_IP = 1 << 0,
	HAS_TID = 1 << 1,
	HAS_TIME = 1 << 2,
	HAS_ADDRESS = 1 << 3,
	HAS_READ = 1 << 4,
	HAS_CHAIN = 1 << 5,
	HAS_ID = 1 << 6,
	HAS_CPU = 1 << 7,
	HAS_PERIOD = 1 << 8,
	HAS_STREAM = 1 << 9,
	HAS_RAW = 1 << 10,
	HAS_BRANCHES = 1 << 11,
	HAS_REGISTERS = 1 << 12,
	HAS_STACK = 1 << 13,
	HAS_IDENTIFIER = 1 << 16,
};
/* Fields at the end of records that are not samples, if the event has trailers. */
#define TRAILER (HAS_TID | HAS_TIME | HAS_ID | HAS_STREAM | HAS_CPU | HAS_IDENTIFIER)

/* Bits: the parts of a counter's value in a sample. */
enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

/* Bits: the fields of a sample's branches, beside three u64s for each branch. */
enum { BRANCHES_INDEX = 1 << 17, BRANCHES_COUNTERS = 1 << 19 };

/* Bits of an event's attributes. */
enum { FLAG_NO_KERNEL = 1 << 5, FLAG_RATE = 1 << 10, FLAG_TRAILERS = 1 << 18 };

/* Returns a field that attributes of the first version lack. */
static uint64_t get_later(struct bytes attr, uint32_t at)
{
	return get_u32(attr.data + 4) >= at + 8 && bytes_have(attr, at, 8) ? get_u64(attr.data + at) : 0;
}

bool perf_layout_add_event(struct perf_layout *layout, struct bytes attr)
{
	uint64_t flags = get_u64(attr.data + 40), fields = get_u64(attr.data + 24);

	if (layout->count >= PERF_EVENTS_MAX ||
		!array_reserve(&layout->events, &layout->capacity, layout->count + 1, sizeof *layout->events))
		return false;
	layout->events[layout->count++] = (struct perf_event){
		.type = get_u32(attr.data),
		.config = get_u64(attr.data + 8),
		.period = get_u64(attr.data + 16),
		.fields = fields,
		.read_format = get_u64(attr.data + 32),
		.is_rate = flags & FLAG_RATE,
		.has_trailers = flags & FLAG_TRAILERS,
		.no_kernel = flags & FLAG_NO_KERNEL,
		.branch_fields = get_later(attr, 72),
		.registers = get_later(attr, 80),
		.has_callers = (fields & (HAS_CHAIN | HAS_STACK)) == HAS_CHAIN,
		.has_stack = (fields & HAS_REGISTERS) && (fields & HAS_STACK),
	};
	return true;
}

bool perf_layout_add_id(struct perf_layout *layout, uint64_t id, uint32_t event)
{
	if (layout->id_count >= PERF_IDS_MAX ||
		!array_reserve(&layout->ids, &layout->id_capacity, layout->id_count + 1, sizeof *layout->ids))
		return false;
	layout->ids[layout->id_count].id = id;
	layout->ids[layout->id_count++].event = event;
	layout->ids_are_sorted = false;
	return true;
}

void perf_layout_clear(struct perf_layout *layout)
{
	free(layout->events);
	free(layout->ids);
	*layout = (struct perf_layout){0};
}

static int by_id(const void *a, const void *b)
{
	uint64_t left, right;

	memcpy(&left, a, sizeof left); /* the first member of each */
	memcpy(&right, b, sizeof right);
	return left < right ? -1 : left > right;
}

static const struct perf_event *find_event(struct perf_layout *layout, uint64_t id)
{
	const struct perf_id *found;
	size_t count;

	if (!layout->ids_are_sorted && layout->id_count)
		qsort(layout->ids, layout->id_count, sizeof *layout->ids, by_id);
	layout->ids_are_sorted = true;
	count = SORTED_UP_TO(struct perf_id, id, layout->ids, layout->id_count, id);
	found = count ? &layout->ids[count - 1] : NULL;
	return found && found->id == id && found->event < layout->count ? &layout->events[found->event] : NULL;
}

/* A record's 8-byte fields, read in sequence. */
struct fields {
	struct bytes record;
	size_t at;
	bool cut;
};

static uint64_t take(struct fields *fields)
{
	fields->at += 8;
	if (bytes_have(fields->record, fields->at - 8, 8))
		return get_u64(fields->record.data + fields->at - 8);
	fields->cut = true;
	return 0;
}

static void skip(struct fields *fields, uint64_t count)
{
	uint64_t left = fields->record.size > fields->at ? (fields->record.size - fields->at) / 8 : 0;

	fields->cut |= count > left;
	fields->at += (size_t)(count > left ? left : count) * 8;
}

/* Finds the event of a sample. If the file has several events, the
 * event's id is the first field, or at the same offset for all events. */
static const struct perf_event *event_of(struct perf_layout *layout, struct bytes record)
{
	struct fields fields = {.record = record, .at = PERF_HEAD_BYTES};
	uint64_t has = layout->count ? layout->events[0].fields : 0;

	if (layout->count < 2)
		return layout->count ? &layout->events[0] : NULL;
	if (!(has & (HAS_IDENTIFIER | HAS_ID)))
		return &layout->events[0];
	if (!(has & HAS_IDENTIFIER))
		skip(&fields, (has & HAS_IP) + !!(has & HAS_TID) + !!(has & HAS_TIME) + !!(has & HAS_ADDRESS));
	return find_event(layout, take(&fields));
}

static void skip_read(struct fields *fields, uint64_t format)
{
	uint64_t more = !!(format & READ_ID) + !!(format & READ_LOST),
		 times = !!(format & READ_ENABLED) + !!(format & READ_RUNNING);
	uint64_t count = 1;

	if (format & READ_GROUP)
		count = take(fields);
	skip(fields, times);
	skip(fields, count > fields->record.size ? fields->record.size : count * (1 + more));
}

static void skip_raw(struct fields *fields)
{
	uint64_t bytes = bytes_have(fields->record, fields->at, 4) ? get_u32(fields->record.data + fields->at) : 0;

	skip(fields, (4 + bytes + 7) / 8);
}

static void skip_branches(struct fields *fields, uint64_t has)
{
	uint64_t count = take(fields), each = has & BRANCHES_COUNTERS ? 4 : 3;

	skip(fields, !!(has & BRANCHES_INDEX));
	skip(fields, count > fields->record.size ? fields->record.size : count * each);
}

/* Takes the registers and the copy of the stack, of which the kernel filled only a part. */
static void take_stack(struct fields *fields, uint64_t mask, struct perf_sample *sample)
{
	uint64_t bytes, filled;

	sample->abi = take(fields);
	sample->registers = fields->record.data + (fields->cut ? 0 : fields->at);
	if (sample->abi)
		skip(fields, (uint64_t)__builtin_popcountll(mask));
	bytes = take(fields);
	if (!bytes || fields->cut)
		return;
	sample->stack.data = fields->record.data + fields->at;
	skip(fields, bytes / 8 + !!(bytes % 8));
	filled = take(fields);
	sample->stack.size = fields->cut ? 0 : (size_t)(filled < bytes ? filled : bytes);
}

bool perf_layout_get_sample(struct perf_layout *layout, struct bytes record, struct perf_sample *sample)
{
	const struct perf_event *event = event_of(layout, record);
	struct fields fields = {.record = record, .at = PERF_HEAD_BYTES};
	uint64_t has = event ? event->fields : 0, ids;

	if (!event)
		return false;
	*sample = (struct perf_sample){.event = event,
		.period = event->is_rate ? 1 : event->period,
		.is_kernel = (get_u16(record.data + 4) & 7) == 1};
	skip(&fields, !!(has & HAS_IDENTIFIER));
	if (has & HAS_IP)
		sample->ip = take(&fields);
	if (has & HAS_TID) {
		ids = take(&fields);
		sample->pid = (uint32_t)ids;
		sample->tid = (uint32_t)(ids >> 32);
	}
	if (has & HAS_TIME)
		sample->time = take(&fields);
	skip(&fields, !!(has & HAS_ADDRESS) + !!(has & HAS_ID) + !!(has & HAS_STREAM) + !!(has & HAS_CPU));
	if (has & HAS_PERIOD)
		sample->period = take(&fields);
	if (has & HAS_READ)
		skip_read(&fields, event->read_format);
	if (has & HAS_CHAIN) {
		sample->chain_count = take(&fields);
		sample->chain = fields.cut ? NULL : record.data + fields.at;
		skip(&fields, sample->chain_count);
	}
	if (event->has_stack) {
		if (has & HAS_RAW)
			skip_raw(&fields);
		if (has & HAS_BRANCHES)
			skip_branches(&fields, event->branch_fields);
		take_stack(&fields, event->registers, sample);
	}
	return !fields.cut;
}

void perf_layout_note_sample(struct perf_layout *layout, struct bytes record)
{
	const struct perf_event *event = event_of(layout, record);

	if (event)
		layout->events[event - layout->events].has_samples = true;
}

size_t perf_layout_trailer_bytes(const struct perf_layout *layout)
{
	return layout->count && layout->events[0].has_trailers
		       ? 8 * (size_t)__builtin_popcountll(layout->events[0].fields & TRAILER)
		       : 0;
}

uint64_t perf_layout_get_time(struct perf_layout *layout, struct bytes record, bool is_sample)
{
	const struct perf_event *event = is_sample ? event_of(layout, record) : layout->count ? &layout->events[0] : NULL;
	struct fields fields = {.record = record, .at = PERF_HEAD_BYTES};
	uint64_t has = event ? event->fields : 0;

	if (!(has & HAS_TIME))
		return 0;
	if (is_sample) {
		skip(&fields, !!(has & HAS_IDENTIFIER) + (has & HAS_IP) + !!(has & HAS_TID));
		return take(&fields);
	}
	if (record.size < PERF_HEAD_BYTES + perf_layout_trailer_bytes(layout) || !event->has_trailers)
		return 0;
	fields.at = record.size - perf_layout_trailer_bytes(layout);
	skip(&fields, !!(has & HAS_TID));
	return take(&fields);
}
