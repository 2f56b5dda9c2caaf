/* recorded_names: names of one file's functions that the recording has, and the file need not be there for. For module.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_RECORDED_NAMES_H
#define DWELL_HOST_MODEL_FUNCTION_RECORDED_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/message.h"
#include "symbol/symbol.h"

/* Of all files together. A trace that claims more is hostile: what is recorded are some thousand. */
#define RECORDED_NAMES_MAX (1u << 20)
#define RECORDED_NAMES_BYTES_MAX (UINT64_C(1) << 28)
struct recorded_names_sum {
	uint64_t names, bytes;
};

/* Zero it before the first use, clear it after the last. */
struct recorded_names {
	struct symbol *list; /* names are ours */
	size_t count, capacity;
	struct symbol_table *table; /* of the list; null: of fewer, or not made yet */
};

/* What comes after the file was asked about is too late: what was found would have to be found again. */
void recorded_names_add(struct recorded_names *told, const struct message_names *message, struct recorded_names_sum *sum);
/* Null: there is nothing. */
const struct symbol_table *recorded_names_get(struct recorded_names *told);
void recorded_names_clear(struct recorded_names *told);

#endif
