/* text_lines: a file of text, line by line, in memory that does not grow with it. */
#ifndef DWELL_HOST_READER_TEXT_LINES_H
#define DWELL_HOST_READER_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"

#define TEXT_LINE_BYTES_MAX (1u << 22) /* of a longer one nothing is kept, and memory is bounded */

/* Zeroed, with its source: at its start. */
struct text_lines {
	struct source *source;
	char *buffer; /* window [begin, end) of the file, the first byte of which stands at next_offset */
	size_t capacity, begin, end;
	uint64_t next_offset;
	uint64_t number, offset; /* of the last line, from 1 */
	bool at_end, no_memory;
};

struct text_line {
	char *text;    /* may be changed; borrowed until the next line. There is room for a zero behind it */
	size_t length; /* without its newline */
	bool too_long; /* text is null, and length what was passed over */
};

/* False: at the end, or there is no memory. */
bool text_lines_next(struct text_lines *lines, struct text_line *line);
/* The source is at its start again. */
void text_lines_rewind(struct text_lines *lines);
void text_lines_clear(struct text_lines *lines);

struct message;
struct reader_input;
/* There is no next line: the message that ends a file, its health, and that memory was short, if that is why. */
void text_lines_finish(struct text_lines *lines, const struct reader_input *input, struct message *message);

#endif
