/* hooked: finds out, before a program runs, whether the program has hooks. If not,
 * `dwell record` samples the program, or records by plans. */
#ifndef DWELL_HOST_RECORD_PROGRAM_HOOKED_H
#define DWELL_HOST_RECORD_PROGRAM_HOOKED_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether hooks, or the program's own hook functions, are in the program, in a library (linked or in LD_PRELOAD), or in a program
 * among the arguments (`env ./prog`, `sh -c './prog; …'`). Files that the program opens while it runs are not examined. */
bool hooked_program(const char *path, char *const *argv);

/* The same for one file. library: the file is a library; if it defines the functions that hooks call, as the C library
 * does, these definitions do not count as hooks. False also if the file cannot be read. */
bool hooked_file(const char *path, bool library);

/* Whether the file's functions call mcount, gprof's counter, which no agent can replace. */
bool hooked_calls_mcount(const char *path);

/* Calls `each` with the path of every program with hooks among the arguments that have a slash. argv: may be null. */
void hooked_each_named(char *const *argv, void (*each)(void *context, const char *path), void *context);
/* Calls `each` with the path of every library that the loader would load with the program. Static programs: none. */
void hooked_each_library(const char *program, void (*each)(void *context, const char *path), void *context);
/* The same for a running process: calls `each` for every file with mapped code, except the program. */
void hooked_each_mapped(pid_t pid, const char *program, void (*each)(void *context, const char *path), void *context);

#endif
