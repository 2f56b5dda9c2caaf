/* SPDX-License-Identifier: MIT
 *
 * The control block: what somebody outside of a running process may read and write of the agent in it, through /proc/PID/mem. It is
 * how recording begins in a process that was started without a session, and how one that was turned off is turned on.
 *
 * Turned off, hooks return at once: the first byte of each of their entries, a **gate**, is a return. So the agent, which has no thread
 * and no signal handler, never looks. Whoever wants something writes the request, its number last, and opens the gates; the next hooked
 * call of the program finds the request on its slow path and does it. No thread is stopped for it, and no system call is interrupted.
 *
 * It is found by a note (DWELL_CONTROL_NOTE, type 1) in a loaded segment of the file that holds the agent, so also in a program that
 * was stripped: eight bytes, the distance from themselves to the block.
 */
#ifndef DWELL_LINUX_CONTROL_H
#define DWELL_LINUX_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_CONTROL_NOTE "dwell"
#define DWELL_CONTROL_NOTE_TYPE 1u
#define DWELL_CONTROL_MAGIC 0x4c4f52544e4f4344ull /* "DCONTROL" */
#define DWELL_CONTROL_VERSION 4u
#define DWELL_CONTROL_PATH_BYTES 4224u
#define DWELL_CONTROL_GATES_MAX 4099u

struct dwell_gate {
	uint64_t address; /* of a byte of code */
	uint32_t on, off; /* what is there while recording, and while not */
};

/* Patched sites have gates of their own: in off state they do nothing, and a call of their thunk is on. They are many, and files that
 * hold them come and go, so each is known by the four bytes behind it, the distance to its thunk; where those differ it is gone. */
#define DWELL_SITE_ON 0xe8u
struct dwell_site {
	uint32_t gate; /* from the base of its block */
	uint32_t what; /* index of its function << 4 | kind (port/cpu/x86_64/sites.h), and: */
};
#define DWELL_SITE_MUTED 0x80000000u /* of a function that a filter drops: stays off */
#define DWELL_SITE_OF_NOBODY 0x0fffffffu /* a function's index, with which a site is muted for ever */
#define DWELL_SITE_THUNK_BYTES 16u
#define DWELL_SITE_THUNKS 3u /* of a function: its entry, its exits before a return, before a jump */
#define DWELL_SITES_A_BLOCK 8187u
struct dwell_site_block {
	volatile uint64_t next; /* address, 0: the last */
	volatile uint64_t base; /* 0: of a file that is gone, to be used again */
	uint64_t thunks;        /* address */
	volatile uint32_t count;
	uint32_t unused;
	struct dwell_site sites[DWELL_SITES_A_BLOCK];
};

static inline bool dwell_site_is_of_nobody(const struct dwell_site *site)
{
	return site->what >> 4 == DWELL_SITE_OF_NOBODY;
}

static inline uint8_t dwell_site_off(const struct dwell_site *site)
{
	return (site->what & 15u) == 7 ? 0xc3 : 0xa9; /* a return with room behind it; else test $…, %eax */
}

static inline uint32_t dwell_site_distance(const struct dwell_site_block *block, const struct dwell_site *site)
{
	uint32_t kind = site->what & 15u, thunk = kind == 5 || kind == 7 ? 1 : kind == 6 || kind == 8 ? 2 : 0;

	uint64_t function = (site->what & ~DWELL_SITE_MUTED) >> 4;

	return (uint32_t)(block->thunks + (function * DWELL_SITE_THUNKS + thunk) * DWELL_SITE_THUNK_BYTES -
			  (block->base + site->gate + 5));
}

/* Code that a plan changes in a process whose threads run: whoever has stopped them all writes it, and the old bytes back in the end. */
struct dwell_change {
	uint64_t address;
	uint8_t bytes;
	volatile uint8_t flags;
	uint8_t old[5], new[5], unused[4];
};
/* Nobody runs these, or they do what the old bytes do; others lead to them: they change before those, and back after them. So the code is
 * whole whenever somebody is killed who changes it. */
#define DWELL_CHANGE_FIRST 1u
#define DWELL_CHANGE_LEFT_OUT 2u /* nobody wants to have it changed now: it has its old bytes */
struct dwell_changes {
	volatile uint64_t next; /* address, 0: the last */
	uint64_t base;          /* 0: of a file that is gone */
	uint32_t count, unused;
	struct dwell_change list[];
};

struct dwell_control {
	uint64_t magic;
	uint32_t version;
	uint32_t session_version; /* of the sessions that the agent can join */
	uint32_t machine;         /* ELF e_machine */
	volatile uint32_t begun;  /* the agent has started: what follows is valid */
	volatile uint64_t gates;  /* address of struct dwell_gate[gate_count]; without any, hooks look by themselves */
	volatile uint32_t gate_count;
	volatile uint64_t site_blocks; /* address of the first, 0: none */
	volatile uint32_t hooked_modules; /* files with hooks that were found so far */
	volatile uint32_t own_hooks;      /* the program has hook functions of its own, and keeps them */
	volatile uint32_t on;
	uint32_t unused;
	volatile uint64_t attend;  /* address of a function without arguments that does what is requested, for who can have it called */
	volatile uint64_t changes; /* address of the first struct dwell_changes, 0: none */
	/* Likewise; address of a function (anything, how far): 0: the session is left. 1: what was mapped for sessions that were left is
	 * unmapped, too: no thread is in the agent. */
	volatile uint64_t release;
	volatile uint32_t answered; /* number of the last request that was done, or could not be: then error is −errno */
	volatile int32_t error;
	char session[DWELL_CONTROL_PATH_BYTES]; /* the session that it is in, or was in last; empty: none yet */

	/* A request: join another session, and leave the one before. */
	volatile uint32_t request; /* number; written last */
	volatile uint32_t request_pid; /* the process that is meant, as it knows itself: a child has a copy of this block */
	char request_session[DWELL_CONTROL_PATH_BYTES];
};

#endif
