/* Bytes as text: dumps and images of memory, by the words that they are of.
 *
 *     little                            or big: the order of bytes of what follows
 *     32 0x0c000e8c 0x0064aaa8 0        words of 8, 16, 32 or 64 bits
 *     text 1651 1 90000000 0 60000      the rest of the line, and a newline; \r, \n, \\ and \xNN are as in C
 *     repeat 20 32 0xffffffff           the rest of the line, so often
 *     repeat 150 32 0x1000+4 1+1 0      … and each time so much more (or less: 150-1)
 *     cut 77                            the file ends here, so far
 *
 * A # begins a comment. */
#ifndef DWELL_TEST_BYTES_TEXT_H
#define DWELL_TEST_BYTES_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

struct bytes_text {
	uint8_t *data; /* to be freed */
	size_t bytes, capacity;
	bool is_big;
};

static inline void bytes_text_put(struct bytes_text *text, uint64_t value, size_t width)
{
	if (!array_reserve(&text->data, &text->capacity, text->bytes + width, 1))
		abort();
	for (size_t i = 0; i < width; i++)
		text->data[text->bytes++] = (uint8_t)(value >> 8 * (text->is_big ? width - 1 - i : i));
}

/* Numbers of so many bits, in the repetition of this number (the first is 0). */
static inline bool bytes_text_put_words(struct bytes_text *text, const char *line, unsigned bits, unsigned long repetition)
{
	for (line += strspn(line, " "); *line && *line != '#'; line += strspn(line, " ")) {
		char *end;
		uint64_t value = strtoull(line, &end, 0);

		if (end == line)
			return false;
		line = end;
		if (*line == '+' || *line == '-') {
			value += repetition * (uint64_t)strtoll(line, &end, 0);
			if (end == line + 1)
				return false;
			line = end;
		}
		if (*line && *line != ' ')
			return false;
		bytes_text_put(text, value, bits / 8);
	}
	return true;
}

static inline bool bytes_text_put_text(struct bytes_text *text, const char *line)
{
	for (; *line; line++) {
		char digits[3] = {0}, *end;

		if (*line != '\\') {
			bytes_text_put(text, (uint8_t)*line, 1);
			continue;
		}
		line++;
		if (*line == 'x') {
			memcpy(digits, line + 1, strnlen(line + 1, 2));
			bytes_text_put(text, strtoul(digits, &end, 16), 1);
			if (end != digits + 2)
				return false;
			line += 2;
		} else if (*line == 'r' || *line == 'n' || *line == '\\') {
			bytes_text_put(text, *line == 'r' ? '\r' : *line == 'n' ? '\n' : '\\', 1);
		} else {
			return false;
		}
	}
	bytes_text_put(text, '\n', 1);
	return true;
}

static inline bool bytes_text_read_line(struct bytes_text *text, const char *line, unsigned long repetition)
{
	char word[16] = "";
	unsigned long number;
	int behind = 0;

	if (sscanf(line, "%15s%n", word, &behind) < 1 || *word == '#')
		return true;
	line += behind;
	number = strtoul(word, NULL, 10);
	if (!strcmp(word, "little") || !strcmp(word, "big"))
		return text->is_big = *word == 'b', true;
	if (number == 8 || number == 16 || number == 32 || number == 64)
		return bytes_text_put_words(text, line, (unsigned)number, repetition);
	if (!strcmp(word, "text"))
		return bytes_text_put_text(text, line + (*line == ' '));
	if (sscanf(line, "%li%n", (long *)&number, &behind) != 1)
		return false;
	if (!strcmp(word, "cut"))
		return number <= text->bytes && (text->bytes = number, true);
	if (strcmp(word, "repeat"))
		return false;
	for (unsigned long i = 0; i < number; i++)
		if (!bytes_text_read_line(text, line + behind, i))
			return false;
	return true;
}

/* The whole text; ends the program, with the line, where that is not as above. */
static inline struct bytes_text *make_bytes_of_text(const char *from)
{
	struct bytes_text *text = calloc(1, sizeof *text);
	char line[512];

	if (!text)
		abort();
	for (size_t bytes; *from; from += bytes + (from[bytes] == '\n')) {
		bytes = strcspn(from, "\n");
		snprintf(line, sizeof line, "%.*s", (int)(bytes < sizeof line - 1 ? bytes : sizeof line - 1), from);
		if (!bytes_text_read_line(text, line, 0)) {
			fprintf(stderr, "bytes_text: '%s': not understood\n", line);
			exit(2);
		}
	}
	return text;
}

static inline void free_bytes_of_text(struct bytes_text *text)
{
	free(text->data);
	free(text);
}

#endif
