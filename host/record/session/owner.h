/* owner: has the kernel say in a word of shared memory that this thread is gone, whatever it died of, and before anybody has waited for the
 * process. By the thread's robust list, which is then not the C library's: it must have no robust mutexes. */
#ifndef DWELL_HOST_RECORD_SESSION_OWNER_H
#define DWELL_HOST_RECORD_SESSION_OWNER_H

#include <stdint.h>

/* As the kernel reads it, in memory of our own: nobody else can lead it astray. */
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

/* The word gets the number of the thread that calls, and DWELL_SESSION_OWNER_DIED when that is gone; 0 where the kernel cannot. owner stays
 * where it is until owner_end, by the same thread. */
void owner_begin(struct owner *owner, volatile uint32_t *word);
void owner_end(struct owner *owner);

#endif
