/* guard: protects mappings of memory files that other processes may shorten. An access past the new end raises SIGBUS, which kills
 * the process. With a guard the access reads zeros, and guard_was_truncated reports the event afterwards.
 *
 * For memory shared with recorded programs. If a file's bytes are copied once, read the file instead. */
#ifndef DWELL_HOST_UTIL_GUARD_H
#define DWELL_HOST_UTIL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Guards the mapping at memory until guard_remove, which must precede munmap.
 * Returns false without a guard after GUARDS_MAX guards. Any thread. */
#define GUARDS_MAX 16
bool guard_add(void *memory, size_t bytes);
/* Returns whether an access to the mapping at memory has found a part missing. False also without a guard. */
bool guard_was_truncated(const void *memory);
/* Ends the guard of the mapping at memory; does nothing without a guard. */
void guard_remove(const void *memory);

/* Each value includes the restrictions of the values before. */
enum guard_seals {
	GUARD_BEGINNING,  /* no process can shorten the file from now on … */
	GUARD_SIZE,       /* … nor lengthen it … */
	GUARD_SIZE_ALONE, /* … nor add further seals … */
	GUARD_ALL,        /* … nor write to it */
};
/* Seals a memory file (memfd_create with MFD_ALLOW_SEALING) that has its final size. */
void guard_seal(int fd, enum guard_seals seals);

#endif
