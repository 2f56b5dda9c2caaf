/* closing: the line that ends a recording, for the person who watches: the file, what is in it, how long it took, what to type next.
 *
 *     dwell: app.dwell: 42,004 entries and exits of functions in 1.234 s; to see them: dwell report app.dwell */
#ifndef DWELL_HOST_CLI_CLOSING_H
#define DWELL_HOST_CLI_CLOSING_H

#include <stdbool.h>

#include "record/sink/trace_file.h"
#include "util/diag.h"

/* Adds the line as the last note, and frees what recorded holds. Only where standard error is a terminal: scripts read that the recorder
 * has nothing to complain of from standard error being empty. Nothing when there is no file, or one that cannot be read again (a pipe). */
void closing_tell(struct recorded *recorded, bool is_sampled, struct diag *diag);
/* The path as a shell takes it: quoted where that is needed. Null: no memory. */
char *make_shell_word(const char *path);

#endif
