/* SPDX-License-Identifier: MIT
 *
 * The next definition of a name. A header of its own, since the C library's <link.h>, which image.h needs, and the kernel's headers
 * contradict each other.
 */
#ifndef DWELL_LINUX_NEXT_H
#define DWELL_LINUX_NEXT_H

#include <stdbool.h>
#include <stddef.h>

struct dl_phdr_info;

/* The address of the next definition of name in load order, behind the file that this is in, as dlsym(RTLD_NEXT, …) finds it where that is
 * there; also in files that were loaded locally. Only where none is behind it, the first one in front: an agent that was brought into a
 * process comes last. Null: there is none, or no dynamic linker.
 * Context: takes the loader's lock; never from a signal handler. */
void *next_find(const char *name) __attribute__((visibility("hidden")));

/* Whether the C library is GNU's. Others, as musl, pass constructors no arguments, and lack most of what an agent asks for: it does nothing
 * there but call what it stands in front of.
 * Context: any; a comparison. */
bool next_is_glibc(void) __attribute__((visibility("hidden")));

/* The C library's dl_iterate_phdr, whatever else has that name: a program may define one that calls the agent's, or one that must not be
 * called as early as the agent begins (those of sanitizers). 0 where there is none.
 * Context: takes the loader's lock; never from a signal handler. */
int next_list_files(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data) __attribute__((visibility("hidden")));

#endif
