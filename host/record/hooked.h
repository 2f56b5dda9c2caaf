/* hooked: whether there is anything to trace in a program, found out before it runs. */
#ifndef DWELL_HOST_RECORD_HOOKED_H
#define DWELL_HOST_RECORD_HOOKED_H

#include <stdbool.h>

/* Whether the program has hooks (or hook functions of its own), or one of the libraries that it is linked with or is given by LD_PRELOAD,
 * or a program that its arguments name (`env ./prog`, `sh -c './prog; …'`). What it opens while it runs is not known. */
bool hooked_program(const char *path, char *const *argv);

/* Of one file. library: what only defines the functions that hooks call, as the C library does, has none. */
bool hooked_file(const char *path, bool library);

#endif
