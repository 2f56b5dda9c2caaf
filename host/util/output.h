/* A big buffer in front of a stream: what writers of millions of rows put their bytes into. Errors stick and are told at the
 * end. */
#ifndef DWELL_HOST_UTIL_OUTPUT_H
#define DWELL_HOST_UTIL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/diag.h"

#define OUTPUT_BYTES 65536
#define OUTPUT_PIECE_BYTES 64 /* what output_reserve promises */

/* Where bytes go instead of a stream. Zeroed: empty. bytes is freed by whoever has it. */
struct output_memory {
	char *bytes;
	size_t count, capacity;
};

struct output {
	FILE *out; /* borrowed */
	struct output_memory *memory; /* borrowed; null: the stream */
	size_t used;
	int error; /* errno of the first write that failed; nothing is written after it */
	char buffer[OUTPUT_BYTES];
};

/* Call before anything is put. */
void output_begin(struct output *output, FILE *out);
void output_begin_memory(struct output *output, struct output_memory *memory);
/* Writes what is left and flushes. False when something could not be written, with an error diag, but for a reader that went away
 * (EPIPE). name is for the message ("standard output"). What is stuck in the stream is dropped: it is said once. */
bool output_end(struct output *output, const char *name, struct diag *diag);

/* Of any size. */
void output_put_bytes(struct output *output, const char *bytes, size_t count);
void output_flush(struct output *output);

static inline void output_put_text(struct output *output, const char *text)
{
	output_put_bytes(output, text, strlen(text));
}

/* Text as a terminal may show it: control characters, the invisible ones that reverse or join text, and bytes that are not UTF-8 as
 * utf8_escape has them (\n, \x1b, \u{202e}). So it is one line. The letter twice, where it is not 0, is put twice each time. */
void output_put_safe(struct output *output, const char *text, char twice);

/* Room for OUTPUT_PIECE_BYTES: write there, then add to used what it took. */
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
