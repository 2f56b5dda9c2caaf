/* SPDX-License-Identifier: MIT
 *
 * What the process was started with, for code that has no libc.
 */
#ifndef DWELL_LINUX_ENVIRONMENT_H
#define DWELL_LINUX_ENVIRONMENT_H

/* The name of the session to join (DWELL_SESSION). Null: there is none, or the program has rights that whoever started it may not have
 * (set-uid, set-gid, capabilities of its file): the kernel says so (AT_SECURE), and the environment is not believed. The name is then taken
 * out of the environment, as the dynamic linker does with its own, so that programs started from there do not follow it either.
 * Context: a constructor, with the arguments that it was called with. No system call where the kernel gives AT_SECURE. */
const char *environment_session(int argc, char **argv, char **envp) __attribute__((visibility("hidden")));

#endif
