#include "reader/uftrace/events.h"

#include <string.h>

#include "util/bytes.h"

#define MAGIC_BITS 5u
#define UFTRACE_AHEAD (UFTRACE_MORE_MAX + 3 * UFTRACE_EVENT_BYTES) /* what is looked at: an event, what is behind it, and two more */

enum { KIND_ENTRY = 0, KIND_EXIT = 1, KIND_LOST = 2 };

static unsigned kind_of(uint64_t word) { return word & 3; }
static bool has_more(uint64_t word) { return word & 4; }
static bool is_event(uint64_t word) { return (word >> 3 & 7) == MAGIC_BITS; }
static uint32_t depth_of(uint64_t word) { return word >> 6 & (UFTRACE_DEPTHS - 1); }
static uint64_t address_of(uint64_t word) { return word >> 16; }

static bool is_mapped(const struct uftrace_tasks *tasks, uint64_t address)
{
	for (size_t i = 0; i < tasks->map_count; i++)
		if (tasks->maps[i].low <= address && address < tasks->maps[i].high)
			return true;
	return false;
}

/* ---- when it was ---- */

/* The last event may have something behind it, and some of that may look like one: the latest of them. */
static uint64_t find_last(const struct uftrace_tasks *tasks, struct source *source, uint64_t size, uint64_t first_ticks)
{
	uint8_t bytes[UFTRACE_MORE_MAX + UFTRACE_EVENT_BYTES];
	uint64_t begin = size > sizeof bytes ? (size - sizeof bytes) & ~UINT64_C(7) : 0;
	size_t got = source_read_at(source, begin, bytes, sizeof bytes);
	uint64_t last_ticks = first_ticks;

	for (size_t at = UFTRACE_EVENT_BYTES; at <= got; at += 8) {
		uint64_t ticks = get_u64(bytes + at - 16), word = get_u64(bytes + at - 8);

		if (is_event(word) && kind_of(word) <= KIND_EXIT && ticks > last_ticks && is_mapped(tasks, address_of(word)))
			last_ticks = ticks;
	}
	return last_ticks;
}

struct uftrace_extent uftrace_find_extent(const struct uftrace_tasks *tasks, struct source *source)
{
	struct uftrace_extent extent = {0};
	uint64_t size = source_size(source);
	uint8_t event[UFTRACE_EVENT_BYTES];

	if (source_read_at(source, 0, event, sizeof event) == sizeof event)
		extent.first_ticks = extent.last_ticks = get_u64(event);
	if (size == UINT64_MAX || size < UFTRACE_EVENT_BYTES)
		return extent;
	extent.last_ticks = find_last(tasks, source, size, extent.first_ticks);
	extent.events = size / UFTRACE_EVENT_BYTES;
	return extent;
}

/* ---- one after the other ---- */

static void fill(struct uftrace_events *events)
{
	memmove(events->bytes, events->bytes + events->from, events->used - events->from);
	events->used -= events->from;
	events->from = 0;
	while (!events->has_ended && events->used < sizeof events->bytes) {
		size_t got = source_read(events->source, events->bytes + events->used, sizeof events->bytes - events->used);

		events->used += got;
		events->has_ended = !got;
	}
}

static void move(struct uftrace_events *events, size_t bytes)
{
	events->from += bytes;
	events->at += bytes;
}

static void note_depth(struct uftrace_events *events, uint64_t word)
{
	uint32_t depth = depth_of(word);

	if (kind_of(word) == KIND_ENTRY) {
		events->open[depth] = address_of(word);
		events->depth = depth + 1;
	} else if (kind_of(word) == KIND_EXIT) {
		events->depth = depth;
	}
}

/* Whether an event can be the next one, by all that is known of it. */
static bool can_follow(const struct uftrace_events *events, uint64_t ticks, uint64_t word)
{
	uint32_t depth = depth_of(word);

	if (!is_event(word) || ticks < events->last_ticks || ticks > events->end_ticks)
		return false;
	if (kind_of(word) == KIND_ENTRY)
		return depth == events->depth && is_mapped(events->tasks, address_of(word));
	return kind_of(word) == KIND_EXIT && depth + 1 == events->depth && address_of(word) == events->open[depth];
}

/* Whether an event stands behind it, or the end: where it has nothing behind it itself. */
static bool goes_on(const struct uftrace_events *events, const uint8_t *p)
{
	const uint8_t *next = p + UFTRACE_EVENT_BYTES, *end = events->bytes + events->used;

	if (has_more(get_u64(p + 8)) || (next == end && events->has_ended))
		return true;
	return end - next >= (ptrdiff_t)UFTRACE_EVENT_BYTES && is_event(get_u64(next + 8)) &&
	       (kind_of(get_u64(next + 8)) > KIND_EXIT || get_u64(next) >= get_u64(p));
}

/* What is behind the last event. */
static void skip_more(struct uftrace_events *events)
{
	size_t left = events->used - events->from, last = left < UFTRACE_MORE_MAX ? left : UFTRACE_MORE_MAX;

	events->more++;
	for (size_t at = 0; at + UFTRACE_EVENT_BYTES <= left && at <= last; at += 8) {
		const uint8_t *p = events->bytes + events->from + at;

		if (can_follow(events, get_u64(p), get_u64(p + 8)) && goes_on(events, p)) {
			move(events, at);
			return;
		}
	}
	events->is_over = true;
	/* Behind the exit of the outermost function comes nothing, or the next one, which was not found. */
	if (events->has_ended && !events->depth && left <= UFTRACE_MORE_MAX && events->last_ticks == events->end_ticks)
		move(events, left);
	else
		events->problem = "an event with more behind it, as arguments, whose end cannot be told";
}

/* False: it takes no part. */
static bool take_event(struct uftrace_events *events, struct event *event)
{
	const uint8_t *p = events->bytes + events->from;
	uint64_t ticks = get_u64(p), word = get_u64(p + 8);

	if (!is_event(word)) {
		events->problem = "an event that makes no sense";
		events->is_over = true;
		return false;
	}
	events->counts.late_stamps += ticks < events->last_ticks;
	events->last_ticks = ticks < events->last_ticks ? events->last_ticks : ticks;
	note_depth(events, word);
	*event = (struct event){.ticks = events->last_ticks,
		.value = address_of(word),
		.kind = kind_of(word) == KIND_ENTRY ? EVENT_ENTER : kind_of(word) == KIND_EXIT ? EVENT_EXIT : EVENT_LOST};
	move(events, UFTRACE_EVENT_BYTES);
	if (has_more(word))
		skip_more(events);
	return kind_of(word) <= KIND_LOST;
}

uint32_t uftrace_events_next(struct uftrace_events *events)
{
	uint32_t count = 0;

	while (!events->is_over && count < UFTRACE_EVENTS_MAX) {
		if (events->used - events->from < UFTRACE_AHEAD && !events->has_ended) {
			if (count)
				break;
			fill(events);
		}
		if (events->used - events->from < UFTRACE_EVENT_BYTES) {
			events->is_over = true;
			if (events->used > events->from)
				events->problem = "half an event";
			break;
		}
		count += take_event(events, &events->events[count]);
	}
	events->counts.events += count;
	return count;
}
