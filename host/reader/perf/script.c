/* The reader of what `perf script` prints: samples, each a line with its period and the frames below it, or behind it where callers were
 * not recorded.
 *
 *     app  4711  1234.567890:     250000 cycles:u:
 *             55d0c0a01139 inner+0x9 (/home/me/app)
 *             55d0c0a01160 main+0x20 (/home/me/app)
 *
 * Names are taken as they are: perf has looked them up. What is counted is the period of the first event that comes; samples of other
 * events are passed over, and said. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "reader/text_lines.h"
#include "util/array.h"

#define EVENT_BYTES_MAX 64u

struct perf_reader {
	struct reader_input *input;
	struct text_lines lines;
	bool told_header;
	char event[EVENT_BYTES_MAX]; /* the one that is counted; "": none has come yet */
	bool has_period;
	uint64_t others;             /* samples of other events */
	char *text;                  /* names of a sample's frames, innermost first, each with its zero */
	size_t text_bytes, text_capacity;
	size_t *starts;              /* where each begins */
	size_t depth, start_capacity;
	const char **names;
	size_t name_capacity;
};

/* A line that begins a sample. */
struct head {
	const char *event;
	size_t event_bytes;
	uint64_t period;
	bool has_period;
	const char *rest; /* behind it: one frame, or nothing */
	size_t rest_bytes;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static void trim(const char **text, size_t *length)
{
	while (*length && is_blank(**text)) {
		++*text;
		--*length;
	}
	while (*length && (is_blank((*text)[*length - 1]) || (*text)[*length - 1] == '\r'))
		--*length;
}

/* The end of "1234.567890:" that begins at text; null: it is something else. */
static const char *skip_time(const char *text, const char *end)
{
	const char *at = text;

	while (at < end && is_digit(*at))
		at++;
	if (at == text || at == end || *at++ != '.')
		return NULL;
	text = at;
	while (at < end && is_digit(*at))
		at++;
	return at > text && at < end && *at == ':' ? at + 1 : NULL;
}

/* A number and a blank; null: it is something else. */
static const char *skip_period(const char *text, const char *end, uint64_t *period)
{
	const char *at = text;

	*period = 0;
	for (; at < end && is_digit(*at); at++)
		if (__builtin_mul_overflow(*period, (uint64_t)10, period) ||
			__builtin_add_overflow(*period, (uint64_t)(*at - '0'), period))
			return NULL;
	return at > text && at < end && is_blank(*at) ? at : NULL;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/* A program's name may hold anything, so the time is looked for: behind a blank, and an event behind it. */
static bool parse_head(const char *text, size_t length, struct head *head)
{
	const char *end = text + length;

	for (const char *at = text + 1; length && at < end; at++) {
		const char *time = is_digit(*at) && is_blank(at[-1]) ? skip_time(at, end) : NULL, *event, *period;

		if (!time)
			continue;
		event = skip_blanks(time, end);
		period = skip_period(event, end, &head->period);
		head->has_period = period;
		if (period)
			event = skip_blanks(period, end);
		for (time = event; time < end && !is_blank(*time);)
			time++;
		if (time <= event + 1 || time[-1] != ':')
			continue;
		head->event = event;
		head->event_bytes = (size_t)(time - 1 - event);
		head->rest = time;
		head->rest_bytes = (size_t)(end - time);
		trim(&head->rest, &head->rest_bytes);
		return true;
	}
	return false;
}

/* What names of events are asked for with (":u") says nothing of what is counted. */
static size_t event_name_bytes(const struct head *head)
{
	size_t bytes = head->event_bytes;

	while (bytes && strchr("ukhGHpPSDIWe", head->event[bytes - 1]))
		bytes--;
	return bytes && bytes < head->event_bytes && head->event[bytes - 1] == ':' ? bytes - 1 : head->event_bytes;
}

/* The first line that is no comment. */
static bool probe(struct bytes start, bool whole)
{
	const char *text = (const char *)start.data, *end = text + start.size;
	struct head head;

	if (!start.size || memchr(text, 0, start.size))
		return false;
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t length = newline ? (size_t)(newline - text) : (size_t)(end - text);

		if (length && *text != '#')
			return (newline || whole) && parse_head(text, length, &head);
		text += length + 1;
	}
	return false;
}

static bool open_perf(void *state, struct reader_input *input)
{
	struct perf_reader *reader = state;

	reader->input = input;
	reader->lines.source = input->source;
	return true;
}

static void close_perf(void *state)
{
	struct perf_reader *reader = state;

	text_lines_clear(&reader->lines);
	free(reader->text);
	free(reader->starts);
	free(reader->names);
}

static void rewind_perf(void *state)
{
	struct perf_reader *reader = state;

	text_lines_rewind(&reader->lines);
	reader->told_header = false;
	*reader->event = 0;
	reader->others = 0;
	reader->depth = 0;
}

static void complain(struct perf_reader *reader, size_t bytes, const char *problem)
{
	reader->input->health->bytes_skipped += bytes;
	diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->lines.offset, "line %" PRIu64 " %s: skipped",
		reader->lines.number, problem);
}

