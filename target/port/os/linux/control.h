/* SPDX-License-Identifier: MIT
 *
 * The control block: the part of the agent for access from another process, by reading and writing /proc/PID/mem. With the block,
 * recording begins in a process started without a session, and resumes after a stop.
 *
 * While recording is off, hooks return at once: the first byte of each hook's entry, a **gate**, is a return. So the agent does not
 * run: the agent has no thread and no signal handler. A process with a request writes the request, with the number last, and opens
 * the gates. The next hooked call of the program finds the request on the slow path and handles the request. No thread stops, and
 * no system call is interrupted. Plans are the exception: for struct dwell_change, the process outside stops all threads; and it
 * calls handle_request in one thread.
 *
 * A note (DWELL_CONTROL_NOTE, type 1) in a loaded segment of the agent's file leads to the block, even in a stripped program: eight
 * bytes, the distance from the bytes to the block.
 */
#ifndef DWELL_LINUX_CONTROL_H
#define DWELL_LINUX_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_CONTROL_NOTE "dwell"
#define DWELL_CONTROL_NOTE_TYPE 1u
#define DWELL_CONTROL_MAGIC 0x4c4f52544e4f4344ull /* "DCONTROL" */
#define DWELL_CONTROL_VERSION 7u
#define DWELL_CONTROL_PATH_BYTES 4224u
#define DWELL_CONTROL_GATES_MAX 4099u

struct dwell_gate {
	uint64_t address; /* of a byte of code */
	uint32_t on, off; /* the byte while recording is on, and while it is off */
};

/* Each patched site has a gate: off, the site does nothing; on, the site calls a thunk. Sites are many, and files come and go. So
 * the four bytes behind a gate, the distance to the thunk, identify the site: if the bytes differ, the site is gone. */
#define DWELL_SITE_ON 0xe8u
struct dwell_site {
	uint32_t gate; /* offset from the block's base */
	uint32_t function_kind; /* index of the function << 4 | kind (port/cpu/x86_64/sites.h), and the flag: */
};
#define DWELL_SITE_MUTED 0x80000000u /* a filter or the throttle drops the function: the site stays off */
#define DWELL_SITE_NO_FUNCTION 0x0fffffffu /* index in place of a function's: the site is muted for ever */
#define DWELL_SITE_THUNK_BYTES 16u
#define DWELL_SITE_THUNKS 3u /* for each function: the entry, exits before a return, exits before a jump */
#define DWELL_SITE_THUNK_PLACE 4u /* offset of the function's place in the first thunk: four bytes */
#define DWELL_SITES_A_BLOCK 8187u
#define DWELL_SITES_OF_FILE 1u
#define DWELL_SITES_OF_STUBS 2u /* of the agent's own memory, mapped for ever */
struct dwell_site_block {
	volatile uint64_t next; /* address, 0: the last */
	volatile uint64_t base; /* lowest address of the file. 0: the file is gone, or the block is not filled yet */
	uint64_t thunks;        /* address */
	volatile uint32_t count;
	volatile uint32_t held; /* DWELL_SITES_…, 0: free */
	struct dwell_site sites[DWELL_SITES_A_BLOCK];
};

static inline bool dwell_site_has_no_function(const struct dwell_site *site)
{
	return site->function_kind >> 4 == DWELL_SITE_NO_FUNCTION;
}

static inline uint8_t dwell_site_off(const struct dwell_site *site)
{
	return (site->function_kind & 15u) == 7 ? 0xc3 : 0xa9; /* 7, a return with room behind: ret; else test $…, %eax */
}

/* Returns the index of the site's thunk. */
static inline uint32_t dwell_site_thunk(const struct dwell_site *site)
{
	uint32_t kind = site->function_kind & 15u;

	return kind == 5 || kind == 7 ? 1 : kind == 6 || kind == 8 ? 2 : 0;
}

static inline bool dwell_site_is_exit(const struct dwell_site *site)
{
	return dwell_site_thunk(site) != 0;
}

