/* text_lines: reads a text file line by line; memory does not grow with the file. */
#ifndef DWELL_HOST_READER_TEXT_LINES_H
#define DWELL_HOST_READER_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"

#define TEXT_LINE_BYTES_MAX (1u << 22) /* a longer line is dropped, so memory is bounded */

/* Set source and zero the rest: reading begins at the start. */
struct text_lines {
	struct source *source;
	char *buffer; /* holds bytes [begin, end), read from the file; the byte at begin is at next_offset in the file */
	size_t capacity, begin, end;
	uint64_t next_offset;
	uint64_t number, offset; /* of the last line; number counts from 1 */
	bool at_end, no_memory; /* at_end: the source has ended; no_memory: memory ran out, and reading ended there */
};

/* Returns the number of bytes of a UTF-8 byte-order mark that text begins with: 3 or 0. */
size_t text_mark_bytes(const void *text, size_t size);

struct text_line {
	char *text;    /* writable, with room for a zero behind it; borrowed until the next line */
	size_t length; /* without its newline */
	bool too_long; /* text is null; length is the bytes skipped */
};

/* The first line comes without its byte-order mark. False: the file has ended, or there is no memory. */
bool text_lines_next(struct text_lines *lines, struct text_line *line);
/* pre: the source is at its start again. */
void text_lines_rewind(struct text_lines *lines);
void text_lines_clear(struct text_lines *lines);

struct message;
struct reader_input;
/* After the last line: writes the END message and the health, and adds a diag if memory ran out. */
void text_lines_finish(struct text_lines *lines, const struct reader_input *input, struct message *message);

#endif
