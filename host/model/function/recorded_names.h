/* recorded_names: the names of a file's functions that the recording has. They hold even if the file no longer exists. For
 * module.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_RECORDED_NAMES_H
#define DWELL_HOST_MODEL_FUNCTION_RECORDED_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/message.h"
#include "symbol/symbol.h"

/* Limits for the sums over all files: real traces have some thousand names, and one with more than this is hostile. */
#define RECORDED_NAMES_MAX (1u << 20)
#define RECORDED_NAMES_BYTES_MAX (UINT64_C(1) << 28)
struct recorded_names_sum {
	uint64_t names, bytes;
};

/* Zero the struct before the first use; recorded_names_clear after the last. */
struct recorded_names {
	struct symbol *list; /* owns its names */
	size_t count, capacity;
	struct symbol_table *table; /* of the list; null: not made yet. No names are added afterwards */
};

/* Adds names, unless the table was made: later names would change lookups that are done. */
void recorded_names_add(struct recorded_names *recorded, const struct message_names *message, struct recorded_names_sum *sum);
/* Null: no names. */
const struct symbol_table *recorded_names_get(struct recorded_names *recorded);
void recorded_names_clear(struct recorded_names *recorded);

#endif
