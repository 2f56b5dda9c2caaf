/* session: the memory that record shares with the programs it records; layout in target/port/os/linux/session.h.
 *
 * A session is memory without a name, so no process can shorten a file under the program. At
 * the end, record writes the contents of a ring or linear recording as a trace file. If record
 * was killed, its heir writes the session as it is; `dwell report` reads that file, too.
 *
 * record does not trust the other side: a program may write anything into the session, at any moment. record keeps
 * sizes and offsets in its own memory. It copies what it reads, checks the copy, and uses the copy (session_read_slot,
 * session_read_machine, figures.h). If the system has no seals, shortened memory reads as zeros (util/guard.h). */
#ifndef DWELL_HOST_RECORD_SESSION_SESSION_H
#define DWELL_HOST_RECORD_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/heir.h"
#include "record/session/owner.h"
#include "record/session/tasks.h"
#include "target/port/os/linux/session.h"
#include "target/recorder/ring.h"
#include "util/diag.h"

#define SESSION_PAGE 4096u

struct session_options {
	enum dwell_mode mode;
	uint32_t slot_count; /* the number of rings: threads that can record at a time; with a path: threads whose data stays */
	uint64_t ring_bytes; /* bytes of data in a ring: a power of two, at least two blocks */
	uint64_t journal_bytes; /* 0: the default */
	/* The file that record, or else the heir (heir.h), writes a ring or linear recording to. Null: none. */
	const char *path;
};

/* The machine of the recorded programs, as the first recording thread describes it. */
struct session_machine {
	uint32_t machine; /* ELF e_machine */
	uint32_t pointer_bytes, clock_bits, clock_flags;
	uint64_t clock_hz; /* 0: unknown, measure it */
};

/* A slot of a session describes the thread of one ring (struct dwell_session_slot). An event of a ring is called a slot, too. */
struct session {
	struct dwell_session *shared;
	uint64_t bytes;
	uint64_t journal_offset, journal_bytes, rings_offset;
	uint64_t ring_bytes, slot_bytes; /* size of a ring's data, without its header; distance from one ring to the next */
	uint32_t slot_count; /* may be fewer than requested if the address space is limited */
	enum dwell_mode mode;
	uint32_t args; /* number of arguments to record of each call; 0: none */
	uint64_t created_ns; /* CLOCK_MONOTONIC */
	struct session_machine *machine; /* machine->machine is 0 until session_read_machine has succeeded */
	int fd;
	bool is_kept; /* there is a path: record reads the contents at the end */
	struct heir heir;
	char *name; /* value of DWELL_SESSION in the programs' environment */
	struct owner owner;
	struct tasks *tasks; /* null: no memory; numbers stay as agents wrote them */
};

/* Makes the session, and with a path its heir. The calling thread becomes the owner: agents stop waiting for record when this
 * thread ends, and only this thread may call free_session. Null and a diag: no memory, no permission. A warning in diag: no heir.
 * Leaves no file behind. */
struct session *make_session(const struct session_options *options, struct diag *diag);
/* Closes the session, ends the heir, and frees the memory. session may be null. */
void free_session(struct session *session);
/* Ends recording: programs notice at their next event, and turn their hooks off. */
void session_close(struct session *session);
/* Makes the next event of each thread take the slow path, which reads the session's state and order.
 * closed: makes all later events take the slow path, and wakes threads that wait for room in their rings. */
void session_force_slow_path(struct session *session, bool closed);

/* Wakes the ring's thread if it sleeps for lack of room. */
void session_wake(struct dwell_ring *ring);

/* Reads the machine from the header; record's own machine if the header has impossible values. False: no thread has recorded
 * yet. Once true, later calls give the same machine, whatever the program writes meanwhile. */
bool session_read_machine(const struct session *session, struct session_machine *machine);
/* The largest value that a counter of events, calls or nanoseconds can have by now, with one event per nanosecond on each
 * processor since make_session. Larger values are forged. */
uint64_t session_count_max(const struct session *session);

/* A copy of the slot; the slot's name ends with a zero, and pid and tid are translated (tasks.h). */
struct dwell_session_slot session_read_slot(const struct session *session, uint32_t index);

/* The slot in shared memory, to write to or to wait for. */
static inline struct dwell_session_slot *session_slot(const struct session *session, uint32_t index)
{
	return (struct dwell_session_slot *)((unsigned char *)session->shared + SESSION_PAGE) + index;
}

static inline struct dwell_ring *session_ring(const struct session *session, uint32_t index)
{
	return (struct dwell_ring *)((unsigned char *)session->shared + session->rings_offset +
				     index * session->slot_bytes);
}

/* The number of slots to look at: the highest slot that was ever taken, plus 1; at most slot_count. */
static inline uint32_t session_slots_used(const struct session *session)
{
	uint32_t used = __atomic_load_n(&session->shared->slots_used, __ATOMIC_ACQUIRE);

	return used < session->slot_count ? used : session->slot_count;
}

/* enum dwell_session_slot_state */
static inline uint32_t session_slot_state(const struct session *session, uint32_t index)
{
	return dwell_session_state_of(__atomic_load_n(&session_slot(session, index)->state, __ATOMIC_ACQUIRE));
}

#endif
