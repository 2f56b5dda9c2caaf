/* The reader of Chrome's trace events in JSON, as sums: each path of slices with the time that is its own. Packed by gzip or not.
 *
 * Complete events ("X"), and begins with their ends ("B", "E"), of one thread lie in each other; which, their times say. Other events, such
 * as counters, have no duration, or (asynchronous ones) no thread to which it belongs. Events may come in any order, so all are in
 * memory. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "reader/gunzip.h"
#include "reader/json_list.h"
#include "util/array.h"

#define BYTES_MAX (256u << 20) /* of JSON */
#define TIME_MAX 2e15          /* microseconds: differences of sums of two have room in nanoseconds of 64 bits */

struct chrome_event {
	size_t name;         /* in the reader's texts; of an end: no matter what */
	uint64_t process, thread;
	uint64_t order;      /* in the file */
	int64_t begin_ns, end_ns; /* an end has only the one, and a begin the other */
	char phase;
};

struct chrome_open {
	int64_t begin_ns, end_ns, children_ns;
	bool has_end;
};

struct chrome_reader {
	struct reader_input *input;
	uint64_t source_bytes;
	char *texts; /* names, each with a zero behind it */
	size_t text_bytes, text_capacity;
	struct chrome_event *events; /* by thread, then in order of time */
	size_t count, capacity, next;
	struct chrome_open *open; /* of the thread that next is of */
	const char **names;       /* theirs */
	size_t depth, open_capacity, name_capacity;
	size_t kept; /* the outermost so many are as in the path that was told last */
	bool told_header;
	uint64_t odd, cut, unended, unbegun, starved;
};

static bool contains(struct bytes bytes, const char *text)
{
	return bytes.size && memmem(bytes.data, bytes.size, text, strlen(text));
}

/* An object or an array of JSON that has events near its beginning. */
static bool probe(struct bytes start, bool whole)
{
	uint8_t head[4096];
	struct bytes bytes = {head, gunzip_start(start, head, sizeof head)};
	size_t at = 0;

	(void)whole;
	while (at < bytes.size && strchr(" \t\r\n", head[at]) && head[at])
		at++;
	if (at == bytes.size || (head[at] != '{' && head[at] != '['))
		return false;
	return contains(bytes, "\"traceEvents\"") || (head[at] == '[' && contains(bytes, "\"ph\""));
}

/* Names of processes and threads are numbers, mostly. */
static uint64_t get_number(const json_t *event, const char *key)
{
	const json_t *value = json_object_get(event, key);
	uint64_t hash = 0xcbf29ce484222325u;

	if (json_is_integer(value))
		return (uint64_t)json_integer_value(value);
	for (const char *text = json_string_value(value); text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

/* Microseconds as nanoseconds; false: there are none. */
static bool get_time(const json_t *event, const char *key, int64_t *ns)
{
	const json_t *value = json_object_get(event, key);
	double us = json_number_value(value);

	if (!json_is_number(value) || !(us > -TIME_MAX && us < TIME_MAX))
		return false;
	*ns = (int64_t)llround(us * 1000);
	return true;
}

/* False: no memory. */
static bool take_event(struct chrome_reader *reader, const json_t *object)
{
	const char *phase = json_string_value(json_object_get(object, "ph")), *name = json_string_value(json_object_get(object, "name"));
	size_t bytes = name ? strlen(name) + 1 : 1;
	struct chrome_event event = {.order = reader->count, .name = reader->text_bytes};
	int64_t duration = 0;
	bool good;

	if (!phase || !*phase || phase[1] || !strchr("XBE", *phase))
		return true;
	event.phase = *phase;
	event.process = get_number(object, "pid");
	event.thread = get_number(object, "tid");
	good = get_time(object, "ts", &event.begin_ns) && (event.phase == 'E' || bytes > 1);
	if (event.phase == 'X')
		good = good && get_time(object, "dur", &duration) && duration >= 0;
	if (!good) {
		reader->odd++;
		return true;
	}
	event.end_ns = event.begin_ns + duration;
	if (!array_reserve(&reader->events, &reader->capacity, reader->count + 1, sizeof *reader->events) ||
		!array_reserve(&reader->texts, &reader->text_capacity, reader->text_bytes + bytes, 1))
		return false;
	if (event.phase != 'E') {
		memcpy(reader->texts + reader->text_bytes, name, bytes);
		reader->text_bytes += bytes;
	}
	reader->events[reader->count++] = event;
	return true;
}

/* At the same time what lasts longer comes before what it made; else the file's order counts. */
static int compare(const void *a, const void *b)
{
	const struct chrome_event *left = a, *right = b;

	if (left->process != right->process)
		return left->process < right->process ? -1 : 1;
	if (left->thread != right->thread)
		return left->thread < right->thread ? -1 : 1;
	if (left->begin_ns != right->begin_ns)
		return left->begin_ns < right->begin_ns ? -1 : 1;
	if (left->phase == 'X' && right->phase == 'X' && left->end_ns != right->end_ns)
		return left->end_ns > right->end_ns ? -1 : 1;
	return left->order < right->order ? -1 : left->order > right->order;
}

static bool refuse(struct chrome_reader *reader, uint64_t offset, const char *why, const char *detail)
{
	diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), offset, "%s%s", why, detail);
	return false;
}

