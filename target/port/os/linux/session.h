/* SPDX-License-Identifier: MIT
 *
 * The session: the memory that `dwell record` shares with the programs it records. One file in memory, made by record, mapped by the
 * agent of each process of the tree; never on disk, so there is nothing to clean up.
 *
 *     header · slot table · journal · rings (slot_count × slot_bytes, sparse: pages come with use)
 *
 * Its name reaches the agent in the environment as DWELL_SESSION=/proc/PID/fd/N.
 *
 * Who writes what: record makes it and sets closed; it or `dwell attach` gives orders; agents take slots (state, by
 * compare-exchange), append to the journal and write their rings; record moves consumed and gives slots of ended threads back. All words
 * that both sides write are single aligned words.
 */
#ifndef DWELL_LINUX_SESSION_H
#define DWELL_LINUX_SESSION_H

#include <stdint.h>

#define DWELL_SESSION_ENV "DWELL_SESSION"
#define DWELL_SESSION_MAGIC 0x4e4f495353455344ull
#define DWELL_SESSION_VERSION 1u
#define DWELL_RING_HEADER_BYTES 4096u

enum dwell_session_slot_state {
	DWELL_SESSION_FREE = 0,  /* record → agent */
	DWELL_SESSION_TAKEN = 1, /* an agent fills in the rest */
	DWELL_SESSION_LIVE = 2,  /* agent → record: the ring is valid */
};

struct dwell_session_slot {
	volatile uint32_t state;
	uint32_t process; /* index of the process in the session */
	uint32_t pid;
	uint32_t tid;
	uint64_t begin_ticks;
	uint64_t soiled; /* its ring may hold something else than zeros; stays with the slot */
	char name[16];   /* of the thread, when it began */
	uint64_t thread; /* address of its struct dwell_thread; for its own agent */
	uint64_t unused_too[1];
};

/* One entry of the journal: what agents tell beside events. kind and payload are those of the trace file (format.h): MODULE, PROCESS,
 * CLOCK; record copies them. An entry is there from the moment that its claim is, so whoever is killed while he fills it in blocks
 * nobody. */
struct dwell_session_entry {
	volatile uint32_t ready; /* set last */
	uint32_t kind;
	volatile uint64_t claim; /* set first, by compare-exchange from 0: process, and bytes of the payload (a multiple of 8) << 32 */
};

struct dwell_session {
	uint64_t magic;
	uint32_t version;
	uint32_t header_bytes; /* slot table begins here */
	uint64_t bytes;        /* of the whole session */
	uint64_t journal_offset;
	uint64_t journal_bytes;
	uint64_t rings_offset;
	uint64_t slot_bytes; /* of one ring, header page included */
	uint32_t slot_count;
	uint32_t mode; /* enum dwell_mode */

	/* What the recording processes are, set by the first that records: others must be the same. */
	volatile uint32_t machine; /* ELF e_machine; 0: none yet */
	uint32_t pointer_bytes;
	uint32_t clock_bits;
	uint32_t clock_flags;
	uint64_t clock_hz; /* 0: to be measured */
	volatile uint32_t machine_ready;

	volatile uint32_t closed;        /* record ended: do not record any more */
	volatile uint32_t order;         /* bit 0: record; the others count up with each change. Looked at on the slow path, like closed */
	volatile uint32_t followed;      /* the order that record has carried out */
	uint32_t owner_pid;              /* who drains it */
	volatile uint64_t journal_pos;   /* bytes claimed in the journal */
	volatile uint32_t process_count;
	volatile uint32_t slots_used;    /* highest slot ever taken + 1 */
	volatile uint64_t agents;        /* processes that mapped it, hooks or not */
	volatile uint64_t unmappable;    /* processes that had no room for it */
	volatile uint64_t hooked_modules;
	volatile uint64_t own_hooks;      /* programs that have hook functions of their own, and keep them */
	volatile uint64_t lost_threads;  /* threads that got no ring */
	volatile uint64_t lost_events;   /* their events */
	volatile uint64_t lost_setup;    /* events of threads that could not record yet: in handlers, at the start of a forked child */
	volatile uint64_t lost_modules;  /* entries that found the journal full */
	volatile uint64_t refused_machines; /* processes of another machine or clock */
};

static inline struct dwell_session_slot *dwell_session_slots(struct dwell_session *session)
{
	return (struct dwell_session_slot *)((unsigned char *)session + session->header_bytes);
}

static inline void *dwell_session_ring(struct dwell_session *session, uint32_t slot)
{
	return (unsigned char *)session + session->rings_offset + (uint64_t)slot * session->slot_bytes;
}

#endif
