/* SPDX-License-Identifier: MIT
 *
 * Finds the files that a program has opened with dlmopen: each such namespace has its own list of files, with a C library of its
 * own. dl_iterate_phdr lists only the caller's namespace. glibc 2.35 and later chain the lists, for debuggers.
 */
#ifndef DWELL_LINUX_NAMESPACES_H
#define DWELL_LINUX_NAMESPACES_H

#include <link.h>
#include <stdbool.h>

/* Returns what the dynamic linker tells debuggers about the agent's namespace; null: no dynamic linker.
 * Context: the first call takes the loader's lock. */
const struct r_debug *namespaces_debug(void) __attribute__((visibility("hidden")));

/* Whether no namespace is in the middle of a change of its files. pre: the caller is in the dynamic linker. */
bool namespaces_are_consistent(void) __attribute__((visibility("hidden")));

/* Lists the files of all namespaces except the agent's, until each returns another value than 0. In the argument size, each gets 0.
 * Context: takes the loader's lock; never from a signal handler. */
void namespaces_list_files(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data)
	__attribute__((visibility("hidden")));

/* Lets the hook names of the C libraries in these namespaces lead to the agent's exported entries: so the dynamic linker binds the
 * hook calls as in the agent's namespace. pre: as above, before constructors of new files run. */
void namespaces_bind_hooks(void) __attribute__((visibility("hidden")));

#endif