/* Returns the four bytes behind the site's gate: the distance from there to the thunk. */
static inline uint32_t dwell_site_distance(const struct dwell_site_block *block, const struct dwell_site *site)
{
	uint32_t thunk = dwell_site_thunk(site);
	uint64_t function = (site->function_kind & ~DWELL_SITE_MUTED) >> 4;

	return (uint32_t)(block->thunks + (function * DWELL_SITE_THUNKS + thunk) * DWELL_SITE_THUNK_BYTES -
			  (block->base + site->gate + 5));
}

/* A change of bytes in a process with running threads. The bytes are code that a plan changes, a word that is to lead to a wrapper
 * (injected.c), or the loader's function (loader.c). A process outside stops all threads and writes the new bytes. In the end, this
 * process restores the old bytes. */
struct dwell_change {
	uint64_t address;
	uint8_t bytes;
	volatile uint8_t flags;
	uint8_t old[5], new[5];
	/* The changes of a list with the same group need each other: they are made, and restored, in one stop of the threads. For a
	 * plan, the function: its detours, gates and rooms jump to each other, and the old bytes in front of a room run into it. */
	uint32_t group;
};
_Static_assert(sizeof(struct dwell_change) == 24, "control: change");
/* Another change of the group jumps to the new bytes (plan.h): no thread may be there, even at the first byte. */
#define DWELL_CHANGE_ROOM 1u
#define DWELL_CHANGE_LEFT_OUT 2u /* not needed now: the code has its old bytes */
struct dwell_changes {
	volatile uint64_t next; /* address, 0: the last */
	uint64_t base;          /* 0: the file is gone */
	uint32_t count, unused;
	struct dwell_change list[];
};

struct dwell_control {
	uint64_t magic;
	uint32_t version;
	uint32_t session_version; /* version of the sessions that the agent can join */
	uint32_t machine;         /* ELF e_machine */
	volatile uint32_t begun;  /* the agent has started: the following members are valid */
	volatile uint64_t gates;  /* address of struct dwell_gate[gate_count]; without gates, hooks test `on` themselves */
	volatile uint32_t gate_count;
	volatile uint64_t site_blocks; /* address of the first block; 0: no block */
	volatile uint64_t map;            /* address of the hooks' map (filter.h); 0: no map, or no session had a throttle yet */
	volatile uint32_t hooked_modules; /* files with hooks found so far */
	volatile uint32_t own_hooks;      /* the program's own hook functions stay in use */
	volatile uint32_t on;             /* recording is on */
	/* enum control_may (agent.h), set by a call that handles a request. Not 0: the call holds no lock and nothing of the
	 * thread's own. So the calling process may put the call aside, let the thread run the program for a while, and then resume
	 * the call. Above 1: the call waits for an answer meanwhile. */
	volatile uint32_t may_pause;
	/* Address of a function (anything, lost) for a call from outside: handles the request. lost: an earlier call was put aside
	 * and never goes on. */
	volatile uint64_t handle_request;
	volatile uint64_t changes; /* address of the first struct dwell_changes; 0: no changes */
	/* Address of a function (anything, how far). 0: leaves the session. 1: also unmaps sessions left before; pre: no thread is
	 * in the agent. Does nothing if the session is not closed, a request waits, or another thread handles one. */
	volatile uint64_t release;
	/* Number of the last handled or failed request; error is then 0 or −errno. */
	volatile uint32_t answered;
	volatile int32_t error;
	char session[DWELL_CONTROL_PATH_BYTES]; /* name of the current or last session; empty: no session yet */

	/* A request: leave the current session and join a new session. */
	volatile uint32_t request; /* number of the request; written last */
	/* The addressed process, by the process's own number: a forked child has a copy of the block, and must not answer. */
	volatile uint32_t request_pid;
	char request_session[DWELL_CONTROL_PATH_BYTES];
};

#endif
