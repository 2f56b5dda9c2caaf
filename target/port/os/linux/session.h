/* SPDX-License-Identifier: MIT
 *
 * The session: what `dwell record` shares with the programs it records. Made by record, mapped by the agent of each process of the tree.
 *
 *     header page · slot table · journal · rings (slot_count × slot_bytes)
 *
 * A stream recording has it in memory only, sparse: pages come with use. A ring or linear recording has it in the file that is recorded
 * to, with all of its space there from the start, so that what was committed is in the file whoever is killed. Where its fields stand is
 * part of the file format: dwell/session.h, FORMAT.md.
 *
 * Its name reaches the agent in the environment as DWELL_SESSION=/proc/PID/fd/N, and behind a colon the file's own, if it has one: that
 * one serves when record is gone.
 *
 * Who writes what: record makes it and sets closed; it or `dwell attach` gives orders; agents take slots (state, by compare-exchange),
 * append to the journal and write their rings; record moves consumed, gives slots of ended threads back (stream) or says that they have
 * ended (ring, linear). All words that both sides write are single aligned words.
 */
#ifndef DWELL_LINUX_SESSION_H
#define DWELL_LINUX_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "dwell/session.h"

#define DWELL_SESSION_ENV "DWELL_SESSION"
/* A fact of the journal: a program was started that has rights of its own, and takes no part. */
#define DWELL_PRIVILEGED_KEY "privileged-program"

/* How calls arrive. */
enum dwell_hooks {
	DWELL_HOOKS_CYG = 1,        /* -finstrument-functions */
	DWELL_HOOKS_FENTRY = 2,     /* -mfentry -minstrument-return */
	DWELL_HOOKS_XRAY = 4,       /* -fxray-instrument */
	DWELL_HOOKS_ENTRY_ONLY = 8, /* functions that have something like a site at their entry and none at their exits, left alone */
	DWELL_HOOKS_ENTRIES = 16,   /* functions that have a site at their entry alone: their calls are counted */
	DWELL_HOOKS_UNFOUND = 32,   /* functions that call __fentry__ and are not in the unwind tables, left alone */
	DWELL_HOOKS_DOUBLED = 64,   /* functions that call hooks and have sites, too, which are left alone */
	DWELL_HOOKS_PLANNED = 128,  /* none were there: the code was changed by a plan (plan.h) */
	DWELL_HOOKS_UNFIT = 256,    /* there was a plan, and the code in memory is not what it was made for */
};

struct dwell_session_slot {
	/* enum dwell_session_slot_state. High half: TAKEN: process id of the one who took it (if that is gone, the slot is free); LIVE and
	 * ENDED: thread id. So a compare-exchange fails when the slot was given to another thread since its state was read.
	 * FREE → TAKEN and ENDED → TAKEN by agents, LIVE → TAKEN, too, when the thread is gone; TAKEN → LIVE by the one who took it;
	 * the rest by record. */
	volatile uint64_t state;
	uint32_t process; /* index of the process in the session */
	uint32_t pid;
	uint32_t tid;
	uint16_t soiled;  /* its ring may hold something else than zeros; stays with the slot */
	uint16_t is_copy; /* of the thread that called fork, in its parent */
	uint64_t begin_ticks;
	volatile uint64_t ended; /* ENDED: the how many-th thread it was to end */
	uint64_t thread; /* address of its struct dwell_thread; for its own agent */
	char name[16]; /* of the thread, when it was looked at last */
};

/* What recording a call costs, by how it arrives: ticks between its two stamps, and the rest, in sixteenths, both below 2^20. */
enum dwell_overhead_kind { DWELL_OVERHEAD_HOOKS = 1, DWELL_OVERHEAD_SITES = 2 };
static inline uint64_t dwell_session_overhead(enum dwell_overhead_kind kind, uint32_t inner, uint32_t outer)
{
	return (uint64_t)kind << 40 | (uint64_t)outer << 20 | inner;
}
#define DWELL_SESSION_OVERHEADS 128u

/* state, apart. */
static inline uint64_t dwell_session_state(uint32_t state, uint32_t id)
{
	return state | (uint64_t)id << 32;
}
static inline uint32_t dwell_session_state_of(uint64_t state)
{
	return (uint32_t)state;
}

/* One entry of the journal: what agents tell beside events. kind and payload are those of the trace file (format.h): MODULE, PROCESS,
 * CLOCK, THREAD (its data was given up), INFO; record copies them. An entry is there from the moment that its claim is, so whoever is
 * killed while he fills it in blocks nobody. */
struct dwell_session_entry {
	volatile uint32_t ready; /* set last */
	uint32_t kind;
	volatile uint64_t claim; /* set first, by compare-exchange from 0: process, and bytes of the payload (a multiple of 8) << 32 */
};

