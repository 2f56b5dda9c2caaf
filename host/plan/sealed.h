/* sealed: files in $XDG_CACHE_HOME/dwell/plans, or in ~/.cache/dwell/plans, that this dwell has written. A file counts only if no
 * other user can write to it and the seal behind its content fits. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_SEALED_H
#define DWELL_HOST_PLAN_SEALED_H

#include <stdbool.h>

#include "util/bytes.h"

/* Reads the content of a file, to be freed. Removes a file that does not count. Returns false without content. */
bool sealed_read(const char *name, struct bytes *content);
/* Does nothing where writing is impossible. The file gets its name after all bytes are written. */
void sealed_write(const char *name, struct bytes content);
void sealed_remove(const char *name);

#endif
