/* file_name: the name of a function's file in all output for people. */
#ifndef DWELL_HOST_UTIL_FILE_NAME_H
#define DWELL_HOST_UTIL_FILE_NAME_H

/* Returns the name after the last slash, without the part after a library's first version number:
 * liblzma.so.5 for /usr/lib/liblzma.so.5.4.1. The system reports either name for the file, and a
 * diff needs a single one. *length: of the result, for "%.*s". */
const char *file_name_shown(const char *path, int *length);

#endif