struct dwell_session {
	volatile uint64_t magic; /* written last */
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
	volatile uint64_t given_up;      /* ended threads whose rings were taken for others */
	uint64_t start_unix_ns;
	volatile uint64_t room;          /* how far a thread may be ahead of record, for rings that begin; 0: as is usual for their mode */
	volatile uint32_t thrift;        /* stream: memory is short: what was drained is given back to the system */
	volatile uint32_t free_hint;     /* slots below this are hardly free */
	volatile uint64_t next_clock_ticks; /* an agent tells a clock point then */
	volatile uint64_t first_clock_ticks;
	volatile uint64_t unseen;        /* calls in programs that leave functions and are not seen by the agent that is linked there */
	volatile uint64_t moved;         /* times that a coroutine went on on another thread */
	volatile uint64_t forks;         /* that were begun; each is a process … */
	volatile uint64_t forks_told;    /* … that tells about itself as soon as it runs */
	volatile uint64_t unannounced;   /* children of forks that libc did not know of */
	volatile uint64_t ends;          /* slots that were ENDED so far */
	volatile uint32_t order;         /* bit 0: record; the others count up with each change. Looked at on the slow path, like closed */
	volatile uint32_t followed;      /* the order that record has carried out */
	uint32_t owner_pid;              /* who drains it */
	volatile uint32_t texts;         /* of marks, told so far */
	volatile uint32_t snapshots;     /* asked for so far */
	volatile uint32_t snapshots_taken; /* of those: record has dealt with them … */
	volatile uint32_t snapshot_file;   /* … last by the file with this number, 0: by none, it could not be written */
	volatile uint64_t hook_kinds;        /* enum dwell_hooks, of all modules */
	volatile uint64_t skipped_functions; /* with patched sites, and code that is not understood: not recorded */
	volatile uint64_t unpatched_modules; /* whose code the system does not let be patched */
	uint32_t args;                   /* arguments that are wanted of each call, and with them what it returns; 0: neither */
	volatile uint32_t overhead_count; /* measurements of what recording a call costs, so far: the last of them are … */
	volatile uint64_t next_overhead_ticks; /* an agent measures again then */
	volatile uint64_t overheads[DWELL_SESSION_OVERHEADS];     /* … these, by dwell_session_overhead */
	char filter[32];                 /* where the list of functions is that are not wanted (filter.h); empty: all are */
	char throttle[32];               /* where those are listed that are recorded no more (throttle.h); empty: nobody asks for it … */
	volatile uint32_t throttled;     /* … and how many entries that list has */
	volatile uint32_t waits;         /* a thread that is so far ahead waits for record, and nothing is lost */
	volatile uint64_t waited_ns;     /* so long, all of them together */
	uint64_t unused[4];
	uint64_t wait_max_ns;               /* one wait takes no longer: then events are lost */
	volatile uint64_t longest_wait_ns;
	volatile uint64_t sweeps;           /* record is at work as long as this goes up … */
	volatile uint64_t vain_sweeps;      /* … and this was it, and 1, when a thread waited in vain: none waits before it goes on */
	/* The number of record's thread; when that is gone, the kernel has set DWELL_SESSION_OWNER_DIED. 0: nobody asked it to. */
	volatile uint32_t owner;
	volatile uint32_t plans_asked;
	char plans[32];                  /* where the plans of programs without hooks are (plans.h); empty: nobody makes any */
	uint32_t plans_of_libraries;     /* they are made for libraries, too */
};
#define DWELL_SESSION_OWNER_DIED 0x40000000u /* FUTEX_OWNER_DIED */

