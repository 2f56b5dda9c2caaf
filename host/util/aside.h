/* aside: a file that nobody sees before it is whole, and which then takes the place of what had its name, in one step.
 *
 *     char *temporary;
 *     int fd = aside_open("app.dwell", O_RDWR, &temporary);
 *     ... write ...
 *     if (!aside_appear(fd, "app.dwell", temporary)) ...
 *     aside_drop(temporary);
 *
 * Whoever is killed meanwhile leaves nothing: the file has no name yet. Where the file system knows no files without one it is called
 * FILE.PID~, as it is for the moment between link and rename, since no system call puts a file in the place of another and a name to it. */
#ifndef DWELL_HOST_UTIL_ASIDE_H
#define DWELL_HOST_UTIL_ASIDE_H

#include <stdbool.h>
#include <stddef.h>

/* flags: how it is to be written. *temporary: its name for now, null when it has none; to be given to aside_drop. −1 and errno on
 * failure. */
int aside_open(const char *path, int flags, char **temporary);
/* False and errno: what was called path still is. */
bool aside_appear(int fd, const char *path, const char *temporary);
/* Frees the name, and takes it away from a file that did not appear. */
void aside_drop(char *temporary);

#endif
