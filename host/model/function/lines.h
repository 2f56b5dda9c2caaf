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

/* "/home/me/src/app.c:12": where the function begins, as the compiler called the file; of one that is in others, where it is declared.
 * Owned by lines. Null: not known. */
const char *lines_get(struct lines *lines, uint32_t id);
/* For people: from the current folder on where the file is below it, else without folders. */
const char *lines_get_short(struct lines *lines, uint32_t id);

#endif
