/* object_inner: the variables of a program, while the readers of its file add them. Inside of object.c and object_ti.c. */
#ifndef DWELL_HOST_SYMBOL_OBJECT_INNER_H
#define DWELL_HOST_SYMBOL_OBJECT_INNER_H

#include <stdbool.h>
#include <stddef.h>

#include "symbol/format.h"
#include "symbol/object.h"

struct object {
	uint64_t address;
	uint64_t size; /* 0: unknown */
	uint64_t end;  /* of the memory that it lies in, where the size is unknown and that goes on to the next one; 0: not said */
	char *name;
	bool is_global;
};

struct object_table {
	struct object *list; /* by address, once it is made */
	size_t count, capacity;
};

/* Its name is copied. False: no memory. */
bool object_table_add(struct object_table *table, const struct object *object);

/* Those of a file of Texas Instruments' tools that is no ELF: COFF, a linker's map. They tell no sizes. */
void object_table_read_ti(struct object_table *table, const struct symbol_input *input);

#endif
