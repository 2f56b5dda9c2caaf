/* SPDX-License-Identifier: MIT
 *
 * The agent: the part of dwell inside a recorded Linux process. The agent has no thread, no lock and no codec. Recording calls
 * nothing of libc, except the loader, once for each file loaded later. The agent fills the rings of the session and writes modules
 * and processes into the journal; `dwell record` does everything else.
 *
 *     agent.c    start, fork, the general ways into the recorder, stacks and snapshots for the program
 *     membership.c  opens, joins and leaves a session
 *     numbers.c  process and thread numbers as record counts them
 *     parts.c    maps the parts of a session
 *     requests.c starts and stops recording, from outside (control.h) and for the program
 *     thread.c   a thread's first event: finds its ring
 *     wait.c     a full ring when nothing may be lost: the thread waits for record
 *     modules.c  finds the mapped files and their hooks (modules_at.c: by address; modules_plan.c: their plans)
 *     loader.c   notices files loaded later
 *     namespaces.c  files opened with dlmopen
 *     overhead.c measures the cost of recording a call
 *     filter.c   functions left out of the recording
 *     plans.c    requests plans for files without hooks
 *     changes.c  changes of code, written by record
 *     injected.c  wrappers in a process with an agent injected at run time
 *     throttle_follow.c  throttled functions: recording a call costs more than the call takes (throttle.h)
 *     hooks.c    destinations of hook calls, and how calls are patched (in port/cpu, with sites.c, stubs.c and planned.c)
 *     image.c    symbols and relocations of a mapped file
 *     unwind.c   longjmp and exceptions
 *     extents.c  where functions begin and end, by the unwind tables of a mapped file
 *     inlined.c  the call site of the next enter after an unwind
 *     frames.h   finds the functions with live frames (frames.c is in port/cpu)
 *     landing.c  where an unwind lands, by live frames
 *     stacks.c   finds the current stack of a thread
 *     execs.c    reports started programs that dwell cannot record
 *     names.c    thread names; renames.c: changes of names
 *     contexts.c stacks and vforks, by calls of libc
 *     confined.c processes that give up the clock or system calls
 *     forks.c    forks that run no handlers of pthread_atfork
 *     marks.c    dwell_mark: events with a text
 *     journal.c  messages to record
 *     environment.c  how the process was started
 *     held.c     record's files, kept open for a program after exec
 *     next.c     libc's functions behind the agent's wrappers
 *     system.h   system calls without libc; memory.c: what compilers call by themselves
 *     linked/    replaces interposing in an agent linked into the program; hooks for processors without stubs of their own
 */
#ifndef DWELL_LINUX_AGENT_H
#define DWELL_LINUX_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/trace.h"
#include "port/os/linux/control.h"
#include "port/os/linux/session.h"
#include "port/os/linux/throttle.h"

#define HIDDEN __attribute__((visibility("hidden")))

/* INTERPOSED(name): name of the agent's wrapper of a function of libc. In a preloaded agent, the wrapper has the function's own
 * name. A linked agent would define the name a second time. So the wrapper gets the name to which `ld --wrap` sends calls, and
 * linked_slots.c redirects calls through a dynamic linker.
 *
 * OPTIONAL: marks a function of libc as dispensable for the preloaded agent, since a process may lack the function. A program with
 * a linked agent has the function; a weak name would not pull the function out of a static library. */
#ifdef DWELL_LINKED_AGENT
#define IS_LINKED true
#define OPTIONAL
#define IS_DEFINED(function) true
#define INTERPOSED(name) __wrap_##name
#else
#define IS_LINKED false
#define OPTIONAL __attribute__((weak))
#define IS_DEFINED(function) (&(function) != 0)
#define INTERPOSED(name) name
#endif

