/* object: which variable of a program lies at an address: what an operating system's handle of a task is called.
 *
 * For the few addresses that a dump has of them; functions are in symbol.h. */
#ifndef DWELL_HOST_SYMBOL_OBJECT_H
#define DWELL_HOST_SYMBOL_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "symbol/image.h"

struct object_table;

/* Null: the file cannot be read, has no such symbols, or is of a format that this does not know (it knows ELF, and COFF and maps of Texas
 * Instruments). */
struct object_table *make_object_table(const char *path);
void free_object_table(struct object_table *table); /* null is fine */

/* The memory that they lie in, by address: at most room spans, the last of which goes to the end then. Returns how many. For files
 * that do not say what of them is loaded where. */
size_t object_spans(const struct object_table *table, struct symbol_span *spans, size_t room);

/* The name of the variable that holds the link-time address, as the file has it, and how far behind its beginning that is; null: none does.
 * One of unknown size holds its first byte; where no file of this format tells sizes, all up to the next one. */
const char *object_find(const struct object_table *table, uint64_t address, uint64_t *offset);

#endif
