/* followed: the processes of the tree, and which of them the recording waits for when the program itself has ended: daemons, what a
 * shell left in the background.
 *
 * It waits for a process that still has the session mapped (one that called exec on a program without an agent has not) and that records:
 * it has hooks, or it started one that has, as a shell does. One that never recorded anything, such as a helper that the program started
 * for good, is not waited for. */
#ifndef DWELL_HOST_RECORD_PROGRAM_FOLLOWED_H
#define DWELL_HOST_RECORD_PROGRAM_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/session/session.h"

struct followed_process {
	uint32_t process, pid, parent_pid;
	bool counts;        /* it has hooks, or has started one that has */
	bool unmapped;      /* it has not mapped the session: it is about to become another program, or has become one without agent */
	uint64_t since_ns;  /* it is what it is; of a new one it is not known yet */
};

/* Zero it before the first use. */
struct followed {
	struct followed_process *list; /* those that may be alive */
	size_t count, capacity;
	size_t tidy_at;
	uint64_t forks_told; /* of the session, before the journal was read last: who is counted here is in the list */
};

/* A process that is new, or new without the session, may be about to call exec, or to fork: so long it is waited for in any case. */
#define FOLLOWED_PATIENCE_NS UINT64_C(500000000)

/* Before the journal is read. */
void followed_begin_look(struct followed *followed, const struct session *session);
/* What the journal says: for its listener. */
void followed_add(struct followed *followed, const struct message_process *process, uint64_t now_ns);
void followed_has_hooks(struct followed *followed, uint32_t process);

/* Whether the process with this number is still the one with this index, as far as it is known: exec makes another one of it. */
bool followed_is_current(const struct followed *followed, uint32_t pid, uint32_t process);

/* How many processes the recording waits for. *soon: it may be over soon: none that counts is left, but some may come to count. Reads
 * /proc: a tenth of a millisecond for each that is alive. */
size_t followed_left(struct followed *followed, const struct session *session, uint64_t now_ns, bool *soon);
void followed_clear(struct followed *followed);

#endif