struct agent {
	/* Null: no session yet. After membership_end: a closed session without slots, until the process joins another session. Set
	 * last: the journal already has everything needed before events. */
	struct dwell_session *volatile session;
	uint32_t process;              /* index in the session */
	uint32_t pid;                  /* the process's own number … */
	uint32_t number;               /* … and record's number of the process: numbers.c */
	bool is_inside;                /* not in record's PID namespace */
	bool is_copy;                  /* the process was forked during the recording */
	volatile uint32_t on;          /* recording is on */
	volatile uint32_t generation;  /* number of sessions joined; a thread of an older session begins again */
	volatile uint32_t handled_request;    /* number of the last handled request from outside */
	volatile uint32_t order;       /* last followed order of the session */
	volatile uint32_t throttled;   /* last followed throttled count of the session */
	volatile uint32_t may_miss_entries;  /* running functions may have begun while recording was off */
	uint32_t hooked_modules;       /* files with hooks found so far */
	uint32_t own_hooks;            /* 1: the program's own hook functions stay in use */
	/* The agent was injected into a running process: threads may be in the code of any file. */
	bool is_injected;
	volatile bool is_confined;     /* recording never goes on: confined.c */
	bool restores;                 /* the last recording restores the code when it ends (control.h) */
	bool own_fentry;               /* the program defines __fentry__: calls of __fentry__ must not reach the agent */
	uint64_t hook_kinds;           /* enum dwell_hooks found so far; the session has these and the next three counts, too */
	uint64_t skipped_functions;
	uint64_t unpatched_modules;
	uint64_t unseen;               /* direct calls of longjmp and the like, counted in the code: they miss the agent */
	volatile uint64_t stop_ticks;  /* when recording was last turned off */
	int argc;
	char **argv;
	uint64_t first_thread_pointer; /* of the thread that started the agent: main's, if the agent was not injected */
	volatile uint32_t *own;        /* 0: the process is a child of a fork unknown to libc: the kernel has wiped the page */
};
extern struct agent agent HIDDEN;

/* membership.c: maps the session named path, and writes the process and the modules into the journal. Only then do threads find the
 * session, and record. Returns 0 or −errno. At the start, or after membership_end. */
int membership_begin(const char *path) HIDDEN;
/* Takes the rings away from all threads and leaves the session. The session stays mapped, as a rule for a second or more, since a
 * thread may be in the middle of an event. */
void membership_end(void) HIDDEN;
/* Unmaps the sessions that the process has left, except those with a ring that membership_end could not take away. pre: no thread
 * is in the middle of an event. */
void membership_release(void) HIDDEN;
/* In a forked child: joins the parent's session as a new process. */
void membership_begin_child(void) HIDDEN;
/* Appends to the journal of the current session; without one, of the session named by path. If the session cannot be mapped, does
 * nothing. Any thread. */
void membership_report(const char *path, uint32_t kind, const void *payload, uint32_t bytes) HIDDEN;

/* numbers.c: sets agent.is_inside, .pid and .number for the session. is_child: the process was forked just now, and agent holds the
 * parent's values. */
void numbers_begin(const struct dwell_session *session, bool is_child) HIDDEN;
/* Returns the running thread's number for record. Any signal; a system call, in another namespace three. */
uint32_t numbers_thread(const struct dwell_session *session) HIDDEN;
/* membership.c: opens the session that record calls name. Returns a descriptor, or −errno; the caller closes the descriptor. */
int parts_open(const char *name) HIDDEN;
/* parts.c: maps the head of a session and prepares the mapping of the rest. header: a checked copy of the header in fd. *session:
 * freed by parts_unmap. Returns 0 or −errno. */
long parts_map(const struct dwell_session *header, int fd, const char *name, struct dwell_session **session) HIDDEN;
/* Unmaps all parts. pre: no thread uses the session any more. */
void parts_unmap(struct dwell_session *session) HIDDEN;
/* Return the journal's memory at pos, at least DWELL_SESSION_ENTRY_MAX bytes, and the ring of a slot. Both map the memory if
 * needed, by some system calls. Null: cannot be mapped. pre: pos is in the journal; slot < slot_count. Any thread, any signal. */
void *parts_journal(struct dwell_session *session, uint64_t pos) HIDDEN;
struct dwell_ring *parts_ring(struct dwell_session *session, uint32_t slot) HIDDEN;

/* requests.c: see control.h. */
extern struct dwell_control dwell_control HIDDEN;
/* session: name of the session joined at the start of the process; empty: no session. */
void control_begin(const char *session) HIDDEN;
/* In a forked child: gives up the parent's unfinished request. */
void control_begin_child(void) HIDDEN;
/* Adds a gate: the byte at this address, and its values while recording is on and off. Does nothing if the table is full. */
void control_add_gate(void *byte, uint8_t on, uint8_t off) HIDDEN;
/* Returns a gate. Null: index is too high, or the gate is not filled in yet. */
const struct dwell_gate *control_gate(uint32_t index) HIDDEN;
/* Sets on in the agent and in the control block; does not switch the hooks (hooks_switch). */
void control_set_on(bool on) HIDDEN;
/* For every event on the slow path, before the event is recorded: follows requests, orders and the throttle. False: do not record
 * the event. Any thread, any signal. */
