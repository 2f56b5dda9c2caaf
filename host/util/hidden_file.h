/* hidden_file: a file that is invisible until it is complete, and then replaces an existing file of its name in one step.
 *
 *     char *temporary;
 *     int fd = hidden_file_open("app.dwell", O_RDWR, &temporary);
 *     ... write ...
 *     if (!hidden_file_publish(fd, "app.dwell", temporary)) ...
 *     hidden_file_drop(temporary);
 *
 * If the process is killed meanwhile, nothing is left, because the file has no name yet. On file systems without nameless
 * files (O_TMPFILE) the file is called FILE.PID~, and is left then. A nameless file, too, has that name for a moment between
 * link and rename, since no system call gives a nameless file the name of an existing one. */
#ifndef DWELL_HOST_UTIL_HIDDEN_FILE_H
#define DWELL_HOST_UTIL_HIDDEN_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a new file, which will be at path; flags: O_WRONLY or O_RDWR. *temporary: the current name, or null for a nameless
 * file; pass it to hidden_file_drop, also after a failure. Returns the descriptor, which the caller closes; −1 with errno on
 * failure. */
int hidden_file_open(const char *path, int flags, char **temporary);
/* Gives the file the name path. Returns false with errno on failure; then an existing file at path is unchanged. */
bool hidden_file_publish(int fd, const char *path, const char *temporary);
/* Frees the name; deletes the file if it still has that name. temporary may be null. */
void hidden_file_drop(char *temporary);

#endif
