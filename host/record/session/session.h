/* session: the memory that record shares with the programs it records; layout in target/port/os/linux/session.h.
 *
 * Of a stream recording it is memory only. Of a ring or linear recording it is the file that is recorded to: whoever is killed, what was
 * committed is there, and `dwell report` reads it as it is.
 *
 * The other side is not trusted: a program may write anything into it, at any moment. Sizes and offsets are kept here; what is read there
 * is copied first, checked, and used from the copy (session_read_slot, session_read_machine, figures.h). Memory is sealed against being
 * shortened; a file cannot be, and reads as zeros then (util/guard.h). */
#ifndef DWELL_HOST_RECORD_SESSION_SESSION_H
#define DWELL_HOST_RECORD_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/owner.h"
#include "target/port/os/linux/session.h"
#include "target/recorder/ring.h"
#include "util/diag.h"

#define SESSION_PAGE 4096u

struct session_options {
	enum dwell_mode mode;
	uint32_t slot_count; /* rings: threads that record at the same time; of a file: threads whose data is kept */
	uint64_t ring_bytes; /* of data in a ring: a power of two, at least two blocks */
	uint64_t journal_bytes; /* 0: as is usual */
	/* The file; null: memory only. It appears under this name when it is complete, and takes the place of one that was there. All of
	 * its space is there then, so that no disk that fills up can take it away from the program. */
	const char *path;
};

/* What the recorded programs run on, as the first thread that recorded says. */
struct session_machine {
	uint32_t machine; /* ELF e_machine */
	uint32_t pointer_bytes, clock_bits, clock_flags;
	uint64_t clock_hz; /* 0: to be measured */
};

struct session {
	struct dwell_session *shared;
	uint64_t bytes;
	uint64_t journal_offset, journal_bytes, rings_offset;
	uint64_t ring_bytes;
	uint32_t slot_count; /* may be fewer than was asked for, where the address space is limited; of a file it is as asked for */
	enum dwell_mode mode;
	uint32_t args; /* arguments that are wanted of each call */
	uint64_t made_ns; /* CLOCK_MONOTONIC */
	struct session_machine *machine; /* its machine is 0 as long as nobody has asked when it was known */
	int fd;
	bool is_file;
	char *name; /* for DWELL_SESSION */
	struct owner owner;
};

/* Null and a diag (no room in memory, on the disk, no permission) on failure; then no file was touched. */
struct session *make_session(const struct session_options *options, struct diag *diag);
void free_session(struct session *session);
/* Nothing is recorded any more: programs that go on notice at their next event, and turn their hooks off. */
void session_close(struct session *session);
/* The next event of each thread takes the slow path, and looks at what the session says; closed: so does every later one. */
void session_stale(struct session *session, bool closed);

/* Wakes the ring's thread, if it sleeps until there is room. */
void session_wake(struct dwell_ring *ring);

/* False: nobody has recorded yet. Asked again it says the same, whatever is written there meanwhile. */
bool session_read_machine(const struct session *session, struct session_machine *machine);
/* What one event each can have made of a count by now, on all processors: it takes a nanosecond at least. Larger ones are forged. */
uint64_t session_count_max(const struct session *session);

/* A copy of the slot; its name ends with a zero. */
struct dwell_session_slot session_read_slot(const struct session *session, uint32_t index);

/* To be written, or to be waited for. */
static inline struct dwell_session_slot *session_slot(const struct session *session, uint32_t index)
{
	return (struct dwell_session_slot *)((unsigned char *)session->shared + SESSION_PAGE) + index;
}

static inline struct dwell_ring *session_ring(const struct session *session, uint32_t index)
{
	return (struct dwell_ring *)((unsigned char *)session->shared + session->rings_offset +
				     (uint64_t)index * (session->ring_bytes + DWELL_RING_HEADER_BYTES));
}

/* Slots behind these were never taken. */
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