/* One by one: all of it in the form that the library makes of it would take twenty times the memory. */
static bool take_events(struct chrome_reader *reader, const char *text, size_t size)
{
	struct json_list list;
	size_t begin, bytes;

	if (!json_list_begin(&list, text, size, "traceEvents"))
		return refuse(reader, list.at, list.problem, "");
	while (json_list_next(&list, &begin, &bytes)) {
		json_error_t error = {.position = 0};
		json_t *object = text[begin] == '{' ? json_loadb(text + begin, bytes, 0, &error) : NULL;
		bool good;

		if (!object && text[begin] != '{')
			continue;
		if (!object)
			return refuse(reader, begin + (uint64_t)error.position, "is no JSON that can be read: ", error.text);
		good = take_event(reader, object);
		json_decref(object);
		if (!good)
			return refuse(reader, DIAG_NO_OFFSET, "cannot be read: out of memory", "");
	}
	if (list.problem)
		return refuse(reader, list.at, list.problem, "");
	if (reader->count)
		qsort(reader->events, reader->count, sizeof *reader->events, compare);
	return true;
}

static void rewind_chrome(void *state)
{
	struct chrome_reader *reader = state;

	reader->next = reader->depth = reader->kept = 0;
	reader->told_header = false;
	reader->cut = reader->unended = reader->unbegun = reader->starved = 0;
}

static bool open_chrome(void *state, struct reader_input *input)
{
	struct chrome_reader *reader = state;
	struct gunzip file = gunzip_source(input->source, BYTES_MAX);
	bool good;

	reader->input = input;
	reader->source_bytes = file.source_bytes;
	if (file.end == GUNZIP_STARVED || file.end == GUNZIP_TOO_LARGE || file.end == GUNZIP_TOO_DENSE)
		good = refuse(reader, DIAG_NO_OFFSET,
			file.end == GUNZIP_STARVED     ? "cannot be read: out of memory"
			: file.end == GUNZIP_TOO_DENSE ? GUNZIP_TOO_DENSE_TEXT
						       : "has more than 256 MiB of JSON: cannot be read",
			"");
	else
		good = take_events(reader, (const char *)file.data, file.size);
	free(file.data);
	if (good)
		rewind_chrome(reader);
	return good;
}

static void close_chrome(void *state)
{
	struct chrome_reader *reader = state;

	free(reader->texts);
	free(reader->events);
	free(reader->open);
	free(reader->names);
}

/* The innermost slice is over; true: it had time of its own, which is told. */
static bool leave(struct chrome_reader *reader, int64_t at_ns, struct message *message)
{
	struct chrome_open *slice = &reader->open[--reader->depth];
	int64_t total = (at_ns > slice->begin_ns ? at_ns : slice->begin_ns) - slice->begin_ns;
	int64_t self = total > slice->children_ns ? total - slice->children_ns : 0;

	if (reader->depth)
		reader->open[reader->depth - 1].children_ns += total;
	if (self)
		*message = (struct message){.kind = MESSAGE_WEIGHT,
			.weight = {.names = reader->names,
				.depth = (uint32_t)reader->depth + 1,
				.kept = (uint32_t)reader->kept,
				.weight = (uint64_t)self}};
	if (self || reader->kept > reader->depth)
		reader->kept = reader->depth;
	return self;
}

