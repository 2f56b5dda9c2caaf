/* SPDX-License-Identifier: MIT
 *
 * The session: memory that `dwell record` shares with the recorded programs. record makes the session, and the agent of each
 * process of the tree maps it.
 *
 *     header page · slot table · journal · rings (slot_count × slot_bytes)
 *
 * The memory is sparse: pages come with use. If record is killed during a ring or linear recording, the session is written to a
 * file unchanged. So the offsets of the fields are part of the file format: dwell/session.h, FORMAT.md.
 *
 * The environment passes the session's name to the agent: DWELL_SESSION=/proc/PID/fd/N, then, after a colon, the name of the
 * file to be written, if any.
 *
 * The writers:
 *   - record makes the session and sets closed. record moves consumed; record frees slots of ended threads (stream) or marks the
 *     slots as ended (ring, linear).
 *   - record or `dwell attach` gives orders.
 *   - Agents take slots (state, by compare-exchange), append to the journal, write their rings, and count losses in the header.
 * Where record and agents both write a value, the value is a single aligned word.
 */
#ifndef DWELL_LINUX_SESSION_H
#define DWELL_LINUX_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "dwell/session.h"

#define DWELL_SESSION_ENV "DWELL_SESSION"
/* Key of a fact in the journal: the process started a program with more rights than the user has. dwell does not record the
 * program. */
#define DWELL_PRIVILEGED_KEY "privileged-program"
/* Likewise for a program that can reach neither record nor the agent. */
#define DWELL_UNREACHED_KEY "unreached-program"
/* Likewise for a program whose environment names no session; and for one whose LD_PRELOAD does not have the agent, but a program
 * with an agent linked in joins the session nevertheless. */
#define DWELL_UNLOADED_KEY "unloaded-program"
#define DWELL_UNPRELOADED_KEY "unpreloaded-program"
/* Key of a fact: the process forbids itself the clock, or all system calls, and does not record. */
#define DWELL_CONFINED_KEY "confined-process"

/* Kinds of hooks. */
enum dwell_hooks {
	DWELL_HOOKS_CYG = 1,        /* -finstrument-functions */
	DWELL_HOOKS_FENTRY = 2,     /* -mfentry -minstrument-return */
	DWELL_HOOKS_XRAY = 4,       /* -fxray-instrument */
	DWELL_HOOKS_ENTRIES = 16,   /* functions with a site only at the entry: calls are counted */
	DWELL_HOOKS_UNFOUND = 32,   /* functions that call __fentry__ without an entry in the unwind tables: left alone */
	DWELL_HOOKS_DOUBLED = 64,   /* functions with hook calls and with sites: the sites are left alone */
	DWELL_HOOKS_PLANNED = 128,  /* files without hooks, changed by a plan (plan.h) */
	DWELL_HOOKS_UNFIT = 256,    /* files: the code in memory does not match the plan */
	DWELL_HOOKS_ELSEWHERE = 512, /* files with a plan, in a namespace made by dlmopen: left alone */
};

/* Processes and threads have record's numbers. The bit marks a number from the task's own namespace instead: only record can find
 * the task (host/record/session/tasks.h). */
#define DWELL_TASK_INNER DWELL_SESSION_TASK_INNER

struct dwell_session_slot {
	/* enum dwell_session_slot_state. High half: TAKEN: id of the taking process (once the process is gone, the slot is free);
	 * LIVE and ENDED: thread id. So a compare-exchange fails if the slot went to another thread in between. Agents change FREE
	 * → TAKEN and ENDED → TAKEN, and LIVE → TAKEN if the thread is gone. The taker changes TAKEN → LIVE, or restores the
	 * earlier state if it cannot map the ring. record makes the remaining changes. */
	volatile uint64_t state;
	uint32_t process; /* index of the process in the session */
	uint32_t pid;
	uint32_t tid;
	uint16_t dirty;  /* 1: the ring may hold other values than zeros; stays with the slot */
	uint16_t is_copy; /* 1: the thread is a forked copy of the parent's thread that called fork */
	uint64_t begin_ticks;
	volatile uint64_t ended; /* state ENDED: number of threads ended by then */
	uint64_t thread; /* address of struct dwell_thread, for the thread's own agent */
	char name[16]; /* name of the thread at the last reading */
};

