/* SPDX-License-Identifier: MIT
 *
 * Files that record opens for programs (the session, lists, plans) have names in record's /proc: /proc/PID/fd/N. A program in
 * another root or mount namespace cannot find these names, a program in another user namespace may not open them, and only a
 * descriptor survives exec. So a process that joins keeps a descriptor of each file, with the number DWELL_HELD + N, closed by
 * exec. Just before an exec after which the names would not lead to record, the agent makes exec keep these descriptors. A program
 * may close them: then dwell cannot record the next program, and the agent reports that.
 */
#ifndef DWELL_LINUX_HELD_H
#define DWELL_LINUX_HELD_H

#include <stdbool.h>

#define DWELL_HELD 960 /* below the usual limit of descriptors, above the numbers that programs use */

/* Opens a file by record's name for it, to read or also to write. keeps: holds it from now on. Returns a descriptor, or −errno.
 * Context: when the process begins or joins; a few system calls. */
int held_open(const char *name, bool writes, bool keeps) __attribute__((visibility("hidden")));
/* Before an exec: whether the next program can open this name.
 * Context: any thread; a child of vfork; some system calls. */
bool held_pass_on(const char *name) __attribute__((visibility("hidden")));

#endif
