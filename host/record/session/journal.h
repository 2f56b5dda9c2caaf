/* journal: reads the session's journal, in each sweep. Agents append entries for what is no event: processes, modules, threads,
 * clock points, texts, facts. record copies the entries to the trace file, and passes some to a listener. */
#ifndef DWELL_HOST_RECORD_SESSION_JOURNAL_H
#define DWELL_HOST_RECORD_SESSION_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"
#include "writer/trace/dwell.h"

/* The longest payload of an entry: a fact of record, such as the command line. Agents write 4 KiB at most. */
#define JOURNAL_PAYLOAD_BYTES_MAX 65536u

/* A hole: an entry that an agent has claimed and not filled in yet. The scheduler may stop the agent's thread there for long,
 * and record needs the entries behind the hole: this sweep writes events that depend on them. So record skips the hole, and
 * reads the entry when the agent has filled it in. Until then, no event that depends on the entry is in a ring. */
struct journal_hole {
	uint64_t pos, since_ns;
};
#define JOURNAL_HOLES_MAX 64

struct journal {
	const struct session *session;
	uint64_t pos;         /* record has read the journal up to here */
	uint64_t damaged;     /* malformed or overwritten entries, and entries that were not filled in within JOURNAL_PATIENCE_NS */
	uint32_t next_stream; /* next stream number, for threads in the journal whose data is lost */
	uint64_t given_up;    /* number of these threads */
	struct journal_hole holes[JOURNAL_HOLES_MAX]; /* the oldest first */
	uint32_t hole_count;
	uint64_t released;    /* bytes of the journal's memory that record gave back to the system */
};

/* Receives entries of the journal. process: index of the process in the session. The data are valid during the call. */
struct journal_listener {
	/* A process has announced itself, as it does once for each program that it runs. Not null. */
	void (*on_process)(void *context, const struct message_process *process);
	/* A file with hooks was mapped, or unmapped. May be null. */
	void (*on_hooks)(void *context, const struct message_module *module);
	/* A program with rights of its own (set-uid ...) was started and is not recorded. path: the program. May be null. */
	void (*on_privileged)(void *context, uint32_t process, const char *path);
	/* A program was started that cannot reach record. path: the program. May be null. */
	void (*on_unreached)(void *context, uint32_t process, const char *path);
	/* A program was started with an environment without the session, or without the agent in LD_PRELOAD. May be null. */
	void (*on_unloaded)(void *context, uint32_t process, const char *path);
	void (*on_unpreloaded)(void *context, uint32_t process, const char *path);
	/* A process has stopped recording for good: confined.c of the agent. May be null. */
	void (*on_confined)(void *context, uint32_t process, const char *how);
	/* An agent waits for a plan: "NUMBER KIND LOW PATH" (target/port/os/linux/plans.h). May be null. */
	void (*on_plan_wanted)(void *context, uint32_t process, const char *request);
	void *context;
};

/* How long an agent may take to fill in an entry; a microsecond is usual. After that, record assumes that the agent's
 * process was killed, and leaves the entry out. record waits at a hole only if there are JOURNAL_HOLES_MAX earlier holes. */
#define JOURNAL_PATIENCE_NS UINT64_C(1000000000)

/* Copies new entries to the file, and calls the listener; with writer null, only calls the listener. now_ns: CLOCK_MONOTONIC.
 * final: no agent writes any more. Copies clock points only if record cannot read the agents' clock, and never copies facts
 * (INFO), since record writes its own facts to the trace. Errors of the disk are in the writer. */
void journal_copy(struct journal *journal, struct trace_writer *writer, uint64_t now_ns, bool final,
	const struct journal_listener *listener);

/* Adds an entry from record's side; kind and payload: as in format.h. bytes: at most JOURNAL_PAYLOAD_BYTES_MAX. False: the
 * journal is full. */
bool journal_add(const struct session *session, uint32_t kind, const void *payload, uint32_t bytes);

#endif
