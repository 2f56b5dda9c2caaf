/* SPDX-License-Identifier: MIT
 *
 * Reads how the process was started, without libc.
 */
#ifndef DWELL_LINUX_ENVIRONMENT_H
#define DWELL_LINUX_ENVIRONMENT_H

#include <stdbool.h>

/* Returns the name of the session to join (DWELL_SESSION); the environment owns the text. Null: there is no name, or the program
 * has more rights than its user (set-uid, set-gid, capabilities of the file; the kernel reports this by AT_SECURE). Such a program
 * cannot trust the environment. So the function also removes the name there, as the dynamic linker removes its own names: then
 * programs started from here do not get the name.
 * Context: a constructor, with that constructor's arguments. No system call if the kernel gives AT_SECURE. */
const char *environment_session(int argc, char **argv, char **envp) __attribute__((visibility("hidden")));
/* Whether the file is in LD_PRELOAD of this environment, and whether the environment names a session. envp: may be null.
 * Context: any; no system call. */
bool environment_preloads(char *const *envp, const char *file) __attribute__((visibility("hidden")));
bool environment_has_session(char *const *envp) __attribute__((visibility("hidden")));
/* Writes the path of the program's file: the file started, or passed to a dynamic linker (ld-linux.so PROGRAM). Empty: unknown.
 * bytes: size of path; a longer path is cut.
 * Context: with the arguments of a constructor; one system call, or a few for a program started by its dynamic linker. */
void environment_write_program(int argc, char **argv, char *path, unsigned bytes) __attribute__((visibility("hidden")));

#endif