/* The cost of recording a call by kind of hook: ticks between the call's two stamps, and the rest, both in
 * sixteenths and below 2^20. */
enum dwell_overhead_kind { DWELL_OVERHEAD_HOOKS = 1, DWELL_OVERHEAD_SITES = 2 };
static inline uint64_t dwell_session_overhead(enum dwell_overhead_kind kind, uint32_t inner, uint32_t outer)
{
	return (uint64_t)kind << 40 | (uint64_t)outer << 20 | inner;
}
#define DWELL_SESSION_OVERHEADS 128u
/* Loops of measured calls: empty calls; with work between the events; with the recorder evicted from caches. */
enum dwell_overhead_loop { DWELL_OVERHEAD_EMPTY, DWELL_OVERHEAD_WORK, DWELL_OVERHEAD_EVICTED, DWELL_OVERHEAD_LOOPS };

/* The two halves of a slot's state. */
static inline uint64_t dwell_session_state(uint32_t state, uint32_t id)
{
	return state | (uint64_t)id << 32;
}
static inline uint32_t dwell_session_state_of(uint64_t state)
{
	return (uint32_t)state;
}

/* An entry of the journal: an agent's message beside the events. kind and payload are as in the trace file (format.h): MODULE,
 * PROCESS, CLOCK, THREAD (with given-up data), INFO, TEXT. record writes them to the trace file, except INFO: facts for record
 * itself, such as requests for plans (plans.h). An entry exists from the claim on. So a process killed while writing the payload
 * does not block the remaining processes. */
struct dwell_session_entry {
	volatile uint32_t ready; /* set last */
	uint32_t kind;
	/* Set first, by compare-exchange from 0: index of the process, and the size of the payload (a multiple of 8) << 32. */
	volatile uint64_t claim;
};

struct dwell_session {
	volatile uint64_t magic; /* written last */
	uint32_t version;
	uint32_t header_bytes; /* offset of the slot table */
	uint64_t bytes;        /* size of the whole session */
	uint64_t journal_offset;
	uint64_t journal_bytes;
	uint64_t rings_offset;
	uint64_t slot_bytes; /* size of one ring, header page included */
	uint32_t slot_count;
	uint32_t mode; /* enum dwell_mode */

	/* Properties of the recording processes, set by the first process to record. All processes must have the same machine. */
	volatile uint32_t machine; /* ELF e_machine; 0: not set yet */
	uint32_t pointer_bytes;
	uint32_t clock_bits;
	uint32_t clock_flags;
	uint64_t clock_hz; /* 0: unknown, record measures it */
	volatile uint32_t machine_ready;

