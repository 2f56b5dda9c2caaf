/* text_lines: reads a text file line by line, through a window. */
#include "reader/text_lines.h"

#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "util/array.h"

#define READ_BYTES (1u << 16)

size_t text_mark_bytes(const void *text, size_t size)
{
	return size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

static bool fill(struct text_lines *lines)
{
	size_t have = lines->end - lines->begin, got;

	if (have)
		memmove(lines->buffer, lines->buffer + lines->begin, have);
	lines->begin = 0;
	lines->end = have;
	/* One more byte, for a zero after a line at the end of the file. */
	if (!array_reserve(&lines->buffer, &lines->capacity, have + READ_BYTES + 1, 1)) {
		lines->no_memory = true;
		return false;
	}
	got = source_read(lines->source, lines->buffer + have, lines->capacity - have - 1);
	lines->end += got;
	return got > 0;
}

static void drop(struct text_lines *lines, size_t bytes)
{
	lines->begin += bytes;
	lines->next_offset += bytes;
}

/* Skips the rest of a line that is too long, without growing the window. */
static void drop_line(struct text_lines *lines, struct text_line *line)
{
	char *newline;

	do {
		char *text = lines->buffer + lines->begin;

		newline = memchr(text, '\n', lines->end - lines->begin);
		drop(lines, newline ? (size_t)(newline + 1 - text) : lines->end - lines->begin);
	} while (!newline && fill(lines));
	*line = (struct text_line){.length = lines->next_offset - lines->offset, .too_long = true};
}

static void skip_mark(struct text_line *line)
{
	size_t bytes = text_mark_bytes(line->text, line->length);

	if (bytes)
		*line = (struct text_line){.text = line->text + bytes, .length = line->length - bytes};
}

bool text_lines_next(struct text_lines *lines, struct text_line *line)
{
	size_t seen = 0;

	lines->number++;
	lines->offset = lines->next_offset;
	for (;;) {
		size_t have = lines->end - lines->begin, length;
		char *text = have ? lines->buffer + lines->begin : NULL;
		char *newline = have > seen ? memchr(text + seen, '\n', have - seen) : NULL;

		length = newline ? (size_t)(newline - text) : have;
		if (length > TEXT_LINE_BYTES_MAX) {
			drop_line(lines, line);
			return true;
		}
		seen = have;
		if (!newline && !lines->at_end && fill(lines))
			continue;
		lines->at_end |= !newline;
		*line = (struct text_line){.text = lines->buffer ? lines->buffer + lines->begin : NULL, .length = length};
		if (!lines->offset)
			skip_mark(line);
		drop(lines, length + (newline != NULL));
		return newline || length;
	}
}

void text_lines_rewind(struct text_lines *lines)
{
	*lines = (struct text_lines){.source = lines->source, .buffer = lines->buffer, .capacity = lines->capacity};
}

void text_lines_clear(struct text_lines *lines)
{
	free(lines->buffer);
	*lines = (struct text_lines){0};
}

void text_lines_finish(struct text_lines *lines, const struct reader_input *input, struct message *message)
{
	if (lines->no_memory)
		diag_add(input->diag, DIAG_ERROR, source_name(lines->source), lines->next_offset, "cannot be read further: out of memory");
	lines->no_memory = false;
	input->health->bytes_total = lines->next_offset;
	input->health->ended_well = true;
	*message = (struct message){.kind = MESSAGE_END, .offset = lines->next_offset};
}
