/* The reader of callgrind.out, which Valgrind's callgrind writes: what each function cost itself, in the first event that is counted. Its
 * costs of calls are of pairs of functions, not of paths: who made paths of them would have to guess, so there are none.
 *
 *     fn=(12) parse        the function, and a number that it is called by from here on
 *     37 1200 3            line, costs
 *     cfn=(13)             a callee …
 *     calls=5 100          … so often; the line behind this one is what these calls cost, which is the callee's */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "reader/text_lines.h"
#include "util/array.h"

#define EVENT_BYTES 64u
#define NAMES_MAX (1u << 22)

struct callgrind_reader {
	struct reader_input *input;
	struct text_lines lines;
	bool told_header, is_of_calls; /* the next costs are */
	unsigned positions;            /* numbers in front of the costs */
	char event[EVENT_BYTES];
	const char *unit;
	char **names; /* by number */
	size_t name_count;
	char *name;   /* of the function, ours; null: none yet */
};

static bool begins(const char *text, size_t length, const char *with)
{
	return length >= strlen(with) && !memcmp(text, with, strlen(with));
}

/* A head line that every such file has, within what can be seen. */
static bool probe(struct bytes start, bool whole)
{
	const char *text = (const char *)start.data, *end = text + start.size;
	bool has_events = false;

	if (!start.size || memchr(text, 0, start.size))
		return false;
	for (const char *newline; text < end; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline && !whole)
			break;
		newline = newline ? newline : end;
		has_events |= begins(text, (size_t)(newline - text), "events:");
		if (has_events && (begins(text, (size_t)(newline - text), "fn=") || begins(text, (size_t)(newline - text), "fl=") ||
					  begins(text, (size_t)(newline - text), "ob=")))
			return true;
	}
	return has_events && begins((const char *)start.data, start.size, "# callgrind format");
}

static bool open_callgrind(void *state, struct reader_input *input)
{
	struct callgrind_reader *reader = state;

	reader->input = input;
	reader->lines.source = input->source;
	reader->positions = 1;
	return true;
}

static void forget(struct callgrind_reader *reader)
{
	for (size_t i = 0; i < reader->name_count; i++)
		free(reader->names[i]);
	free(reader->names);
	free(reader->name);
	reader->names = NULL;
	reader->name = NULL;
	reader->name_count = 0;
}

static void close_callgrind(void *state)
{
	struct callgrind_reader *reader = state;

	text_lines_clear(&reader->lines);
	forget(reader);
}

static void rewind_callgrind(void *state)
{
	struct callgrind_reader *reader = state;

	text_lines_rewind(&reader->lines);
	forget(reader);
	reader->told_header = reader->is_of_calls = false;
	reader->positions = 1;
}

/* What is counted, from the head of the file: the first of "events: Ir Dr". */
static void find_event(struct callgrind_reader *reader)
{
	uint8_t start[4096];
	const char *text = (const char *)start, *end = text + source_peek(reader->input->source, start, sizeof start), *at;
	size_t used = 0;

	for (at = text; at && at < end; at = memchr(at, '\n', (size_t)(end - at)), at = at ? at + 1 : at)
		if (begins(at, (size_t)(end - at), "events:"))
			break;
	for (at = at && at < end ? at + 7 : end; at < end && *at == ' '; at++)
		;
	for (; at < end && *at > ' ' && *at < 0x7f && used + 1 < EVENT_BYTES; at++)
		reader->event[used++] = *at;
	reader->event[used] = 0;
	/* As dwell writes it, which has a name for each time. */
	reader->unit = !strcmp(reader->event, "ns") || !strcmp(reader->event, "wall_ns") ? "ns" : reader->event;
}

/* "(12) parse", "(12)", "parse". Null, or what is wrong. */
static const char *take_name(struct callgrind_reader *reader, const char *text)
{
	char *end = NULL;
	unsigned long number = *text == '(' ? strtoul(text + 1, &end, 10) : 0;
	size_t had = reader->name_count;

	free(reader->name);
	reader->name = NULL;
	if (!end || end == text + 1 || *end != ')') { /* a name that begins with a bracket is one, too */
		reader->name = strdup(text);
		return reader->name ? NULL : "cannot be read: out of memory";
	}
	if (number >= NAMES_MAX)
		return "has a number of a function that is too large";
	for (end++; *end == ' ';)
		end++;
	if (*end) {
		if (number >= had) {
			if (!array_reserve(&reader->names, &reader->name_count, number + 1, sizeof *reader->names))
				return "cannot be read: out of memory";
			memset(reader->names + had, 0, (reader->name_count - had) * sizeof *reader->names);
		}
		free(reader->names[number]);
		reader->names[number] = strdup(end);
	}
	if (number >= reader->name_count || !reader->names[number])
		return "has a number of a function that was not named before";
	reader->name = strdup(reader->names[number]);
	return reader->name ? NULL : "cannot be read: out of memory";
}