#define DWELL_SESSION_STANDS(type, member, offset) _Static_assert(offsetof(type, member) == (offset), "session: " #member)
DWELL_SESSION_STANDS(struct dwell_session, version, DWELL_SESSION_AT_VERSION);
DWELL_SESSION_STANDS(struct dwell_session, header_bytes, DWELL_SESSION_AT_HEADER_BYTES);
DWELL_SESSION_STANDS(struct dwell_session, bytes, DWELL_SESSION_AT_BYTES);
DWELL_SESSION_STANDS(struct dwell_session, journal_offset, DWELL_SESSION_AT_JOURNAL_OFFSET);
DWELL_SESSION_STANDS(struct dwell_session, journal_bytes, DWELL_SESSION_AT_JOURNAL_BYTES);
DWELL_SESSION_STANDS(struct dwell_session, rings_offset, DWELL_SESSION_AT_RINGS_OFFSET);
DWELL_SESSION_STANDS(struct dwell_session, slot_bytes, DWELL_SESSION_AT_SLOT_BYTES);
DWELL_SESSION_STANDS(struct dwell_session, slot_count, DWELL_SESSION_AT_SLOT_COUNT);
DWELL_SESSION_STANDS(struct dwell_session, mode, DWELL_SESSION_AT_MODE);
DWELL_SESSION_STANDS(struct dwell_session, machine, DWELL_SESSION_AT_MACHINE);
DWELL_SESSION_STANDS(struct dwell_session, pointer_bytes, DWELL_SESSION_AT_POINTER_BYTES);
DWELL_SESSION_STANDS(struct dwell_session, clock_bits, DWELL_SESSION_AT_CLOCK_BITS);
DWELL_SESSION_STANDS(struct dwell_session, clock_flags, DWELL_SESSION_AT_CLOCK_FLAGS);
DWELL_SESSION_STANDS(struct dwell_session, clock_hz, DWELL_SESSION_AT_CLOCK_HZ);
DWELL_SESSION_STANDS(struct dwell_session, machine_ready, DWELL_SESSION_AT_MACHINE_READY);
DWELL_SESSION_STANDS(struct dwell_session, closed, DWELL_SESSION_AT_CLOSED);
DWELL_SESSION_STANDS(struct dwell_session, slots_used, DWELL_SESSION_AT_SLOTS_USED);
DWELL_SESSION_STANDS(struct dwell_session, lost_threads, DWELL_SESSION_AT_LOST_THREADS);
DWELL_SESSION_STANDS(struct dwell_session, lost_events, DWELL_SESSION_AT_LOST_EVENTS);
DWELL_SESSION_STANDS(struct dwell_session, lost_setup, DWELL_SESSION_AT_LOST_SETUP);
DWELL_SESSION_STANDS(struct dwell_session, lost_modules, DWELL_SESSION_AT_LOST_ENTRIES);
DWELL_SESSION_STANDS(struct dwell_session, given_up, DWELL_SESSION_AT_GIVEN_UP);
DWELL_SESSION_STANDS(struct dwell_session, start_unix_ns, DWELL_SESSION_AT_START_UNIX_NS);
DWELL_SESSION_STANDS(struct dwell_session, unseen, DWELL_SESSION_AT_UNSEEN);
DWELL_SESSION_STANDS(struct dwell_session, moved, DWELL_SESSION_AT_MOVED);
DWELL_SESSION_STANDS(struct dwell_session_slot, process, DWELL_SESSION_SLOT_PROCESS);
DWELL_SESSION_STANDS(struct dwell_session_slot, pid, DWELL_SESSION_SLOT_PID);
DWELL_SESSION_STANDS(struct dwell_session_slot, is_copy, DWELL_SESSION_SLOT_COPY);
DWELL_SESSION_STANDS(struct dwell_session_slot, tid, DWELL_SESSION_SLOT_TID);
DWELL_SESSION_STANDS(struct dwell_session_slot, name, DWELL_SESSION_SLOT_NAME);
_Static_assert(sizeof(struct dwell_session_slot) == DWELL_SESSION_SLOT_BYTES, "session: slot");
_Static_assert(sizeof(struct dwell_session_entry) == DWELL_SESSION_ENTRY_BYTES, "session: entry");
_Static_assert(sizeof(struct dwell_session) <= 4096, "session: header page");
#undef DWELL_SESSION_STANDS

/* Where the parts of a session are that an agent has mapped. Its own copy, checked once: whoever can write the session could move them to
 * anywhere in the agent's process. It stands in private memory in front of the session, so that a thread that is still at the one before
 * has the right one. */
struct dwell_session_layout {
	uint64_t slots_offset, journal_offset, journal_bytes, rings_offset, slot_bytes;
	uint64_t mapped_bytes;
	uint32_t slot_count;    /* those whose rings are mapped */
};
#define DWELL_SESSION_FRONT 65536u /* the private memory: a page of any machine */

static inline const struct dwell_session_layout *dwell_session_layout(const struct dwell_session *session)
{
	return (const struct dwell_session_layout *)(const void *)session - 1;
}

static inline struct dwell_session_slot *dwell_session_slots(struct dwell_session *session)
{
	return (struct dwell_session_slot *)((unsigned char *)session + dwell_session_layout(session)->slots_offset);
}

static inline void *dwell_session_ring(struct dwell_session *session, uint32_t slot)
{
	const struct dwell_session_layout *layout = dwell_session_layout(session);

	return (unsigned char *)session + layout->rings_offset + (uint64_t)slot * layout->slot_bytes;
}

/* Whose ring that is; as many as there are slots, or more: nobody's. */
static inline uint64_t dwell_session_slot_of(const struct dwell_session *session, const void *ring)
{
	const struct dwell_session_layout *layout = dwell_session_layout(session);

	return ((uint64_t)ring - (uint64_t)session - layout->rings_offset) / layout->slot_bytes;
}

#endif
