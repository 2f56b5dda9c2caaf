/* SPDX-License-Identifier: MIT
 *
 * Reads how the process was started, without libc.
 */
#ifndef DWELL_LINUX_ENVIRONMENT_H
#define DWELL_LINUX_ENVIRONMENT_H

/* Returns the name of the session to join (DWELL_SESSION). Null: none, or the program has more rights than its user (set-uid,
 * set-gid, capabilities of the file; the kernel reports this by AT_SECURE): then the environment cannot be trusted. In this case
 * the function also removes the name from the environment, as the dynamic linker removes its own names, to keep programs started
 * from here from using it.
 * Context: a constructor, with that constructor's arguments. No system call if the kernel gives AT_SECURE. */
const char *environment_session(int argc, char **argv, char **envp) __attribute__((visibility("hidden")));
/* Writes the path of the program's file: the file started, or passed to a dynamic linker (ld-linux.so PROGRAM). Empty: unknown.
 * Context: with the arguments of a constructor; one system call, or a few for a program started by its dynamic linker. */
void environment_write_program(int argc, char **argv, char *path, unsigned bytes) __attribute__((visibility("hidden")));

#endif
