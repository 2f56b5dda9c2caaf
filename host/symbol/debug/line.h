/* line: address → source file and line, for one file or what was taken out of it into a separate debug file. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_LINE_H
#define DWELL_HOST_SYMBOL_DEBUG_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/symbol.h"

struct line_table;

/* The lines of the program at path. Never fails: a file without lines, of another build, or that cannot be read gives a table that knows
 * none; why a file cannot be read is said by who reads its symbols. want as for symbols. Null when there is no memory. */
struct line_table *make_line_table(const char *path, const struct symbol_want *want, struct diag *diag);
void free_line_table(struct line_table *table);

/* Whether it knows any. */
bool line_table_has_lines(const struct line_table *table);

/* Where the code at the link-time address comes from: "/home/me/src/app.c:12", as the compiler called the file; of a function's first address
 * that is where it begins. To be freed. Null: not known. */
char *make_line_text(struct line_table *table, uint64_t address);

#endif
