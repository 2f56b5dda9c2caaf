/* The reader of folded stacks: one line for each path, `outermost;…;innermost count`. No events, no times, no addresses.
 *
 * The form has no escapes: a `;` in a name starts a new frame and a newline ends the line,
 * unnoticed. Blanks in names are fine, since the count is what follows the last blank.
 *
 * Counts may have fractions. Weights are whole numbers, so all counts of such a file are multiplied
 * by a power of ten, which the unit names. The scale needs a pass before the first message. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "reader/profiles/folded_line.h"
#include "reader/profiles/folded_scan.h"
#include "reader/text_lines.h"
#include "util/array.h"

struct folded_reader {
	struct reader_input *input;
	struct text_lines lines;
	struct folded_scan scan;
	bool header_written;
	const char **names;
	size_t name_capacity;
};

/* Text in which at least half of the lines are stacks. If the first line does not end within start, a semicolon in it decides. */
static bool probe(struct bytes start, bool whole)
{
	const char *text = (const char *)start.data;
	size_t good = 0, bad = 0;

	if (!start.size || memchr(text, 0, start.size))
		return false;
	for (size_t at = text_mark_bytes(text, start.size); at < start.size;) {
		const char *newline = memchr(text + at, '\n', start.size - at);
		size_t length = newline ? (size_t)(newline - text) - at : start.size - at;
		struct folded_line line = folded_line_parse(text + at, length);

		if (newline || whole) {
			good += !line.problem && line.path_bytes;
			bad += line.problem != NULL;
		} else if (!good && !bad) {
			return memchr(text, ';', length) != NULL;
		}
		at += length + 1;
	}
	return good && good >= bad;
}

static bool refuse(struct folded_reader *reader, const char *why)
{
	diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), 0, "%s", why);
	return false;
}

static bool open_folded(void *state, struct reader_input *input)
{
	struct folded_reader *reader = state;

	reader->input = input;
	reader->lines.source = input->source;
	if (!folded_scan(input->source, &reader->scan))
		return refuse(reader, "is a stream of folded stacks of more than 1 GiB, or there is no memory for it: save it to a file first");
	if (reader->scan.two_counts && reader->scan.two_counts == reader->scan.stacks)
		return refuse(reader,
			"has two counts on each line, as difffolded.pl writes; expected one: give dwell diff the two files that it was made of, or "
			"remove a column");
	if (reader->scan.digits > reader->scan.scale)
		diag_add(input->diag, DIAG_WARN, source_name(input->source), 0,
			"has counts of more digits behind the point than fit: rounded to %s", reader->scan.scale ? reader->scan.unit : "whole samples");
	return true;
}

static void close_folded(void *state)
{
	struct folded_reader *reader = state;

	text_lines_clear(&reader->lines);
	free(reader->names);
}

static void rewind_folded(void *state)
{
	struct folded_reader *reader = state;

	text_lines_rewind(&reader->lines);
	reader->header_written = false;
}

static void skip_line(struct folded_reader *reader, uint64_t length, const char *problem)
{
	reader->input->health->bytes_skipped += length;
	diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->lines.offset,
		"line %" PRIu64 " %s (expected: names separated by ';', a blank, a number): skipped", reader->lines.number, problem);
}

/* Splits the names in place; leaves out empty ones. */
static bool split(struct folded_reader *reader, char *path, size_t bytes, uint32_t *depth)
{
	char *end = path + bytes;

	*end = 0;
	*depth = 0;
	while (path <= end) {
		size_t length = strcspn(path, ";");
		path[length] = 0;
		if (length) {
			if (!array_reserve(&reader->names, &reader->name_capacity, *depth + (size_t)1, sizeof *reader->names))
				return false;
			reader->names[(*depth)++] = path;
		}
		path += length + 1;
	}
	return true;
}

/* Parses the line, and takes count and names. Returns null, or the problem. */
static const char *take_line(struct folded_reader *reader, char *text, size_t length, struct message_weight *weight)
{
	struct folded_line line = folded_line_parse(text, length);

	*weight = (struct message_weight){0};
	if (line.problem || !line.path_bytes)
		return line.problem;
	if (!folded_count_scale(&line.count, reader->scan.scale, &weight->weight))
		return "has a count beyond 2^64";
	if (!split(reader, text, line.path_bytes, &weight->depth))
		return "cannot be read: out of memory";
	weight->names = reader->names;
	return weight->depth ? NULL : "has a count and no names";
}

/* Writes the message of the next line that has a stack; reports and skips bad lines. False: no line is left. */
static bool next_weight(struct folded_reader *reader, struct message *message)
{
	struct text_line text;

	while (text_lines_next(&reader->lines, &text)) {
		struct message_weight weight = {0};
		const char *problem = text.too_long ? "is longer than 4 MiB" : take_line(reader, text.text, text.length, &weight);

		if (problem)
			skip_line(reader, text.length, problem);
		if (problem || !weight.depth)
			continue;
		*message = (struct message){.kind = MESSAGE_WEIGHT, .offset = reader->lines.offset, .weight = weight};
		return true;
	}
	return false;
}

static void next_folded(void *state, struct message *message)
{
	struct folded_reader *reader = state;

	if (!reader->header_written) {
		reader->header_written = true;
		*message = (struct message){
			.kind = MESSAGE_HEADER,
			.header = {.format = "folded stacks", .has_weights = true, .unit = reader->scan.unit},
		};
		return;
	}
	if (!next_weight(reader, message))
		text_lines_finish(&reader->lines, reader->input, message);
}

const struct reader_format reader_folded = {
	.name = "folded stacks",
	.expected = "folded stacks (lines of 'a;b;c 12')",
	.option = "folded",
	.probe = probe,
	.state_bytes = sizeof(struct folded_reader),
	.open = open_folded,
	.close = close_folded,
	.next = next_folded,
	.rewind = rewind_folded,
};
