/* texts_at: texts in the memory of the recorded processes, by address. For functions whose places are addresses of names. For
 * function.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_TEXTS_AT_H
#define DWELL_HOST_MODEL_FUNCTION_TEXTS_AT_H

#include <stddef.h>
#include <stdint.h>

#include "util/lookup.h"

/* A program has some thousand names; a trace with more than this is hostile, and the rest is left out. */
#define TEXTS_AT_MAX 65536u
#define TEXTS_AT_BYTES_MAX (16u << 20)

/* Zeroed: empty. */
struct texts_at {
	struct texts_at_entry {
		uint32_t process;
		uint64_t address;
		char *text;
	} *entries;
	size_t count, capacity, bytes;
	struct lookup index;
};

/* Copies text. The first text at an address counts. */
void texts_at_add(struct texts_at *texts, uint32_t process, uint64_t address, const char *text);
void texts_at_clear(struct texts_at *texts);

/* Null: no text there. */
const char *texts_at_get(const struct texts_at *texts, uint32_t process, uint64_t address);

#endif