bool control_admit(struct dwell_thread *thread) HIDDEN;
/* Whether a thread handles a request or follows the throttle: then no thread may adopt modules. */
bool control_is_handling(void) HIDDEN;
/* Sets whether a caller from outside may put the running call aside from now on (may_pause in control.h). False: no call from
 * outside is running. */
enum control_may { CONTROL_MUST_GO_ON, CONTROL_MAY_PAUSE, CONTROL_WAITS };
bool control_may_pause(enum control_may may) HIDDEN;

/* journal.c: appends an entry; kind and payload as in format.h. Any thread, any signal. False: there is no session; or the entry is
 * lost, and the session counts it: the journal is full, or entry and head exceed DWELL_SESSION_ENTRY_MAX. */
bool journal_append(uint32_t kind, const void *payload, uint32_t bytes) HIDDEN;
/* Like journal_append, for a session during joining. session null: does nothing and returns false. */
bool journal_append_to(struct dwell_session *session, uint32_t kind, const void *payload, uint32_t bytes) HIDDEN;
/* names.c: writes the running thread's current name into the slot of ring. Any thread, any signal; a system call. */
void names_update(const struct dwell_ring *ring) HIDDEN;

/* journal.c: appends a clock point: ticks against CLOCK_MONOTONIC and wall time. */
void journal_clock(void) HIDDEN;
/* journal.c: appends a clock point now and then, in a ring or linear recording, since record may be gone before the end. Any
 * thread; usually just reads the clock. */
void journal_clock_if_due(void) HIDDEN;

/* modules.c: looks at all mapped files, writes new files into the journal and redirects the hook calls. At the start (place 0), and
 * when a call arrives from a function at place in an unknown file. Takes the loader's lock. */
void modules_adopt(uint64_t place) HIDDEN;
/* Whether an event must record the high half of place. The cases: no known file with hooks holds the place; two files share the low
 * half; places in the file can be tags. Any thread, any signal. */
bool modules_needs_window(uint64_t place) HIDDEN;
/* For a call of __fentry__ with this return address: adopts the file if still unknown. Returns the function's start (bit 0: no site
 * at the exits); 0: the function is not recorded. *window: the place needs a WINDOW. */
uint64_t modules_adopt_site(uint64_t address, bool *window) HIDDEN;
/* Whether the enters and exits of the function with code [start, end) are recorded; *place: the place in the events. Any thread,
 * any signal; a search in a table and in the first bytes of the code. */
enum modules_hooked {
	MODULES_NOT_HOOKED,
	MODULES_HOOKED,
	MODULES_PERHAPS_HOOKED, /* a copy of the function at *place, or a function with an inlined copy */
	MODULES_HOOKED_UNKNOWN, /* places in the module need more than one word */
};
enum modules_hooked modules_find_hooked(uint64_t start, uint64_t end, uint64_t *place) HIDDEN;
/* Whether functions of the file at address may be recorded. Any thread, any signal. */
bool modules_is_hooked(uint64_t address) HIDDEN;
/* Whether calls inserted by the compiler record the functions of the file at address. Any thread, any signal. */
bool modules_calls_hooks(uint64_t address) HIDDEN;
/* See hooks_find_jump. */
uint64_t modules_find_jump(uint64_t pc) HIDDEN;
/* Finds the function of the code in [start, end), if the code is not the function's beginning. *whole_start: a guess, or 0.
 * return_address: the function's return address, or 0. False: unknown. Any thread, any signal; reads the code. */
bool modules_find_whole(uint64_t start, uint64_t end, uint64_t return_address, uint64_t *whole_start, uint64_t *whole_end) HIDDEN;
/* Throttles the function at the address with low half place: from now on a counter counts the calls, or the sites are off. With
 * counter DWELL_THROTTLE_UNDO, records the function again. Refused for a file loaded after ticks. By one thread at a time, while no
 * modules are adopted. */
