/* foreign_file: opens files that dwell did not make: programs, libraries, debug files, sources. Somebody else chose the path,
 * and may have put anything there since. Opening a pipe waits for a writer, and opening a device has effects, so these functions
 * open regular files only. tools/check-opens.sh finds code that opens such a file in another way.
 *
 * The input of a command is not such a file: the user may name a pipe (io/source.h). */
#ifndef DWELL_HOST_UTIL_FOREIGN_FILE_H
#define DWELL_HOST_UTIL_FOREIGN_FILE_H

#include <sys/stat.h>

/* Opens the regular file at path for reading, and never waits for anybody; the caller closes the descriptor. *info describes the
 * open file, with its size; null is allowed. −1: errno has the reason; errno 0: the file is not regular, and *info describes it. */
int foreign_file_open(const char *path, struct stat *info);
/* The same, but a symbolic link at path is not followed; the link is then the file that is not regular. */
int foreign_file_open_unlinked(const char *path, struct stat *info);
/* Returns why foreign_file_open failed, for messages: "No such file or directory", "it is a pipe". Call it before errno changes. */
const char *foreign_file_problem(const struct stat *info);
/* Returns what kind of file is not regular: "a directory", "a pipe". */
const char *foreign_file_kind(const struct stat *info);

#endif