	volatile uint32_t closed;        /* record has ended: stop recording */
	volatile uint64_t journal_pos;   /* bytes claimed in the journal */
	volatile uint32_t process_count;
	volatile uint32_t slots_used;    /* highest slot ever taken + 1 */
	volatile uint64_t agents;        /* processes that have joined, with hooks or without; forked children do not count */
	volatile uint64_t unmappable;    /* processes without room for the mapping */
	volatile uint64_t hooked_modules;
	volatile uint64_t own_hooks;      /* programs with their own hook functions in use */
	volatile uint64_t lost_threads;  /* threads without a ring */
	volatile uint64_t lost_events;   /* events of threads without a ring */
	/* Events of threads not yet able to record: in handlers, and at the start of a forked child. Also in a child of vfork, if
	 * the parent's thread has no ring yet. */
	volatile uint64_t lost_setup;
	volatile uint64_t lost_modules;  /* lost entries: full journal, or too many modules */
	volatile uint64_t refused_machines; /* threads refused: the process is of a different machine */
	volatile uint64_t given_up;      /* ended threads with rings reused by new threads */
	uint64_t start_unix_ns;
	/* Bytes by which a thread may be ahead of record, for new rings; 0: the default of the mode. */
	volatile uint64_t room;
	/* Stream: memory is short, so record gives drained memory back to the system. */
	volatile uint32_t low_memory;
	volatile uint32_t free_hint;     /* slots below the hint are probably not free */
	volatile uint64_t next_clock_ticks; /* when an agent appends the next clock point */
	volatile uint64_t first_clock_ticks; /* the time since then doubles from one clock point to the next (journal.c) */
	/* Calls that leave functions unnoticed by the agent, in programs with a linked agent. */
	volatile uint64_t unseen;
	volatile uint64_t moved;         /* moves of coroutines to a different thread */
	volatile uint64_t forks;         /* forks begun; each makes a process */
	volatile uint64_t forks_reported;    /* forked processes in the journal: each child reports itself as soon as it runs */
	volatile uint64_t unnoticed_forks;   /* children of forks unnoticed by libc */
	volatile uint64_t ends;          /* number of slots ever ENDED */
	/* Bit 0: record; the higher bits count the changes. Read on the slow path, like closed. */
	volatile uint32_t order;
	volatile uint32_t followed;      /* last order carried out by record */
	uint32_t owner_pid;              /* the draining process */
	volatile uint32_t texts;         /* last index of a text of a mark; the journal has the text unless it was full */
	volatile uint32_t snapshots;     /* number of requested snapshots */
	volatile uint32_t snapshots_taken; /* number of finished snapshots */
	/* Number of the last finished snapshot's file; 0: no file, since writing failed. */
	volatile uint32_t snapshot_file;
	volatile uint64_t hook_kinds;        /* enum dwell_hooks, of all modules */
	/* Functions with sites, left unrecorded: the agent could not decode the code. */
	volatile uint64_t skipped_functions;
	volatile uint64_t unpatched_modules; /* files left unpatched: the system refuses changes of code, or ELSEWHERE */
	/* Number of arguments to record of each call, with the returned value; 0: no arguments and no value. */
	uint32_t args;
	volatile uint32_t overhead_count; /* number of measurements of the cost of recording */
	volatile uint64_t next_overhead_ticks; /* when an agent measures again */
	volatile uint64_t overheads[DWELL_SESSION_OVERHEADS]; /* some measurements of empty calls: dwell_session_overhead */
	/* Name of the filter of functions (filter.h); empty: all functions are recorded. */
	char filter[32];
	/* Name of the list of throttled functions (throttle.h); empty: throttling is off. */
	char throttle[32];
	volatile uint32_t throttled;     /* number of entries in the throttle's list */
	volatile uint32_t waits;         /* 1: a thread with a full ring waits for record, instead of losing events */
	volatile uint64_t waited_ns;     /* total waiting time of all threads */
	/* task_space: inode of record's PID namespace, the source of all process and thread numbers. proc_device: device of
	 * record's /proc, for the translation of numbers. 0: unknown. */
	uint64_t task_space, proc_device;
	uint64_t unused[2];
	uint64_t wait_max_ns;               /* limit of a single wait; then a stream loses events, a ring overwrites its oldest */
	volatile uint64_t longest_wait_ns;
	volatile uint64_t sweeps;           /* rises as long as record works */
	/* sweeps + 1 at the last wait in vain: no thread waits again before sweeps has risen. */
	volatile uint64_t failed_wait_sweeps;
	/* Number of record's thread; when the thread ends, the kernel sets DWELL_SESSION_OWNER_DIED. 0: not registered with the
	 * kernel. */
	volatile uint32_t owner;
	volatile uint32_t plans_requested;
	/* Name of the memory with plans for programs without hooks (plans.h); empty: record makes no plans. */
	char plans[32];
	uint32_t plans_of_libraries;     /* 1: record makes plans for libraries, too */
	/* Name of the file of a ring or linear recording, written by record; empty: no file, or a longer name. */
	char file[448];
	uint32_t page_bytes;             /* the machine's page size: each part, and each ring, begins at a multiple */
	/* Measurements of the loops with work and with evicted caches; see dwell_session_overheads. */
	volatile uint64_t loop_overheads[DWELL_OVERHEAD_LOOPS - 1]
					[DWELL_SESSION_OVERHEADS];
};

/* Returns the measurements of a loop. */
static inline volatile uint64_t *dwell_session_overheads(struct dwell_session *session, enum dwell_overhead_loop loop)
{
	return loop == DWELL_OVERHEAD_EMPTY ? session->overheads : session->loop_overheads[loop - 1];
}

static inline uint64_t dwell_session_device(uint32_t major, uint32_t minor)
{
	return (uint64_t)major << 32 | minor;
}
#define DWELL_SESSION_OWNER_DIED 0x40000000u /* FUTEX_OWNER_DIED */

