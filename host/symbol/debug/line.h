/* line: address → source file and line, for a program file or its separate debug file. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_LINE_H
#define DWELL_HOST_SYMBOL_DEBUG_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/symbol.h"

struct line_table;

/* Reads the lines of the program at path; request as in symbol.h. A file without lines, of another build or
 * unreadable gives an empty table; the code that reads the file's symbols reports the reason. Null: no memory. */
struct line_table *make_line_table(const char *path, const struct symbol_request *request, struct diag *diag);
void free_line_table(struct line_table *table);

/* Returns whether the table has lines. */
bool line_table_has_lines(const struct line_table *table);

/* Returns the source line of the instruction at a link-time address: "/home/me/src/app.c:12", with the file's name as the compiler
 * wrote it. The line is that of addr2line. The caller frees the text. Null: unknown. */
char *make_line_text(struct line_table *table, uint64_t address);

/* Returns the source file of the function that begins at a link-time address, without a line. The caller frees the text. Null:
 * unknown. */
char *make_source_text(struct line_table *table, uint64_t address);

#endif
