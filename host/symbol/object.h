/* object: finds the variable at an address. The name of an operating system's task object becomes the name of the task.
 *
 * Made for the few addresses of variables in a dump; functions are in symbol.h. */
#ifndef DWELL_HOST_SYMBOL_OBJECT_H
#define DWELL_HOST_SYMBOL_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "symbol/image.h"

struct object_table;

/* Reads the variables of a file: ELF, or COFF and linker maps of Texas
 * Instruments. Null: the file cannot be read, has none, or has another format. */
struct object_table *make_object_table(const char *path);
void free_object_table(struct object_table *table); /* null is allowed */

/* Writes the memory spans that the variables occupy, by address, at most room spans. Returns their number. If room is too small,
 * the last span extends to the end of the last variable. For files that do not list the memory they load. */
size_t object_spans(const struct object_table *table, struct symbol_span *spans, size_t room);

/* Returns the name of the variable at a link-time address, as in the file, and the offset of the address in the variable;
 * null: none. A variable of unknown size has one byte; in formats without sizes it reaches to the next variable. */
const char *object_find(const struct object_table *table, uint64_t address, uint64_t *offset);

#endif