#define DWELL_SESSION_CHECK_OFFSET(type, member, offset) _Static_assert(offsetof(type, member) == (offset), "session: " #member)
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, version, DWELL_SESSION_AT_VERSION);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, header_bytes, DWELL_SESSION_AT_HEADER_BYTES);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, bytes, DWELL_SESSION_AT_BYTES);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, journal_offset, DWELL_SESSION_AT_JOURNAL_OFFSET);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, journal_bytes, DWELL_SESSION_AT_JOURNAL_BYTES);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, rings_offset, DWELL_SESSION_AT_RINGS_OFFSET);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, slot_bytes, DWELL_SESSION_AT_SLOT_BYTES);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, slot_count, DWELL_SESSION_AT_SLOT_COUNT);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, mode, DWELL_SESSION_AT_MODE);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, machine, DWELL_SESSION_AT_MACHINE);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, pointer_bytes, DWELL_SESSION_AT_POINTER_BYTES);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, clock_bits, DWELL_SESSION_AT_CLOCK_BITS);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, clock_flags, DWELL_SESSION_AT_CLOCK_FLAGS);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, clock_hz, DWELL_SESSION_AT_CLOCK_HZ);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, machine_ready, DWELL_SESSION_AT_MACHINE_READY);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, closed, DWELL_SESSION_AT_CLOSED);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, slots_used, DWELL_SESSION_AT_SLOTS_USED);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, lost_threads, DWELL_SESSION_AT_LOST_THREADS);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, lost_events, DWELL_SESSION_AT_LOST_EVENTS);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, lost_setup, DWELL_SESSION_AT_LOST_SETUP);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, lost_modules, DWELL_SESSION_AT_LOST_ENTRIES);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, given_up, DWELL_SESSION_AT_GIVEN_UP);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, start_unix_ns, DWELL_SESSION_AT_START_UNIX_NS);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, unseen, DWELL_SESSION_AT_UNSEEN);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session, moved, DWELL_SESSION_AT_MOVED);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session_slot, process, DWELL_SESSION_SLOT_PROCESS);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session_slot, pid, DWELL_SESSION_SLOT_PID);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session_slot, is_copy, DWELL_SESSION_SLOT_COPY);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session_slot, tid, DWELL_SESSION_SLOT_TID);
DWELL_SESSION_CHECK_OFFSET(struct dwell_session_slot, name, DWELL_SESSION_SLOT_NAME);
_Static_assert(sizeof(struct dwell_session_slot) == DWELL_SESSION_SLOT_BYTES, "session: slot");
_Static_assert(sizeof(struct dwell_session_entry) == DWELL_SESSION_ENTRY_BYTES, "session: entry");
_Static_assert(sizeof(struct dwell_session) <= 4096, "session: header page");
#undef DWELL_SESSION_CHECK_OFFSET

/* The offsets of a session's parts, and the parts mapped by the agent (parts.c). A private copy, checked once: otherwise any writer
 * of the session could move the parts to anywhere in the agent's process. The copy lies in private memory in front of the session,
 * so a thread still in the last session has the right copy. */
struct dwell_session_layout {
	uint64_t slots_offset, journal_offset, journal_bytes, rings_offset, slot_bytes;
	uint64_t front_bytes; /* size of the private memory */
	uint32_t page_bytes, slot_count, window_count;
	void *volatile *windows; /* parts of the journal, … */
	void *volatile *rings;   /* … and a ring for each slot; null: not mapped */
	const char *name;        /* of the session */
};
/* A window: bytes of the journal mapped at a time. An entry, its head included, has at most DWELL_SESSION_ENTRY_MAX bytes, which
 * may reach beyond the window. */
#define DWELL_SESSION_WINDOW (256u * 1024u)
#define DWELL_SESSION_ENTRY_MAX (64u * 1024u)

static inline const struct dwell_session_layout *dwell_session_layout(const struct dwell_session *session)
{
	return (const struct dwell_session_layout *)(const void *)session - 1;
}

static inline struct dwell_session_slot *dwell_session_slots(struct dwell_session *session)
{
	return (struct dwell_session_slot *)((unsigned char *)session + dwell_session_layout(session)->slots_offset);
}

/* Returns the ring of a slot. Null: not mapped, so no thread of the process uses the slot. */
static inline void *dwell_session_ring(struct dwell_session *session, uint32_t slot)
{
	return dwell_session_layout(session)->rings[slot];
}

#endif
