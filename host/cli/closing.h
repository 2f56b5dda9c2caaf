/* closing: the last line of a recording on a terminal or in a pipe: the file, its contents, the duration, and what to type next.
 *
 *     dwell: app.dwell: 42,004 entries and exits of functions in 1.234 s; to see them: dwell report app.dwell */
#ifndef DWELL_HOST_CLI_CLOSING_H
#define DWELL_HOST_CLI_CLOSING_H

#include <stdbool.h>

#include "record/sink/trace_file.h"
#include "util/diag.h"

/* Adds the line as a note, and frees the contents of recorded. Adds no line if standard error is a file, because for scripts an
 * empty file means that record had no problem. Nor if nothing was recorded, or the file is a pipe. */
void closing_add_line(struct recorded *recorded, bool is_sampled, struct diag *diag);
/* Whether standard error gets such lines: a terminal or a pipe does, a file does not. */
bool closing_is_read(void);
/* The path as a word for a shell, quoted if necessary. Null: memory ran out. */
char *make_shell_word(const char *path);

#endif
