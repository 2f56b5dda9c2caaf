/* SPDX-License-Identifier: MIT
 *
 * dwell/session.h: the session file: what remains of a ring or linear recording if `dwell record` is killed. While it runs, it is
 * the memory that recorder and program share.
 * Constants only: sizes in bytes, offsets in bytes from the beginning of the structure. FORMAT.md, "The session file", is the
 * normative text. All fields are little-endian. "A slot" is the entry of a thread and of its ring.
 *
 *     header page · slot table · journal · rings (SLOT_COUNT × SLOT_BYTES)
 */
#ifndef DWELL_SESSION_H
#define DWELL_SESSION_H

#define DWELL_SESSION_MAGIC "\x89" "dwses\r\n" /* 8 bytes */
#define DWELL_SESSION_MAGIC_WORD 0x0a0d736573776489ull /* the same, as the machine reads it */
#define DWELL_SESSION_VERSION 2u

/* Header: the first page. */
enum {
	DWELL_SESSION_HEADER_BYTES_MIN = 256,
	DWELL_SESSION_AT_VERSION = 8,         /* u32: DWELL_SESSION_VERSION; a reader refuses any other */
	DWELL_SESSION_AT_HEADER_BYTES = 12,   /* u32: the slot table begins at this offset */
	DWELL_SESSION_AT_BYTES = 16,          /* u64: size of the whole file */
	DWELL_SESSION_AT_JOURNAL_OFFSET = 24, /* u64 */
	DWELL_SESSION_AT_JOURNAL_BYTES = 32,  /* u64 */
	DWELL_SESSION_AT_RINGS_OFFSET = 40,   /* u64 */
	DWELL_SESSION_AT_SLOT_BYTES = 48,     /* u64: size of one ring, with its header page */
	DWELL_SESSION_AT_SLOT_COUNT = 56,     /* u32 */
	DWELL_SESSION_AT_MODE = 60,           /* u32: 0 stream, 1 ring, 2 linear */
	DWELL_SESSION_AT_MACHINE = 64,        /* u32: ELF e_machine; 0: no thread has recorded yet */
	DWELL_SESSION_AT_POINTER_BYTES = 68,  /* u32: 4 or 8 */
	DWELL_SESSION_AT_CLOCK_BITS = 72,     /* u32: 1 to 64 */
	DWELL_SESSION_AT_CLOCK_FLAGS = 76,    /* u32: enum dwell_clock_flag */
	DWELL_SESSION_AT_CLOCK_HZ = 80,       /* u64: nominal rate in Hz; 0: unknown */
	DWELL_SESSION_AT_MACHINE_READY = 88,  /* u32: 1: the five fields before are valid */
	DWELL_SESSION_AT_CLOSED = 92,         /* u32: 1: recording has ended */
	DWELL_SESSION_AT_SLOTS_USED = 108,    /* u32: slots from this number on were never used */
	DWELL_SESSION_AT_LOST_THREADS = 144,  /* u64: threads that got no ring */
	DWELL_SESSION_AT_LOST_EVENTS = 152,   /* u64: events of those threads */
	DWELL_SESSION_AT_LOST_SETUP = 160,    /* u64: events that were lost because they interrupted a thread's set-up */
	DWELL_SESSION_AT_LOST_ENTRIES = 168,  /* u64: journal entries that were lost because the journal was full */
	DWELL_SESSION_AT_GIVEN_UP = 184,      /* u64: ended threads whose rings were reused */
	DWELL_SESSION_AT_START_UNIX_NS = 192, /* u64: wall-clock time when recording began, in ns since 1970 */
	DWELL_SESSION_AT_UNSEEN = 232,        /* u64: places that leave functions (longjmp …) unseen by the
	                                         recorder */
	DWELL_SESSION_AT_MOVED = 240,         /* u64: how often a coroutine continued on another thread */
};

/* A flag in process and thread numbers of the slot table and the journal: the number belongs to the task's own PID namespace. */
#define DWELL_SESSION_TASK_INNER 0x80000000u

/* An entry of the slot table: 64 bytes. */
enum {
	DWELL_SESSION_SLOT_BYTES = 64,
	DWELL_SESSION_SLOT_STATE = 0,    /* u32: enum dwell_session_slot_state. The next u32 belongs to the recorder; ignore it */
	DWELL_SESSION_SLOT_PROCESS = 8,  /* u32: index of the process */
	DWELL_SESSION_SLOT_PID = 12,     /* u32: the system's number of the process */
	DWELL_SESSION_SLOT_TID = 16,     /* u32: the system's number of the thread. PID and TID may have TASK_INNER set */
	DWELL_SESSION_SLOT_COPY = 22,    /* u16: 1: a copy, made by fork, of a thread in the parent process */
	DWELL_SESSION_SLOT_NAME = 48,    /* the thread's name: 16 bytes, zero-terminated */
	DWELL_SESSION_SLOT_NAME_BYTES = 16,
};
enum dwell_session_slot_state {
	DWELL_SESSION_FREE = 0,  /* not in use */
	DWELL_SESSION_TAKEN = 1, /* a thread is setting the slot up: no field is valid yet */
	DWELL_SESSION_LIVE = 2,  /* slot and ring are valid */
	DWELL_SESSION_ENDED = 3, /* slot and ring are valid; the thread has ended, and its ring may be reused */
};

/* An entry of the journal: 16 bytes, then the payload of a chunk of kind KIND. The first entry with CLAIM 0 ends the journal. */
enum {
	DWELL_SESSION_ENTRY_BYTES = 16,
	DWELL_SESSION_ENTRY_READY = 0,   /* u32: not 0: the payload is complete */
	DWELL_SESSION_ENTRY_KIND = 4,    /* u32: enum dwell_chunk_kind: PROCESS, MODULE, THREAD (its ring was reused), CLOCK,
	                                    INFO */
	DWELL_SESSION_ENTRY_CLAIM = 8,   /* u64: low 32 bits: index of the process; high 32 bits: bytes of the payload, a multiple
	                                    of 8 */
};

/* A ring: a header page, then 2^n bytes of blocks. */
#define DWELL_RING_HEADER_BYTES 4096u
#define DWELL_RING_MAGIC 0x676e5244u /* "DRng" */
#define DWELL_RING_VERSION 2u
enum {
	DWELL_RING_AT_POS = 0,           /* u64: bytes recorded so far. The slot at byte p is at data[p mod BYTES] */
	DWELL_RING_AT_BYTES = 16,        /* u64: size of the data: a power of two, at least 8192 */
	DWELL_RING_AT_CONSUMED = 24,     /* u64: stream recordings: bytes that `dwell record` has taken out */
	DWELL_RING_AT_READY = 48,        /* u64: bytes; see COMMITS_LAST */
	DWELL_RING_AT_LOST_EVENTS = 72,  /* u64: events that were lost because the ring was full */
	DWELL_RING_AT_MODE = 168,        /* u32: as DWELL_SESSION_AT_MODE */
	DWELL_RING_AT_MAGIC = 172,       /* u32: DWELL_RING_MAGIC, written last: then all fields are valid */
	DWELL_RING_AT_VERSION = 176,     /* u32: DWELL_RING_VERSION */
	DWELL_RING_AT_HEADER_BYTES = 180,/* u32: 4096 */
	DWELL_RING_AT_COMMITS_LAST = 184,/* u32: 1: every slot below POS is complete. 0: a slot below POS that is 0 is incomplete,
	                                    and blocks below READY were zeroed for this lap */
	DWELL_RING_FIELDS_BYTES = 192,
};

#endif