static void enter(struct chrome_reader *reader, const struct chrome_event *event)
{
	const struct chrome_open *around = reader->depth ? &reader->open[reader->depth - 1] : NULL;
	struct chrome_open slice = {event->begin_ns, event->end_ns, 0, event->phase == 'X'};

	if (around && around->has_end && slice.has_end && slice.end_ns > around->end_ns) {
		slice.end_ns = around->end_ns;
		reader->cut++;
	}
	if (reader->depth >= UINT32_MAX - 1 ||
		!array_reserve(&reader->open, &reader->open_capacity, reader->depth + 1, sizeof *reader->open) ||
		!array_reserve(&reader->names, &reader->name_capacity, reader->depth + 1, sizeof *reader->names)) {
		reader->starved++;
		return;
	}
	reader->names[reader->depth] = reader->texts + event->name;
	reader->open[reader->depth++] = slice;
}

/* Whether the innermost slice is over before the event, null: before nothing more of its thread; *at_ns: when. */
static bool is_over(const struct chrome_reader *reader, const struct chrome_event *event, int64_t *at_ns)
{
	const struct chrome_open *slice = &reader->open[reader->depth - 1];

	*at_ns = slice->end_ns;
	if (slice->has_end) /* one that took no time is not over for another one of that time, which it may have made */
		return !event || slice->end_ns < event->begin_ns ||
		       (slice->end_ns == event->begin_ns &&
			       (event->phase != 'X' || event->end_ns > event->begin_ns || slice->begin_ns < slice->end_ns));
	*at_ns = reader->events[reader->next - 1].end_ns; /* nobody ended it: it lasts up to the last thing that is known */
	return !event;
}

static bool is_of_next(const struct chrome_reader *reader)
{
	const struct chrome_event *next, *last;

	if (!reader->next || reader->next >= reader->count)
		return reader->next < reader->count;
	next = &reader->events[reader->next];
	last = next - 1;
	return next->process == last->process && next->thread == last->thread;
}

static bool next_weight(struct chrome_reader *reader, struct message *message)
{
	for (;;) {
		const struct chrome_event *event = is_of_next(reader) ? &reader->events[reader->next] : NULL;
		int64_t at_ns;

		if (reader->depth && is_over(reader, event, &at_ns)) {
			reader->unended += !reader->open[reader->depth - 1].has_end;
			if (leave(reader, at_ns, message))
				return true;
			continue;
		}
		if (!event && reader->next == reader->count)
			return false;
		event = &reader->events[reader->next++];
		if (event->phase != 'E') {
			enter(reader, event);
		} else if (!reader->depth || reader->open[reader->depth - 1].has_end) {
			reader->unbegun++;
		} else if (leave(reader, event->begin_ns, message)) {
			return true;
		}
	}
}

static void say(struct chrome_reader *reader, uint64_t *count, const char *what)
{
	if (*count)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET, "%s: %" PRIu64, what, *count);
	*count = 0;
}

static void next_chrome(void *state, struct message *message)
{
	struct chrome_reader *reader = state;

	if (!reader->told_header) {
		reader->told_header = true;
		*message = (struct message){
			.kind = MESSAGE_HEADER, .header = {.format = "trace events of Chrome", .has_weights = true, .unit = "ns"}};
		return;
	}
	if (next_weight(reader, message))
		return;
	say(reader, &reader->odd, "events without a name or time, that are left out");
	say(reader, &reader->cut, "slices that end behind the one around them, and are cut there");
	say(reader, &reader->unended, "slices without an end, that count up to their thread's last event");
	say(reader, &reader->unbegun, "ends without a begin, that are left out");
	say(reader, &reader->starved, "slices that there was no memory for, that are left out");
	reader->input->health->bytes_total = reader->source_bytes;
	reader->input->health->ended_well = true;
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->source_bytes};
}

const struct reader_format reader_chrome = {
	.name = "trace events of Chrome",
	.probe = probe,
	.state_bytes = sizeof(struct chrome_reader),
	.open = open_chrome,
	.close = close_chrome,
	.next = next_chrome,
	.rewind = rewind_chrome,
};
