/* session: the memory that record shares with the programs it records; layout in target/port/os/linux/session.h.
 *
 * The other side is not trusted: a program may write anything into it. Sizes and offsets are kept here, and what is read there is
 * checked against them. */
#ifndef DWELL_HOST_RECORD_SESSION_H
#define DWELL_HOST_RECORD_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "target/port/os/linux/session.h"
#include "target/recorder/ring.h"
#include "util/diag.h"

struct session {
	struct dwell_session *shared;
	uint64_t bytes;
	uint64_t journal_offset, journal_bytes, rings_offset;
	uint64_t ring_bytes; /* of data in a ring: a power of two */
	uint32_t slot_count;
	int fd;
	char name[64]; /* for DWELL_SESSION */
};

/* slot_count rings of ring_bytes (a power of two) each. Memory is taken as it is written to. Null and a diag on failure. */
struct session *make_session(uint32_t slot_count, uint64_t ring_bytes, enum dwell_mode mode, struct diag *diag);
void free_session(struct session *session);
/* Nothing is recorded any more: programs that go on notice at their next event, and turn their hooks off. */
void session_close(struct session *session);
/* The next event of each thread takes the slow path, and looks at what the session says; closed: so does every later one. */
void session_stale(struct session *session, bool closed);

static inline struct dwell_session_slot *session_slot(const struct session *session, uint32_t index)
{
	return (struct dwell_session_slot *)((unsigned char *)session->shared + sizeof *session->shared) + index;
}

static inline struct dwell_ring *session_ring(const struct session *session, uint32_t index)
{
	return (struct dwell_ring *)((unsigned char *)session->shared + session->rings_offset +
				     (uint64_t)index * (session->ring_bytes + DWELL_RING_HEADER_BYTES));
}

#endif
