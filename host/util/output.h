/* output: a large buffer in front of a stream, for writers of millions of rows. The first error is kept and reported at the end. */
#ifndef DWELL_HOST_UTIL_OUTPUT_H
#define DWELL_HOST_UTIL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/diag.h"

#define OUTPUT_BYTES 65536
#define OUTPUT_PIECE_BYTES 64 /* bytes that output_reserve guarantees */

/* Memory that receives the bytes instead of a stream. Zeroed: empty. The owner frees bytes. */
struct output_memory {
	char *bytes;
	size_t count, capacity;
};

struct output {
	FILE *out; /* borrowed; null: writes to memory */
	struct output_memory *memory; /* borrowed; null: writes to the stream */
	size_t used;
	int error; /* errno of the first failed write; nothing is written afterwards */
	char buffer[OUTPUT_BYTES];
};

/* Call output_begin or output_begin_memory before any other function. */
void output_begin(struct output *output, FILE *out);
void output_begin_memory(struct output *output, struct output_memory *memory);
/* Writes the rest and flushes. Returns false if a write failed. Adds an error diag then, but none if the reader went away (EPIPE).
 * name is for the message ("standard output"). Drops what is stuck in the stream, so that the error is reported once. */
bool output_end(struct output *output, const char *name, struct diag *diag);

/* Writes any number of bytes. */
void output_put_bytes(struct output *output, const char *bytes, size_t count);
void output_flush(struct output *output);

static inline void output_put_text(struct output *output, const char *text)
{
	output_put_bytes(output, text, strlen(text));
}

/* Writes text safely for a terminal, as one line: escapes control characters, invisible characters that reverse or join text, and
 * malformed UTF-8, like utf8_escape (\n, \x1b, \u{202e}). Writes the letter `twice` two times where it occurs; `twice` 0: no such
 * letter. */
void output_put_safe(struct output *output, const char *text, char twice);

/* Returns room for OUTPUT_PIECE_BYTES: write there, then add the bytes written to used. */
static inline char *output_reserve(struct output *output)
{
	if (output->used > OUTPUT_BYTES - OUTPUT_PIECE_BYTES)
		output_flush(output);
	return output->buffer + output->used;
}

static inline void output_put_char(struct output *output, char c)
{
	*output_reserve(output) = c;
	output->used++;
}

#endif
