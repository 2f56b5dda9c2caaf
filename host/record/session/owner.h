/* owner: makes the kernel write into a word of shared memory when this thread ends, even if it is killed, and before any
 * process has waited for it. Replaces the C library's robust list of the thread: the thread must have no robust mutexes. */
#ifndef DWELL_HOST_RECORD_SESSION_OWNER_H
#define DWELL_HOST_RECORD_SESSION_OWNER_H

#include <stdint.h>

/* The robust list in the kernel's layout, in this process's own memory: no other process can mislead the kernel. */
struct owner {
	struct {
		struct owner_link {
			struct owner_link *next;
		} first;
		long offset; /* from a link to its word */
		struct owner_link *pending;
	} list;
	struct owner_link link;
};

/* Sets the word to the calling thread's number. The kernel sets DWELL_SESSION_OWNER_DIED in the word when the thread
 * ends. The word is 0 if the kernel cannot do that. owner must not move, and the word must stay mapped, until the same
 * thread calls owner_end. */
void owner_begin(struct owner *owner, volatile uint32_t *word);
/* Ends the kernel's notice; the word stays as it is. Does nothing if owner is zeroed. */
void owner_end(struct owner *owner);

#endif
