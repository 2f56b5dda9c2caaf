/* hooked: whether there is anything to trace in a program, found out before it runs. */
#ifndef DWELL_HOST_RECORD_PROGRAM_HOOKED_H
#define DWELL_HOST_RECORD_PROGRAM_HOOKED_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether the program has hooks (or hook functions of its own), or one of the libraries that it is linked with or is given by LD_PRELOAD,
 * or a program that its arguments name (`env ./prog`, `sh -c './prog; …'`). What it opens while it runs is not known. */
bool hooked_program(const char *path, char *const *argv);

/* Of one file. library: what only defines the functions that hooks call, as the C library does, has none. */
bool hooked_file(const char *path, bool library);

/* Whether its functions call mcount, gprof's counter, in which no agent can stand. */
bool hooked_calls_mcount(const char *path);

/* Calls each with the path of every program with hooks that the arguments name. argv: may be null. */
void hooked_each_named(char *const *argv, void (*each)(void *context, const char *path), void *context);
/* Calls each with the path of every library that the loader would load with the program, itself included. None where it is static. */
void hooked_each_library(const char *program, void (*each)(void *context, const char *path), void *context);
/* Likewise of a process that runs: what code is mapped in it beside its program, opened meanwhile or not. */
void hooked_each_mapped(pid_t pid, const char *program, void (*each)(void *context, const char *path), void *context);

#endif
