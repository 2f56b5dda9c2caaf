/* object_inner: the table of variables while the readers of a file fill it.
 * Internal to object.c, object_table.c and classic/host/symbol/ti/object_ti.c. */
#ifndef DWELL_HOST_SYMBOL_OBJECT_INNER_H
#define DWELL_HOST_SYMBOL_OBJECT_INNER_H

#include <stdbool.h>
#include <stddef.h>

#include "symbol/format.h"
#include "symbol/object.h"

struct object {
	uint64_t address;
	uint64_t size; /* 0: unknown */
	uint64_t end;  /* end of the memory area, for a variable of unknown size that reaches to the next one; 0: unknown */
	char *name;
	bool is_global;
};

struct object_table {
	struct object *list; /* by address, after make_object_table */
	size_t count, capacity;
};

/* Adds a copy. False: no memory. */
bool object_table_add(struct object_table *table, const struct object *object);

#endif
