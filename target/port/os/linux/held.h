/* SPDX-License-Identifier: MIT
 *
 * Files that record opens for programs (the session, lists, plans) have names in record's /proc: /proc/PID/fd/N. The name of a
 * session may be /proc/PID/fd/N:FILE; FILE is where record will write the session. A program in another root or mount namespace
 * cannot find these names, a program in another user namespace may not open them, and only a descriptor survives exec. So a process
 * that joins a session at its start keeps a descriptor of each file, with the number DWELL_HELD + N, closed by exec. If the names
 * no longer lead to record just before an exec, the agent makes exec keep these descriptors. A program may close the descriptors:
 * then dwell cannot record the next program, and the agent reports the program.
 */
#ifndef DWELL_LINUX_HELD_H
#define DWELL_LINUX_HELD_H

#include <stdbool.h>

#define DWELL_HELD 960 /* below the usual limit of descriptors, above the numbers that programs use */

/* Opens record's file of this name, to read or also to write; if the name leads nowhere, duplicates the held descriptor. keeps:
 * also holds the file from now on. Returns a descriptor, which the caller closes, or −errno.
 * Context: when the process begins or joins; a few system calls. */
int held_open(const char *name, bool writes, bool keeps) __attribute__((visibility("hidden")));
/* Before an exec: returns whether the next program can open this name, or will have the held descriptor instead. If the name does
 * not open, the next exec keeps the descriptors of all held files.
 * Context: any thread; a child of vfork; some system calls. */
bool held_pass_on(const char *name) __attribute__((visibility("hidden")));

#endif