enum dwell_throttle_state modules_throttle(uint32_t place, uint32_t counter, uint64_t ticks) HIDDEN;
/* Adds to the counts of the agent and of the session. kinds: set of enum dwell_hooks; skipped: functions left unrecorded;
 * unpatched: files left unpatched. */
void modules_count(uint64_t kinds, uint64_t skipped, uint64_t unpatched) HIDDEN;
/* Looks at the mapped files again: the loader has loaded or unloaded files. */
void modules_changed(void) HIDDEN;
/* Writes all known modules into the journal again: for a forked child, or another session. */
void modules_report_all(struct dwell_session *session) HIDDEN;
/* Applies the filter of filter_begin to the known modules. pre: recording is off. */
void modules_filter(void) HIDDEN;
/* Requests plans for the known modules and, in an injected agent, for modules loaded unnoticed. Adds the changes of code to the
 * control block. */
void modules_plan(void) HIDDEN;
void modules_begin_child(void) HIDDEN;
/* Whether a thread is adopting modules. */
bool modules_are_adopted(void) HIDDEN;
/* Returns the address of the unwind index (.eh_frame_hdr) of the file at address, and sets *bytes to the size. 0: unknown. Any
 * thread, any signal. */
uint64_t modules_get_unwind_index(uint64_t address, uint64_t *bytes) HIDDEN;

/* stacks.c: notes the beginning of a coroutine in [low, low + bytes): earlier calls in the memory are over. Any thread, any
 * signal. */
void stacks_note_context(uint64_t low, uint64_t bytes) HIDDEN;
/* Returns the number of the stack that the program names id; 0 for null. Any thread, any signal. */
uint32_t stacks_find_named(const void *id) HIDDEN;
/* Finds the running thread's own stack. pointer: an address on the current stack. One to three system calls; before Linux 6.11 also
 * one for each KiB of /proc/self/maps, up to the stack. */
void stacks_begin_thread(struct dwell_thread *thread, uintptr_t pointer) HIDDEN;

/* agent.c: enclose the agent's own calls of libc. The agent drops the thread's events in between, since the program has not caused
 * the calls. Signals are blocked meanwhile, since the agent would drop the events of a handler, too. _begin returns the argument of
 * _end. */
uint64_t agent_begin_libc_call(void) HIDDEN;
void agent_end_libc_call(uint64_t before) HIDDEN;

/* agent.c: begins in a forked child, with a copy of the parent's memory. */
void agent_begin_forked_child(void) HIDDEN;
/* agent.c: for a process that forked by an instruction of its own and has not noticed yet: begins the child, which the session
 * counts. Any thread, any signal; usually a comparison. */
void agent_notice_child(void) HIDDEN;
/* confined.c: whether the process was started without the right to read the clock; reports so to the session. Null: none. */
bool confined_begin(const char *session) HIDDEN;
/* forks.c: counts a fork that is about to happen. The parent may be gone before the child runs, and record waits for the child. */
void forks_count(void) HIDDEN;

/* unwind.c: returns the libc function behind the wrapper called name; null: not found. Takes the loader's lock. */
void *unwind_find_real(const char *name) HIDDEN;
struct image;
/* For a linked agent only (linked_slots.c, linked_real.c, linked_unseen.c): returns the function that `ld --wrap` names
 * __real_NAME. Null: the program was linked without the option, or the agent does not wrap the function. */
#ifdef DWELL_LINKED_AGENT
void *linked_find_real(const char *name) HIDDEN;
/* Redirects a file's calls through the dynamic linker's words to the agent's wrappers. is_program: the agent is in this file. */
void linked_adopt_slots(const struct image *image, bool is_program) HIDDEN;
/* In a static program linked without --wrap: counts the direct calls of functions that unwind, since they miss the agent. At the
 * start. */
void linked_find_unseen(void) HIDDEN;
#else
#define linked_find_real(name) 0
#define linked_adopt_slots(image, is_program) ((void)0)
#define linked_find_unseen() ((void)0)
#endif
/* modules.c: writes one word of a file's GOT, read-only or not. False: the system refuses. */
bool modules_redirect(const struct image *image, void **slot, void *target) HIDDEN;
/* injected.c: finds out, at the start, whether the agent was preloaded or injected into a running process. A preloaded agent comes
 * before libc in load order, so the program's calls of wrapped functions (longjmp, …) reach the wrappers. An injected agent comes
 * after libc, so the calls miss the wrappers. */
