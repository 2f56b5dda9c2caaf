/* aside: a file that is invisible until it is complete, and then replaces an existing file of its name in one step.
 *
 *     char *temporary;
 *     int fd = aside_open("app.dwell", O_RDWR, &temporary);
 *     ... write ...
 *     if (!aside_appear(fd, "app.dwell", temporary)) ...
 *     aside_drop(temporary);
 *
 * A process killed meanwhile leaves nothing, because the file has no name yet. On file systems without nameless
 * files the file is called FILE.PID~. Every file has that name for a moment between link and rename, since no
 * system call gives a nameless file the name of an existing one. */
#ifndef DWELL_HOST_UTIL_ASIDE_H
#define DWELL_HOST_UTIL_ASIDE_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a file for path; flags: O_WRONLY or O_RDWR. *temporary: the current name, or null for a nameless
 * file; pass it to aside_drop. Returns −1 with errno on failure. */
int aside_open(const char *path, int flags, char **temporary);
/* Gives the file its name. Returns false with errno on failure; then an existing file at path is unchanged. */
bool aside_appear(int fd, const char *path, const char *temporary);
/* Frees the name, and deletes a file that did not appear. */
void aside_drop(char *temporary);

#endif
