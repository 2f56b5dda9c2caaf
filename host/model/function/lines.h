/* lines: function id → source file and line, for who asks. A program's lines are read when the first function of it is asked for. */
#ifndef DWELL_HOST_MODEL_FUNCTION_LINES_H
#define DWELL_HOST_MODEL_FUNCTION_LINES_H

#include <stdint.h>

#include "model/function/function.h"
#include "util/diag.h"

/* Null when there is no memory. functions is borrowed. */
struct lines;
struct lines *make_lines(struct functions *functions, struct diag *diag);
void free_lines(struct lines *lines);

/* "/home/me/src/app.c:12": where the function begins, as the compiler called the file.
 * Owned by lines. Null: not known. */
const char *lines_get(struct lines *lines, uint32_t id);
/* For people: from the current folder on where the file is below it, else without folders. */
const char *lines_get_short(struct lines *lines, uint32_t id);
/* The line that the code at a link-time address of the function's file comes from; 0: not known, or of another source file than where the
 * function begins. */
uint32_t lines_get_line(struct lines *lines, uint32_t id, uint64_t address);
/* The last line of the function in the file where it begins, of what its code comes from: as some 200 places of it tell. 0: not known. */
uint32_t lines_get_last(struct lines *lines, uint32_t id);

#endif
