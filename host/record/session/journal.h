/* journal: what agents tell beside events → the trace file. */
#ifndef DWELL_HOST_RECORD_SESSION_JOURNAL_H
#define DWELL_HOST_RECORD_SESSION_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"
#include "writer/trace/dwell.h"

/* An entry that was claimed and not filled in yet. Whoever claimed it may be stopped for long just there, and what others tell meanwhile is
 * wanted: the events behind it are written already. So it is passed by, and read when it is ready: nothing that its teller does next can be
 * in a ring before that. */
struct journal_hole {
	uint64_t pos, since_ns;
};
#define JOURNAL_HOLES_MAX 64

struct journal {
	const struct session *session;
	uint64_t pos;         /* read so far */
	uint64_t damaged;     /* entries that say what cannot be, or were never filled in */
	uint32_t next_stream; /* for threads that are told here: those whose data was given up */
	uint64_t given_up;    /* as many were told */
	struct journal_hole holes[JOURNAL_HOLES_MAX]; /* passed by, the oldest first */
	uint32_t hole_count;
	uint64_t released;    /* of its memory, bytes given back to the system */
};

/* Who wants to know what is told. */
struct journal_listener {
	/* A process told its name: what is written about it now, and again when it ended. */
	void (*on_process)(void *context, const struct message_process *process);
	/* A file that has hooks was mapped, or unmapped. May be null. */
	void (*on_hooks)(void *context, const struct message_module *module);
	/* A program was started that has rights of its own, and takes no part: its path. May be null. */
	void (*on_privileged)(void *context, const char *path);
	/* An agent waits for a plan: "NUMBER KIND PATH" (target/port/os/linux/plans.h). May be null. */
	void (*on_plan_wanted)(void *context, const char *request);
	void *context;
};

/* An entry that is claimed and not filled in after this is left out: its process was killed. A microsecond is usual. Beyond so many of them
 * the next one is waited for. */
#define JOURNAL_PATIENCE_NS UINT64_C(1000000000)

/* Copies what is new, and with no writer only listens; final: nobody writes any more. Clock points only where record cannot read the
 * agents' clock itself; facts (INFO) never: whoever writes the trace tells them. */
void journal_copy(struct journal *journal, struct trace_writer *writer, uint64_t now_ns, bool final,
	const struct journal_listener *listener);

/* Tells something from record's side: kind and payload as in format.h. False: the journal is full. */
bool journal_tell(const struct session *session, uint32_t kind, const void *payload, uint32_t bytes);

#endif
