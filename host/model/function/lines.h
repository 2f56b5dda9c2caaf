/* lines: function id → source file and line, for tables with --lines and for the page. Reads the debug information of a program at
 * the first lookup of one of its functions. */
#ifndef DWELL_HOST_MODEL_FUNCTION_LINES_H
#define DWELL_HOST_MODEL_FUNCTION_LINES_H

#include <stdint.h>

#include "model/function/function.h"
#include "util/diag.h"

/* Null: no memory. functions is borrowed. */
struct lines;
struct lines *make_lines(struct functions *functions, struct diag *diag);
void free_lines(struct lines *lines);

/* "/home/me/src/app.c:12": where the function begins, with the compiler's name of the file. Owned by lines. Null: not known. */
const char *lines_get(struct lines *lines, uint32_t id);
/* For people: relative to the current folder if the file is below it, else without folders. */
const char *lines_get_short(struct lines *lines, uint32_t id);
/* The source line of a link-time address in the function's file. 0: not known, or in another
 * source file than the function's beginning. */
uint32_t lines_get_line(struct lines *lines, uint32_t id, uint64_t address);
/* The function's last line, in the source file of its beginning. Looks at some 200 addresses of the code, so the very last line
 * may be missing. 0: not known. */
uint32_t lines_get_last(struct lines *lines, uint32_t id);

#endif
