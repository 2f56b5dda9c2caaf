/* SPDX-License-Identifier: MIT
 *
 * The session file: what a ring or linear recording is as long as it goes on, and what is left of it when `dwell record` was killed.
 * Constants only; FORMAT.md, "The session file", is the normative text. All fields are little-endian.
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
	DWELL_SESSION_AT_VERSION = 8,         /* u32: another one: stop */
	DWELL_SESSION_AT_HEADER_BYTES = 12,   /* u32: the slot table begins here */
	DWELL_SESSION_AT_BYTES = 16,          /* u64: of the whole file */
	DWELL_SESSION_AT_JOURNAL_OFFSET = 24, /* u64 */
	DWELL_SESSION_AT_JOURNAL_BYTES = 32,  /* u64 */
	DWELL_SESSION_AT_RINGS_OFFSET = 40,   /* u64 */
	DWELL_SESSION_AT_SLOT_BYTES = 48,     /* u64: of one ring, its header page included */
	DWELL_SESSION_AT_SLOT_COUNT = 56,     /* u32 */
	DWELL_SESSION_AT_MODE = 60,           /* u32: 0 stream, 1 ring, 2 linear */
	DWELL_SESSION_AT_MACHINE = 64,        /* u32: ELF e_machine; 0: no thread has recorded */
	DWELL_SESSION_AT_POINTER_BYTES = 68,  /* u32 */
	DWELL_SESSION_AT_CLOCK_BITS = 72,     /* u32 */
	DWELL_SESSION_AT_CLOCK_FLAGS = 76,    /* u32: enum dwell_clock_flag */
	DWELL_SESSION_AT_CLOCK_HZ = 80,       /* u64: nominal, 0 unknown */
	DWELL_SESSION_AT_MACHINE_READY = 88,  /* u32: the five before are valid */
	DWELL_SESSION_AT_CLOSED = 92,         /* u32: recording was ended */
	DWELL_SESSION_AT_SLOTS_USED = 108,    /* u32: slots behind these were never taken */
	DWELL_SESSION_AT_LOST_THREADS = 144,  /* u64: threads that got no ring … */
	DWELL_SESSION_AT_LOST_EVENTS = 152,   /* u64: … and their events */
	DWELL_SESSION_AT_LOST_SETUP = 160,    /* u64: events that interrupted a thread's set-up */
	DWELL_SESSION_AT_LOST_ENTRIES = 168,  /* u64: entries that found the journal full */
	DWELL_SESSION_AT_GIVEN_UP = 184,      /* u64: ended threads whose rings were taken for others */
	DWELL_SESSION_AT_START_UNIX_NS = 192, /* u64 */
	DWELL_SESSION_AT_UNSEEN = 232,        /* u64: calls in programs that leave functions, and that the recorder cannot see */
	DWELL_SESSION_AT_MOVED = 240,         /* u64: times that a coroutine went on on another thread */
};

/* An entry of the slot table: 64 bytes. */
enum {
	DWELL_SESSION_SLOT_BYTES = 64,
	DWELL_SESSION_SLOT_STATE = 0,    /* u32: enum dwell_session_slot_state; the u32 behind it: process id of who took it */
	DWELL_SESSION_SLOT_PROCESS = 8,  /* u32: index of the process */
	DWELL_SESSION_SLOT_PID = 12,     /* u32 */
	DWELL_SESSION_SLOT_TID = 16,     /* u32 */
	DWELL_SESSION_SLOT_COPY = 22,    /* u16: 1: of the thread that called fork, in its parent */
	DWELL_SESSION_SLOT_NAME = 48,    /* 16 bytes, zero-terminated */
	DWELL_SESSION_SLOT_NAME_BYTES = 16,
};
enum dwell_session_slot_state {
	DWELL_SESSION_FREE = 0,
	DWELL_SESSION_TAKEN = 1, /* being filled in: nothing in it is valid yet */
	DWELL_SESSION_LIVE = 2,  /* slot and ring are valid */
	DWELL_SESSION_ENDED = 3, /* likewise, and the thread has ended: its ring may be taken for another one */
};

/* An entry of the journal: 16 bytes, then the payload of the chunk kind that it says. The first whose CLAIM is 0 ends the journal. */
enum {
	DWELL_SESSION_ENTRY_BYTES = 16,
	DWELL_SESSION_ENTRY_READY = 0,   /* u32: not 0: the payload is there */
	DWELL_SESSION_ENTRY_KIND = 4,    /* u32: enum dwell_chunk_kind: PROCESS, MODULE, THREAD (given up), CLOCK, INFO */
	DWELL_SESSION_ENTRY_CLAIM = 8,   /* u64: index of the process, bytes of the payload (a multiple of 8) << 32 */
};

/* A ring: a header page, then 2^n bytes of blocks. */
#define DWELL_RING_HEADER_BYTES 4096u
#define DWELL_RING_MAGIC 0x676e5244u /* "DRng" */
#define DWELL_RING_VERSION 2u
enum {
	DWELL_RING_AT_POS = 0,           /* u64: bytes ever recorded; the slot at byte p lies at data[p mod BYTES] */
	DWELL_RING_AT_BYTES = 16,        /* u64: of data: a power of two, at least 8192 */
	DWELL_RING_AT_CONSUMED = 24,     /* u64: stream: bytes that were drained */
	DWELL_RING_AT_READY = 48,        /* u64: see COMMITS_LAST */
	DWELL_RING_AT_LOST_EVENTS = 72,  /* u64: that found no room */
	DWELL_RING_AT_MODE = 168,        /* u32: as in the session's header */
	DWELL_RING_AT_MAGIC = 172,       /* u32: written last */
	DWELL_RING_AT_VERSION = 176,     /* u32 */
	DWELL_RING_AT_HEADER_BYTES = 180,/* u32: 4096 */
	DWELL_RING_AT_COMMITS_LAST = 184,/* u32: 1: every slot below POS is written. 0: one that is 0 was begun and not written, and blocks
	                                    below READY were zeroed for this lap */
	DWELL_RING_FIELDS_BYTES = 192,
};

#endif