void injected_begin(void) HIDDEN;
/* In an injected agent: lists changes (changes.h) of the words through which a file calls the wrapped functions. */
void injected_adopt_slots(const struct image *image) HIDDEN;
/* loader.c: makes the loader call modules_changed after loading or unloading files. At the start. */
void loader_watch(void) HIDDEN;

/* inlined.c: returns an address inside the call instruction of an enter after an unwind; for a signal handler: site, as no
 * instruction calls the handler. function, site: the hook's arguments; hook_return: the hook's return address. Any thread, any
 * signal; a search in a table. */
uint64_t inlined_call_site(uint64_t function, uint64_t site, uint64_t hook_return) HIDDEN;

/* hooks.c: new destinations of a module's hook calls. */
struct hook_targets {
	void *enter, *exit;
};
/* Makes targets for the module at [low, high). window: the module's low-32 span collides with another module's, so each event must
 * record the high half of the place. */
struct hook_targets hooks_make_targets(uint64_t low, uint64_t high, bool window) HIDDEN;
/* Replaces the indirect jumps and calls through got in the code [begin, end) by direct jumps and calls. Returns the number of
 * changes; 0: the processor or the system allows no change, and calls go through got as before. */
unsigned hooks_patch_code(uint64_t begin, uint64_t end, void *const *got, const void *target) HIDDEN;
/* Turns all targets, exported entries and sites on or off, by a byte each where the processor allows changes of code. Muted sites
 * stay off. */
void hooks_switch(bool on) HIDDEN;
/* Sets the size of the session's rings. pre: recording is off. */
void hooks_set_ring(uint64_t slot_bytes) HIDDEN;
/* Finds and patches the sites of a module; the sites are on if recording is on. earlier: the result for an earlier file at the same
 * place, or null. hook: the module's enter hook of -finstrument-functions; 0: the module calls no hooks. Null: no sites, or the
 * sites cannot be patched, and the agent counts the file. */
struct extents;
struct sites;
enum sites_when {
	SITES_AT_START, /* only one thread runs, and the file stays mapped */
	SITES_LOADED,   /* the file was just loaded: no thread runs the code yet */
	SITES_CALLED,   /* a function of the file was called already */
};
struct dwell_filter_module;
struct sites *hooks_adopt_sites(const struct image *image, struct sites *earlier, bool window, enum sites_when when,
	const struct dwell_filter_module *filter, uint64_t hook) HIDDEN;
/* Patches a module without hooks by a plan with checked bounds (plans.h). Null: the code does not match the plan, or cannot be
 * changed; the agent counts both cases. With SITES_CALLED, lists the changes (struct dwell_changes in control.h) instead of
 * changing the module's code. Takes the plan, and unmaps it. */
struct dwell_plan;
struct sites *hooks_adopt_plan(const struct image *image, bool window, enum sites_when when,
	const struct dwell_filter_module *filter, const struct dwell_plan *plan) HIDDEN;
/* Gives up the unfinished hooks_adopt_plan of a call that was put aside and never goes on. */
void hooks_forget_unfinished(void) HIDDEN;
/* Whether the sites come from a plan, with a list of changes for record to make. */
bool hooks_are_planned(const struct sites *sites) HIDDEN;
/* For a module with a plan, in a later session: leaves out changes made only for functions dropped by the filter. Takes the plan,
 * and unmaps it. */
void hooks_filter_plan(struct sites *sites, const struct dwell_plan *plan) HIDDEN;
/* Ends the last filter: muted sites follow hooks_switch again. pre: recording is off. */
void hooks_unfilter(void) HIDDEN;
/* Applies a filter to existing sites: sites of dropped functions stay off. pre: recording is off. */
void hooks_filter_sites(const struct sites *sites, const struct dwell_filter_module *filter, uint64_t bias) HIDDEN;
/* mute: turns the sites of the function at place off; else lets the sites follow hooks_switch again. False: the function has no
 * sites, or the system refuses the change. */