static bool put_name(struct perf_reader *reader, const char *name, size_t length)
{
	if (!array_reserve(&reader->starts, &reader->start_capacity, reader->depth + 1, sizeof *reader->starts) ||
		!array_reserve(&reader->text, &reader->text_capacity, reader->text_bytes + length + 1, 1))
		return false;
	reader->starts[reader->depth++] = reader->text_bytes;
	memcpy(reader->text + reader->text_bytes, name, length);
	reader->text_bytes += length;
	reader->text[reader->text_bytes++] = 0;
	return true;
}

/* How much of "name+0x12 (/home/me/app)" is the name. *file: where the file begins, 0: there is none. Either may hold brackets, so what is
 * between them decides, where it is there. */
static size_t name_bytes(const char *text, size_t length, size_t *file)
{
	size_t name = 0, at;

	*file = 0;
	for (size_t i = 0; i + 3 < length; i++) {
		if (memcmp(text + i, "+0x", 3))
			continue;
		for (at = i + 3; at < length && is_hex(text[at]);)
			at++;
		if (at == i + 3 || (at < length && (at + 1 == length || memcmp(text + at, " (", 2))))
			continue;
		name = i;
		*file = at < length ? at + 2 : 0;
	}
	if (name)
		return name;
	for (at = length; at > 1 && !*file && text[length - 1] == ')'; at--)
		if (!memcmp(text + at - 2, " (", 2))
			*file = at;
	return *file ? *file - 2 : length;
}

/* Code that has no name: "[unknown] (app)", without its folders. */
static bool put_unknown(struct perf_reader *reader, const char *file, size_t length)
{
	const char *slash = memrchr(file, '/', length);
	size_t bytes = slash ? length - (size_t)(slash + 1 - file) : length;
	static const char start[] = "[unknown] (";

	if (!put_name(reader, start, sizeof start - 1) ||
		!array_reserve(&reader->text, &reader->text_capacity, reader->text_bytes + bytes, 1))
		return false;
	memcpy(reader->text + reader->text_bytes - 1, file + length - bytes, bytes);
	reader->text_bytes += bytes;
	reader->text[reader->text_bytes - 1] = 0;
	return true;
}

/* "55d0c0a01139 inner+0x9 (/home/me/app)". Null, or what is wrong. */
static const char *take_frame(struct perf_reader *reader, const char *text, size_t length)
{
	size_t bytes = 0, file;
	const char *name;
	bool good;

	trim(&text, &length);
	if (memchr(text, 0, length))
		return "holds a zero byte";
	while (bytes < length && is_hex(text[bytes]))
		bytes++;
	if (!bytes || bytes == length || !is_blank(text[bytes]))
		return "is no frame (expected: an address, a name, a file in brackets)";
	name = text + bytes;
	length -= bytes;
	trim(&name, &length);
	bytes = name_bytes(name, length, &file);
	if (file && length - file == 8 && !memcmp(name + file, "inlined)", 8))
		bytes = length;
	if (file && bytes == 9 && !memcmp(name, "[unknown]", 9))
		good = put_unknown(reader, name + file, length - file);
	else
		good = put_name(reader, name, bytes);
	return good ? NULL : "cannot be read: out of memory";
}

/* Whether the sample counts: the first event decides. */
static bool is_counted(struct perf_reader *reader, const struct head *head)
{
	size_t bytes = event_name_bytes(head);

	if (bytes >= EVENT_BYTES_MAX)
		bytes = EVENT_BYTES_MAX - 1;
	if (!*reader->event) {
		memcpy(reader->event, head->event, bytes);
		reader->event[bytes] = 0;
		reader->has_period = head->has_period;
	}
	return bytes == strlen(reader->event) && !memcmp(reader->event, head->event, bytes) && head->has_period == reader->has_period;
}

