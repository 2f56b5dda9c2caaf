/* guard: files in memory that others may shorten while they are mapped here. Whoever reads behind the new end is sent SIGBUS, and dies;
 * with a guard he reads zeros, and it can be asked afterwards whether that happened.
 *
 * For what is shared with recorded programs. Files whose bytes are copied once are better read. */
#ifndef DWELL_HOST_UTIL_GUARD_H
#define DWELL_HOST_UTIL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Of a mapping that begins at memory, until guard_remove, which comes before munmap. False: there are too many (GUARDS_MAX), and this one
 * has none. Any thread. */
#define GUARDS_MAX 16
bool guard_add(void *memory, size_t bytes);
/* Whether something of it was gone. */
bool guard_was_cut(const void *memory);
void guard_remove(const void *memory);

/* Where the file is memory only (memfd_create with MFD_ALLOW_SEALING), and has its size: nobody can shorten it from here on; is_done: nor
 * write to it. */
void guard_seal(int fd, bool is_done);

#endif
