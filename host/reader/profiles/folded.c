/* The reader of folded stacks: one line for each path, `outermost;…;innermost count`. No events, no times, no addresses.
 *
 * The form has no escapes: a `;` in a name starts a new frame and a newline ends the line,
 * unnoticed. Blanks in names are fine, since the count is what follows the last blank. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "reader/text_lines.h"
#include "util/array.h"

struct folded_reader {
	struct reader_input *input;
	struct text_lines lines;
	bool header_written;
	const char **names;
	size_t name_capacity;
};

/* A parsed line; problem: error message, or null. */
struct folded_line {
	size_t path_bytes; /* of the names with their semicolons */
	uint64_t weight;
	bool rounded; /* the count had a fraction that is not 0 */
	const char *problem;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Reads the count, digits with at most one point, into line->weight, rounded. Returns null, or an error message. */
static const char *parse_count(const char *text, size_t length, struct folded_line *line)
{
	size_t i = 0;

	line->weight = 0;
	line->rounded = false;
	if (!length || text[0] < '0' || text[0] > '9')
		return "has no count at its end";
	for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
		if (__builtin_mul_overflow(line->weight, (uint64_t)10, &line->weight) ||
			__builtin_add_overflow(line->weight, (uint64_t)(text[i] - '0'), &line->weight))
			return "has a count beyond 2^64";
	if (i == length)
		return NULL;
	if (text[i] != '.')
		return "has no count at its end";
	for (size_t k = i + 1; k < length; k++) {
		if (text[k] < '0' || text[k] > '9')
			return "has no count at its end";
		line->rounded |= text[k] != '0';
	}
	if (i + 1 < length && text[i + 1] >= '5' && line->weight < UINT64_MAX)
		line->weight++;
	return NULL;
}

/* pre: text has no newline. */
static struct folded_line parse_line(const char *text, size_t length)
{
	struct folded_line line = {0};
	size_t count_at;

	while (length && (is_blank(text[length - 1]) || text[length - 1] == '\r'))
		length--;
	if (!length)
		return line; /* an empty line: no problem, no path */
	for (count_at = length; count_at && !is_blank(text[count_at - 1]);)
		count_at--;
	line.problem = parse_count(text + count_at, length - count_at, &line);
	if (line.problem && length > 1 && text[0] == '#' && is_blank(text[1]))
		return (struct folded_line){0}; /* a comment, such as `dwell export` writes */
	if (!line.problem && memchr(text, 0, length))
		line.problem = "holds a zero byte";
	while (count_at && is_blank(text[count_at - 1]))
		count_at--;
	line.path_bytes = count_at;
	if (!line.problem && !count_at)
		line.problem = "has a count and no names";
	return line;
}

/* Text in which at least half of the lines are stacks. If the first line does not end within start, a semicolon in it decides. */
static bool probe(struct bytes start, bool whole)
{
	const char *text = (const char *)start.data;
	size_t good = 0, bad = 0;

	if (!start.size || memchr(text, 0, start.size))
		return false;
	for (size_t at = 0; at < start.size;) {
		const char *newline = memchr(text + at, '\n', start.size - at);
		size_t length = newline ? (size_t)(newline - text) - at : start.size - at;
		struct folded_line line = parse_line(text + at, length);
		if (newline || whole) {
			good += !line.problem && line.path_bytes;
			bad += line.problem != NULL;
		} else if (at == 0) {
			return memchr(text, ';', length) != NULL;
		}
		at += length + 1;
	}
	return good && good >= bad;
}

static bool open_folded(void *state, struct reader_input *input)
{
	struct folded_reader *reader = state;

	reader->input = input;
	reader->lines.source = input->source;
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
		"line %" PRIu64 " %s (expected: names separated by ';', a blank, a whole number): skipped", reader->lines.number, problem);
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

/* Writes the message of the next line that has a stack; reports and skips bad lines. False: no line is left. */
static bool next_weight(struct folded_reader *reader, struct message *message)
{
	struct text_line text;

	while (text_lines_next(&reader->lines, &text)) {
		struct folded_line line = {.problem = "is longer than 4 MiB"};
		uint32_t depth = 0;

		if (!text.too_long)
			line = parse_line(text.text, text.length);
		if (line.problem)
			skip_line(reader, text.length, line.problem);
		else if (line.path_bytes && !split(reader, text.text, line.path_bytes, &depth))
			skip_line(reader, text.length, "cannot be read: out of memory");
		else if (line.path_bytes && !depth)
			skip_line(reader, text.length, "has a count and no names");
		else if (line.rounded)
			diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->lines.offset,
				"line %" PRIu64 " has a count with a fraction, a whole number was expected: rounded to %" PRIu64,
				reader->lines.number, line.weight);
		if (!line.problem && depth) {
			message->kind = MESSAGE_WEIGHT;
			message->offset = reader->lines.offset;
			message->weight = (struct message_weight){.names = reader->names, .depth = depth, .weight = line.weight};
			return true;
		}
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
			.header = {.format = "folded stacks", .has_weights = true, .unit = "samples"},
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