/* The frames of the sample, up to the empty line behind them. */
static void take_frames(struct perf_reader *reader)
{
	struct text_line line;
	const char *problem, *text;

	while (text_lines_next(&reader->lines, &line)) {
		if (line.too_long) {
			complain(reader, line.length, "is longer than 4 MiB");
			continue;
		}
		text = line.text;
		trim(&text, &line.length);
		if (!line.length)
			return;
		problem = take_frame(reader, text, line.length);
		if (problem)
			complain(reader, line.length, problem);
	}
}

/* The next sample's head. */
static bool next_head(struct perf_reader *reader, struct head *head)
{
	struct text_line line;

	while (text_lines_next(&reader->lines, &line)) {
		const char *text = line.text;

		if (line.too_long) {
			complain(reader, line.length, "is longer than 4 MiB");
			continue;
		}
		if (line.length && *text == '#')
			continue;
		if (parse_head(text, line.length, head))
			return true;
		trim(&text, &line.length);
		if (line.length)
			complain(reader, line.length, "begins no sample (expected: program, thread, time, period, event)");
	}
	return false;
}

/* Takes the sample; false: it does not count, or nothing is in it. */
static bool take_sample(struct perf_reader *reader, const struct head *head, uint64_t *weight)
{
	bool counted = is_counted(reader, head);
	const char *problem;

	*weight = head->has_period ? head->period : 1;
	reader->text_bytes = reader->depth = 0;
	if (head->rest_bytes) {
		problem = take_frame(reader, head->rest, head->rest_bytes);
		if (problem)
			complain(reader, head->rest_bytes, problem);
	} else {
		take_frames(reader); /* head is over then */
	}
	reader->others += !counted;
	return counted && reader->depth;
}

static bool next_weight(struct perf_reader *reader, struct message *message)
{
	struct head head;
	uint64_t weight;

	while (next_head(reader, &head)) {
		uint64_t offset = reader->lines.offset;

		if (!take_sample(reader, &head, &weight))
			continue;
		if (reader->depth > UINT32_MAX ||
			!array_reserve(&reader->names, &reader->name_capacity, reader->depth, sizeof *reader->names)) {
			complain(reader, 0, "ends a sample that cannot be read: out of memory");
			continue;
		}
		for (size_t i = 0; i < reader->depth; i++)
			reader->names[i] = reader->text + reader->starts[reader->depth - 1 - i];
		*message = (struct message){.kind = MESSAGE_WEIGHT,
			.offset = offset,
			.weight = {.names = reader->names, .depth = (uint32_t)reader->depth, .weight = weight}};
		return true;
	}
	return false;
}

/* What the samples count: that of the first one, before any is told. */
static const char *find_unit(struct perf_reader *reader)
{
	uint8_t start[4096];
	size_t size = source_peek(reader->input->source, start, sizeof start);
	const char *text = (const char *)start, *end = text + size;
	struct head head;

	for (const char *newline; text < end; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			newline = end;
		if (*text != '#' && parse_head(text, (size_t)(newline - text), &head)) {
			is_counted(reader, &head);
			break;
		}
	}
	if (!reader->has_period)
		return "samples";
	return !strcmp(reader->event, "cpu-clock") || !strcmp(reader->event, "task-clock") ? "ns" : reader->event;
}

static void finish(struct perf_reader *reader, struct message *message)
{
	if (reader->others)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET,
			"%" PRIu64 " samples are of other events than %s, which the first one is of: they are left out", reader->others,
			reader->event);
	reader->others = 0;
	text_lines_finish(&reader->lines, reader->input, message);
}

static void next_perf(void *state, struct message *message)
{
	struct perf_reader *reader = state;

	if (!reader->told_header) {
		reader->told_header = true;
		*message = (struct message){.kind = MESSAGE_HEADER,
			.header = {.format = "text of perf script", .has_weights = true, .unit = find_unit(reader)}};
		return;
	}
	if (!next_weight(reader, message))
		finish(reader, message);
}

const struct reader_format reader_perf_script = {
	.name = "text of perf script",
	.probe = probe,
	.state_bytes = sizeof(struct perf_reader),
	.open = open_perf,
	.close = close_perf,
	.next = next_perf,
	.rewind = rewind_perf,
};
