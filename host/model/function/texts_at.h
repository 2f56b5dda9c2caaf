/* texts at: texts in the memory of processes, by address: what places that are addresses of names are called. */
#ifndef DWELL_HOST_MODEL_FUNCTION_TEXTS_AT_H
#define DWELL_HOST_MODEL_FUNCTION_TEXTS_AT_H

#include <stddef.h>
#include <stdint.h>

#include "model/index.h"

/* Names of a program's functions are thousands; what is more than this is hostile, and left out. */
#define TEXTS_AT_MAX 65536u
#define TEXTS_AT_BYTES_MAX (16u << 20)

/* Zeroed: none. */
struct texts_at {
	struct texts_at_entry {
		uint32_t process;
		uint64_t address;
		char *text;
	} *entries;
	size_t count, capacity, bytes;
	struct index index;
};

/* Copies text. The first one at an address counts. */
void texts_at_add(struct texts_at *texts, uint32_t process, uint64_t address, const char *text);
void texts_at_clear(struct texts_at *texts);

/* Null when nobody told it. */
const char *texts_at_get(const struct texts_at *texts, uint32_t process, uint64_t address);

#endif