/* "+3 1200 3", "0x1234 37 1200", "* 5": the first cost. False: it is no such line. */
static bool take_cost(const struct callgrind_reader *reader, const char *text, uint64_t *cost)
{
	unsigned skipped = 0;
	char *end;

	if (!strchr("0123456789+-*", *text))
		return false;
	for (; skipped < reader->positions; skipped++) {
		while (*text && *text != ' ')
			text++;
		while (*text == ' ')
			text++;
	}
	*cost = 0;
	if (!*text)
		return true; /* costs that are nothing may be left out */
	if (*text < '0' || *text > '9')
		return false;
	*cost = strtoull(text, &end, 10);
	return !*end || *end == ' ';
}

static unsigned count_words(const char *text)
{
	unsigned words = 0;

	while (*text) {
		while (*text == ' ')
			text++;
		words += *text != 0;
		while (*text && *text != ' ')
			text++;
	}
	return words;
}

static void complain(struct callgrind_reader *reader, size_t bytes, const char *problem)
{
	reader->input->health->bytes_skipped += bytes;
	diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->lines.offset, "line %" PRIu64 " %s: skipped",
		reader->lines.number, problem);
}

/* A line that is no cost. Null, or what is wrong. */
static const char *take_line(struct callgrind_reader *reader, const char *text)
{
	const char *colon;

	if (!strncmp(text, "fn=", 3))
		return take_name(reader, text + 3);
	if (!strncmp(text, "calls=", 6)) {
		reader->is_of_calls = true;
		return NULL;
	}
	if (!strncmp(text, "cfn=", 4)) { /* the callee may be named here for the first time */
		char *own = reader->name;
		const char *problem;

		reader->name = NULL;
		problem = take_name(reader, text + 4);
		free(reader->name);
		reader->name = own;
		return problem;
	}
	if (!strncmp(text, "positions:", 10)) {
		reader->positions = count_words(text + 10);
		return reader->positions && reader->positions <= 2 ? NULL : "does not say how many numbers stand in front of the costs";
	}
	colon = strpbrk(text, ":=");
	return !*text || *text == '#' || (colon && colon > text) ? NULL : "is of no kind that is known";
}

static bool next_weight(struct callgrind_reader *reader, struct message *message)
{
	struct text_line line;

	while (text_lines_next(&reader->lines, &line)) {
		const char *problem = NULL;
		uint64_t cost;

		if (line.too_long || memchr(line.text, 0, line.length)) {
			complain(reader, line.length, line.too_long ? "is longer than 4 MiB" : "holds a zero byte");
			continue;
		}
		line.text[line.length] = 0;
		if (line.length && line.text[line.length - 1] == '\r')
			line.text[--line.length] = 0;
		if (!take_cost(reader, line.text, &cost)) {
			problem = take_line(reader, line.text);
			if (problem)
				complain(reader, line.length, problem);
			continue;
		}
		if (reader->is_of_calls || !cost || !reader->name) {
			if (!reader->is_of_calls && cost)
				complain(reader, line.length, "has costs of no function");
			reader->is_of_calls = false;
			continue;
		}
		*message = (struct message){.kind = MESSAGE_WEIGHT,
			.offset = reader->lines.offset,
			.weight = {.names = (const char *const *)&reader->name, .depth = 1, .weight = cost}};
		return true;
	}
	return false;
}

static void next_callgrind(void *state, struct message *message)
{
	struct callgrind_reader *reader = state;

	if (!reader->told_header) {
		reader->told_header = true;
		find_event(reader);
		*message = (struct message){.kind = MESSAGE_HEADER,
			.header = {.format = "costs of callgrind", .has_weights = true, .unit = reader->unit}};
		return;
	}
	if (!next_weight(reader, message))
		text_lines_finish(&reader->lines, reader->input, message);
}

const struct reader_format reader_callgrind = {
	.name = "costs of callgrind",
	.probe = probe,
	.state_bytes = sizeof(struct callgrind_reader),
	.open = open_callgrind,
	.close = close_callgrind,
	.next = next_callgrind,
	.rewind = rewind_callgrind,
};
