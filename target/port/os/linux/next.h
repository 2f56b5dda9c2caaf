/* SPDX-License-Identifier: MIT
 *
 * Finds the next definition of a name. A header of its own, since the C library's <link.h>, which image.h needs, conflicts
 * with the kernel's headers.
 */
#ifndef DWELL_LINUX_NEXT_H
#define DWELL_LINUX_NEXT_H

#include <stdbool.h>
#include <stddef.h>

struct dl_phdr_info;

/* Returns the address of the next definition of name in load order, after the agent's file, like dlsym(RTLD_NEXT, …); but also from
 * files loaded locally. If none follows, returns the first definition before the agent: an injected agent comes last. Null: no
 * definition, or no dynamic linker.
 * Context: takes the loader's lock; never from a signal handler. */
void *next_find(const char *name) __attribute__((visibility("hidden")));

/* Whether the C library is GNU's. Others, such as musl, pass no arguments to constructors and lack most functions that the agent
 * needs: there the agent only forwards calls to the wrapped functions.
 * Context: any; a comparison. */
bool next_is_glibc(void) __attribute__((visibility("hidden")));

/* Calls the C library's own dl_iterate_phdr. A definition in the program will not do: it may call the agent's, or may not be
 * callable as early as the agent begins (sanitizers). Returns the result of dl_iterate_phdr; 0: the C library has no such function.
 * Context: takes the loader's lock; never from a signal handler. */
int next_list_files(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data) __attribute__((visibility("hidden")));

#endif
