/* SPDX-License-Identifier: MIT
 *
 * The agent: what runs inside a recorded Linux process. It has no thread, no lock and no codec; recording calls nothing of libc (about
 * files that are loaded later the loader is asked, once each). It fills the rings of the session and tells about modules and processes
 * in the journal; everything else is `dwell record`'s.
 *
 *     agent.c    start, session, process, fork
 *     thread.c   a thread's first event: its ring
 *     modules.c  which files are mapped, which of them have hooks
 *     hooks.c    where their calls arrive, and what they are turned into
 *     image.c    the little of ELF that the above needs: symbols and relocations of a mapped file
 *     unwind.c   longjmp and caught exceptions
 *     inlined.c  where the next enter behind one of those was called from
 *     journal.c  messages to record
 */
#ifndef DWELL_LINUX_AGENT_H
#define DWELL_LINUX_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/trace.h"
#include "port/os/linux/session.h"

#define HIDDEN __attribute__((visibility("hidden")))

/* A function of libc that the preloaded agent can do without: it may be in a process that has none. Linked into a program there is
 * one, and a weak name would not bring its part of a static library in. */
#ifdef DWELL_LINKED_AGENT
#define OPTIONAL
#define IS_THERE(function) true
#else
#define OPTIONAL __attribute__((weak))
#define IS_THERE(function) (&(function) != 0)
#endif

struct agent {
	struct dwell_session *session; /* null: not recorded */
	uint32_t process;              /* index in the session */
	uint32_t pid;
	uint32_t slot_count;           /* of the session's slots, those whose rings are mapped here */
	volatile uint32_t on;          /* recording */
	volatile uint64_t stop_ticks;  /* when it was turned off last */
	int argc;
	char **argv;
};
extern struct agent agent HIDDEN;

/* journal.c: kind and payload as in format.h. Any thread; false (and counted) when the journal is full. */
bool journal_append(uint32_t kind, const void *payload, uint32_t bytes) HIDDEN;
/* A clock point: ticks against CLOCK_MONOTONIC and wall time. */
void journal_clock(void) HIDDEN;

/* modules.c: looks at all mapped files, tells about those that are new and redirects their hooks. At start (place 0), and when a call
 * arrives from a function at place whose file is not known yet. Takes the loader's lock. */
void modules_adopt(uint64_t place) HIDDEN;
/* A forked child starts with its parent's modules: tells about them under its own process. */
void modules_tell_again(void) HIDDEN;
/* Where the index of the unwind tables of the file mapped at address is, and its size; 0 when unknown. Any thread, any signal. */
uint64_t modules_get_unwind_index(uint64_t address, uint64_t *bytes) HIDDEN;

/* inlined.c: an address inside the call that an enter came from which follows an unwind, from what the hook was given and where it
 * returns to. Any thread, any signal; a search in a table. */
uint64_t inlined_call_site(uint64_t function, uint64_t site, uint64_t hook_return) HIDDEN;

/* hooks.c: what a module's hook calls are turned into. */
struct hook_targets {
	void *enter, *exit;
};
/* For the module at [low, high). window: its low-32 span collides with another's, and each event must say its high half. */
struct hook_targets hooks_make_targets(uint64_t low, uint64_t high, bool window) HIDDEN;
/* Turns indirect jumps and calls through got, anywhere in the code [begin, end), into direct ones. Returns how many; 0 where the
 * processor or the system does not allow it: then calls go through got as before. */
unsigned hooks_patch_code(uint64_t begin, uint64_t end, void *const *got, const void *target) HIDDEN;
/* Turns all targets on or off, one byte each where the processor allows it. */
void hooks_switch(bool on) HIDDEN;
/* The exported entries do nothing but return from now on: the process is not recorded. */
void hooks_disable(void) HIDDEN;
/* The exported entries are this program's own (libdwell.a): make them as fast as a module's. */
void hooks_adopt_own(void) HIDDEN;

/* The general ways into the recorder, for hooks.c's targets to fall back on. */
void agent_enter(void *function, void *site) HIDDEN;
void agent_exit(void *function, void *site) HIDDEN;
void agent_enter_window(void *function, void *site) HIDDEN;
void agent_exit_window(void *function, void *site) HIDDEN;
/* From a module that is not known yet. */
void agent_enter_unknown(void *function, void *site) HIDDEN;
void agent_exit_unknown(void *function, void *site) HIDDEN;

/* The exported entries, __cyg_profile_func_enter and _exit, by names that nobody else has: asked for by those that everybody knows, the
 * linker gives the program's, where it has hooks of its own. */
extern void dwell_own_enter(void *function, void *site) HIDDEN;
extern void dwell_own_exit(void *function, void *site) HIDDEN;

#endif
