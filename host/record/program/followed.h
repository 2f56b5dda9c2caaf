/* followed: a list of the program's process and its descendants. When the program itself has ended, record
 * finds out here whether to wait for other processes: daemons, and processes that a shell left in the background.
 *
 * The recording waits for a process that still has the session mapped (exec of a program without an agent unmaps
 * the session) and that records: a process with hooks, or one that started a process with hooks, as a shell does.
 * The recording does not wait for a process that never recorded, such as a helper that the program left running. */
#ifndef DWELL_HOST_RECORD_PROGRAM_FOLLOWED_H
#define DWELL_HOST_RECORD_PROGRAM_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/session/session.h"

struct followed_process {
	uint32_t process, pid, parent_pid;
	bool counts;        /* the process has hooks, or has started a process with hooks */
	bool unmapped;      /* the session is not mapped: the process is about to call exec, or runs a program without agent */
	uint64_t since_ns;  /* when the process was announced, or was first found without the session */
};

/* Zero the struct before the first use. */
struct followed {
	struct followed_process *list; /* processes that may be alive */
	size_t count, capacity;
	size_t drop_ended_at; /* length of the list at which ended processes are removed next */
	/* The session's count of announced forks before the last read of the journal: all are in the list. */
	uint64_t forks_reported;
};

/* The recording waits so long for a new process, and for a process that has
 * just unmapped the session: both may be about to call exec or fork. */
#define FOLLOWED_PATIENCE_NS UINT64_C(500000000)

/* Call before each read of the journal: reads the number of forks so far. */
void followed_read_forks(struct followed *followed, const struct session *session);
/* Entries of the journal, from its listener: a process, or a file with hooks in a process. */
void followed_add(struct followed *followed, const struct message_process *process, uint64_t now_ns);
void followed_set_hooks(struct followed *followed, uint32_t process);

/* Whether the process with this pid still has this index: exec gives the process another index. True also for an unknown pid. */
bool followed_is_current(const struct followed *followed, uint32_t pid, uint32_t process);

/* The number of processes for which the recording waits. *soon: the number may soon rise, since there
 * are new or forked processes. Reads /proc: a tenth of a millisecond for each live process. */
size_t followed_count_recording(struct followed *followed, const struct session *session, uint64_t now_ns, bool *soon);
void followed_clear(struct followed *followed);

#endif