bool hooks_mute_function(struct sites *sites, uint64_t place, bool mute) HIDDEN;
/* Forgets the sites of an unmapped module. */
void hooks_drop_sites(struct sites *sites) HIDDEN;
/* Whether the code is still patched: not if the file was unmapped and mapped again. */
bool hooks_are_patched(const struct sites *sites) HIDDEN;
/* Returns the start of the function with sites around address; bit 0: no site at the exits; 0: no such function. */
uint64_t hooks_find_function(const struct sites *sites, const struct extents *extents, uint64_t address) HIDDEN;
/* Like modules_find_hooked, for hooks of -finstrument-functions: searches for a call of hook: directly, through an entry of the
 * PLT, or through a word. */
enum modules_hooked hooks_find_place(
	const struct extents *extents, uint64_t start, uint64_t end, uint64_t hook, uint64_t *place) HIDDEN;
/* Returns the start of a different function to which the first few instructions from pc jump; 0: no such jump. */
uint64_t hooks_find_jump(const struct extents *extents, uint64_t pc) HIDDEN;
/* See modules_find_whole. */
bool hooks_find_whole(const struct extents *extents, uint64_t start, uint64_t end, uint64_t return_address, uint64_t *whole_start,
	uint64_t *whole_end) HIDDEN;
/* Makes an empty function call then. At the start; if the function is not as expected, nothing happens. */
void hooks_watch(uint64_t function, void (*then)(void)) HIDDEN;
/* Whether places in [low, high) can be tags: the range crosses a multiple of 4 GiB, or begins at or just above one. */
bool hooks_may_be_tags(uint64_t low, uint64_t high) HIDDEN;
/* Makes the exported entries switchable and, if the program contains the entries (libdwell.a), as fast as a module's hooks. */
void hooks_adopt_own(void) HIDDEN;

/* Processors without own stubs (hooks_plain.c) change no code and have no sites. */
#ifndef PORT_PATCHES
int hooks_none(int unused, ...) HIDDEN; /* never called */
#define HOOKS_NONE(...) (0 && hooks_none(0, __VA_ARGS__))
#define hooks_patch_code(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define hooks_switch(on) ((void)(on))
#define hooks_set_ring(slot_bytes) ((void)(slot_bytes))
#define hooks_adopt_sites(...) ((struct sites *)(intptr_t)HOOKS_NONE(__VA_ARGS__))
#define hooks_adopt_plan(...) ((struct sites *)(intptr_t)HOOKS_NONE(__VA_ARGS__))
#define hooks_unfilter() ((void)0)
#define hooks_are_planned(sites) HOOKS_NONE(sites)
#define hooks_filter_plan(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define hooks_forget_unfinished() ((void)0)
#define hooks_filter_sites(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define hooks_mute_function(...) HOOKS_NONE(__VA_ARGS__)
#define hooks_drop_sites(sites) ((void)(sites))
#define hooks_are_patched(sites) (!HOOKS_NONE(sites))
#define hooks_find_function(...) ((uint64_t)HOOKS_NONE(__VA_ARGS__))
#define hooks_find_place(...) ((enum modules_hooked)HOOKS_NONE(__VA_ARGS__))
#define hooks_find_whole(...) HOOKS_NONE(__VA_ARGS__)
#define hooks_find_jump(...) ((uint64_t)HOOKS_NONE(__VA_ARGS__))
#define hooks_watch(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define hooks_may_be_tags(...) HOOKS_NONE(__VA_ARGS__)
#define hooks_adopt_own() ((void)0)
#endif

/* The general ways into the recorder, for targets of hooks.c to fall back on. */
void agent_enter(void *function, void *site) HIDDEN;
void agent_exit(void *function, void *site) HIDDEN;
void agent_enter_window(void *function, void *site) HIDDEN;
void agent_exit_window(void *function, void *site) HIDDEN;
/* For calls from an unknown module. */
void agent_enter_unknown(void *function, void *site) HIDDEN;
void agent_exit_unknown(void *function, void *site) HIDDEN;

/* The exported entries, __cyg_profile_func_enter, __cyg_profile_func_exit and __fentry__, under private names: the linker would
 * bind the public names to hooks of the program. */
extern void dwell_own_enter(void *function, void *site) HIDDEN;
extern void dwell_own_exit(void *function, void *site) HIDDEN;
extern void dwell_own_fentry(void) HIDDEN;

#endif
