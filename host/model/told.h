/* told: names of one file's functions that the recording has, and the file need not be there for. For module.c. */
#ifndef DWELL_HOST_MODEL_TOLD_H
#define DWELL_HOST_MODEL_TOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/message.h"
#include "symbol/symbol.h"

/* Of one file. A trace that claims more is hostile: what is recorded are some thousand. */
#define TOLD_MAX (1u << 20)

/* Zero it before the first use, clear it after the last. */
struct told {
	struct symbol *list; /* names are ours */
	size_t count, capacity;
	struct symbol_table *table; /* of the list; null: of fewer, or not made yet */
};

void told_add(struct told *told, const struct message_names *message);
/* Null: there is nothing. */
const struct symbol_table *told_get(struct told *told);
void told_clear(struct told *told);

#endif
