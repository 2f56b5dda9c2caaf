/* SPDX-License-Identifier: MIT
 *
 * The next definition of a name. A header of its own, since the C library's <link.h>, which image.h needs, and the kernel's headers
 * contradict each other.
 */
#ifndef DWELL_LINUX_NEXT_H
#define DWELL_LINUX_NEXT_H

/* The address of the next definition of name in load order, as dlsym(RTLD_NEXT, …) finds it where that is there; also in files that were
 * loaded locally. Null: there is none, or no dynamic linker.
 * Context: takes the loader's lock; never from a signal handler. */
void *next_find(const char *name) __attribute__((visibility("hidden")));

#endif
