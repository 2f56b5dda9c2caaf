/* SPDX-License-Identifier: MIT
 *
 * The agent: what runs inside a recorded Linux process. It has no thread, no lock and no codec; recording calls nothing of libc (about
 * files that are loaded later the loader is asked, once each). It fills the rings of the session and tells about modules and processes
 * in the journal; everything else is `dwell record`'s.
 *
 *     agent.c    start, fork, the general ways into the recorder, start and stop from the program
 *     membership.c  joining a session and leaving it
 *     requests.c starting and stopping from outside (control.h)
 *     thread.c   a thread's first event: its ring
 *     wait.c     a full ring that nothing may be lost of: its calls are counted, by record or by the thread
 *     modules.c  which files are mapped, which of them have hooks
 *     loader.c   when there are others
 *     overhead.c what recording a call costs
 *     filter.c   which functions nobody wants
 *     plans.c    what to change in files without hooks
 *     changes.c  which code somebody else is to change
 *     brought.c  what is different in a process that ran before the agent came
 *     throttle_follow.c  which of them cost more to record than they take (throttle.h)
 *     hooks.c    where their calls arrive, and what they are turned into
 *     image.c    the little of ELF that the above needs: symbols and relocations of a mapped file
 *     unwind.c   longjmp and caught exceptions
 *     extents.c  where functions begin and end, by the unwind tables of a mapped file
 *     inlined.c  where the next enter behind one of those was called from
 *     frames.h   which functions' frames are live
 *     landing.c  where an unwind lands, by that
 *     stacks.c   which stack a thread runs on
 *     execs.c    programs that it starts and that cannot be recorded
 *     names.c    what threads are called; renames.c: and when they change it
 *     contexts.c what is known of that from calls of libc; forks and vforks
 *     journal.c  messages to record
 *     linked_*.c what the agent does instead of interposing, where it is linked into the program
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

/* INTERPOSED(name): what stands in front of a function of libc. Preloaded it has that function's name. Linked into a program that would
 * be defined twice: there it has the name that `ld --wrap` sends calls to, and linked_slots.c sends them where a dynamic linker does.
 *
 * OPTIONAL: a function of libc that the preloaded agent can do without: it may be in a process that has none. Linked into a program there
 * is one, and a weak name would not bring its part of a static library in. */
#ifdef DWELL_LINKED_AGENT
#define IS_LINKED true
#define OPTIONAL
#define IS_THERE(function) true
#define INTERPOSED(name) __wrap_##name
#else
#define IS_LINKED false
#define OPTIONAL __attribute__((weak))
#define IS_THERE(function) (&(function) != 0)
#define INTERPOSED(name) name
#endif

struct agent {
	struct dwell_session *volatile session; /* null: in none yet. There when all was told that belongs before events */
	uint32_t process;              /* index in the session */
	uint32_t pid;
	bool is_copy;                  /* the process was forked while it was recorded */
	volatile uint32_t on;          /* recording */
	volatile uint32_t generation;  /* counts sessions that were joined: a thread of an older one begins again */
	volatile uint32_t attended;    /* the last request from outside that was looked at */
	volatile uint32_t order;       /* of the session, likewise */
	volatile uint32_t throttled;   /* likewise */
	volatile uint32_t began_late;  /* functions may be running that were entered while nobody recorded */
	uint32_t hooked_modules;       /* found so far */
	uint32_t own_hooks;
	bool brought;                  /* the process ran already when the agent came into it: threads run code of all files */
	bool restores;                 /* whoever recorded it last is to find its code as it was (control.h) */
	bool own_fentry;               /* the program has a __fentry__ of its own: who calls it is not to call the agent */
	uint64_t hook_kinds;           /* enum dwell_hooks, likewise; and the session's two other counts of them */
	uint64_t skipped_functions;
	uint64_t unpatched_modules;
	uint64_t unseen;               /* calls that leave functions and that the agent is not told of */
	volatile uint64_t stop_ticks;  /* when it was turned off last */
	int argc;
	char **argv;
	uint64_t first_thread_pointer; /* of the thread that called main */
	volatile uint32_t *own;        /* 0: this is a child of a fork that nobody told about: the kernel has wiped the page */
};
extern struct agent agent HIDDEN;

/* membership.c: maps the session of that name and says what process and which modules this is; behind that other threads see it, and
 * record in it. 0, or −errno. At start, or when the one before was left. */
int membership_begin(const char *path) HIDDEN;
/* Takes the rings away from all threads. What they were stays mapped until the session after the next: a thread may be on its way. */
void membership_end(void) HIDDEN;
/* None is: it is unmapped now. */
void membership_release(void) HIDDEN;
/* In a forked child: a process of its own, in the same session. */
void membership_begin_child(void) HIDDEN;
/* Appends to the journal of the session that the process is in; else to that of this name, whoever is in it. Any thread. */
void membership_tell(const char *path, uint32_t kind, const void *payload, uint32_t bytes) HIDDEN;

/* requests.c: see control.h. */
extern struct dwell_control dwell_control HIDDEN;
/* session: the one that the process started in, or empty. */
void control_begin(const char *session) HIDDEN;
void control_begin_child(void) HIDDEN;
void control_add_gate(void *byte, uint8_t on, uint8_t off) HIDDEN;
/* Null: not there, or not filled in. */
const struct dwell_gate *control_gate(uint32_t index) HIDDEN;
void control_set_on(bool on) HIDDEN;
/* The first thing of every event on the slow path: requests and orders from outside. False: nothing is recorded. Any thread, any signal. */
bool control_look(struct dwell_thread *thread) HIDDEN;
/* A request is looked at just now: modules may not be. */
bool control_is_attending(void) HIDDEN;

/* journal.c: kind and payload as in format.h. Any thread; false (and counted) when the journal is full. */
bool journal_append(uint32_t kind, const void *payload, uint32_t bytes) HIDDEN;
/* The same to a session that is just being joined; null: to none. */
bool journal_append_to(struct dwell_session *session, uint32_t kind, const void *payload, uint32_t bytes) HIDDEN;
/* names.c: the name that the thread has now, into its slot. Any thread, any signal; a system call. */
void names_look(const struct dwell_ring *ring) HIDDEN;

/* A clock point: ticks against CLOCK_MONOTONIC and wall time. */
void journal_clock(void) HIDDEN;
/* One now and then, where record may not be there to the end: of a ring or linear recording. Any thread; a look at the clock. */
void journal_clock_sometimes(void) HIDDEN;

/* modules.c: looks at all mapped files, tells about those that are new and redirects their hooks. At start (place 0), and when a call
 * arrives from a function at place whose file is not known yet. Takes the loader's lock. */
void modules_adopt(uint64_t place) HIDDEN;
/* Whether an event at place must say its high half: no hooked file is known there, or its low half is another's, too. Any thread, any
 * signal. */
bool modules_needs_window(uint64_t place) HIDDEN;
/* A call of __fentry__ that returns to address: looks at its file when that is not known yet. Returns the beginning of the function if it
 * is one whose exits are recorded, else 0. *window: its place needs one. */
uint64_t modules_adopt_site(uint64_t address, bool *window) HIDDEN;
/* Whether the code in [start, end) is a function whose enters and exits are recorded, and by which place. Any thread,
 * any signal; a search in a table, and of the first bytes of the code. */
enum modules_hooked {
	MODULES_NOT_HOOKED,
	MODULES_HOOKED,
	MODULES_PERHAPS_HOOKED, /* it is a copy of that one, or has it inlined */
	MODULES_HOOKED_UNKNOWN, /* its places cannot be said in one word */
};
enum modules_hooked modules_find_hooked(uint64_t start, uint64_t end, uint64_t *place) HIDDEN;
/* Which function the code in [start, end) is a part of that does not begin with it, if it can be told. *whole_start: a guess, or 0.
 * return_address: of who called the function, or 0. Any thread, any signal; reads the code. */
bool modules_find_whole(uint64_t start, uint64_t end, uint64_t return_address, uint64_t *whole_start, uint64_t *whole_end) HIDDEN;
/* Has calls of the function whose address has this low half counted from now on, or its sites off; unless its file was loaded after ticks.
 * By one thread at a time, and not while modules are adopted. */
enum dwell_throttle_state modules_throttle(uint32_t place, uint32_t counter, uint64_t ticks) HIDDEN;
/* Counts what was found, also for the session: kinds of hooks, functions that cannot be recorded, files. */
void modules_count(uint64_t kinds, uint64_t skipped, uint64_t unpatched) HIDDEN;
/* The loader has loaded or unloaded something. */
void modules_changed(void) HIDDEN;
/* Tells about all modules that are known: under a forked child's process, in another session. */
void modules_tell_again(struct dwell_session *session) HIDDEN;
/* A filter has begun: what it drops of modules that are known already. Nothing is recorded. */
void modules_filter(void) HIDDEN;
/* Plans are made from now on: for modules that are known already, too. The changes of their code are told in the control block.
 * Those that came and went while nobody told the agent are looked for first. */
void modules_plan(void) HIDDEN;
void modules_begin_child(void) HIDDEN;
/* Somebody looks at them just now. */
bool modules_are_adopted(void) HIDDEN;
/* Where the index of the unwind tables of the file mapped at address is, and its size; 0 when unknown. Any thread, any signal. */
uint64_t modules_get_unwind_index(uint64_t address, uint64_t *bytes) HIDDEN;

/* stacks.c: a coroutine will begin in this memory; what was on it is over. Any thread, any signal. */
void stacks_note_context(uint64_t low, uint64_t bytes) HIDDEN;
/* The number of the stack that the program calls id; 0 for null. Any thread, any signal. */
uint32_t stacks_find_named(const void *id) HIDDEN;
/* Learns where the running thread's own stack is. pointer: into the stack it runs on. A system call or four. */
void stacks_begin_thread(struct dwell_thread *thread, uintptr_t pointer) HIDDEN;

/* agent.c: in a child that has a copy of its parent's memory. */
void agent_begin_forked_child(void) HIDDEN;

/* unwind.c: the function that an interposed one stands in front of; null when there is none. Takes the loader's lock. */
void *unwind_find_real(const char *name) HIDDEN;
struct image;
/* The linked agent alone (linked_slots.c, linked_real.c, linked_unseen.c).
 * What `ld --wrap` calls __real_NAME; null where the program was linked without. */
#ifdef DWELL_LINKED_AGENT
void *linked_find_real(const char *name) HIDDEN;
/* Sends the calls of a file that go through the dynamic linker's words to what stands in front of them. is_program: the agent is in it. */
void linked_adopt_slots(const struct image *image, bool is_program) HIDDEN;
/* Counts calls of such functions that can be sent nowhere. At start. */
void linked_find_unseen(void) HIDDEN;
#else
#define linked_find_real(name) 0
#define linked_adopt_slots(image, is_program) ((void)0)
#define linked_find_unseen() ((void)0)
#endif
/* modules.c: writes one such word, read-only or not. False: the system does not allow it. */
bool modules_redirect(const struct image *image, void **slot, void *target) HIDDEN;
/* An event while dwell_trace_is_watched(). Any thread, any signal. */
void unwind_pass(uint64_t place, bool is_exit) HIDDEN;
static inline void unwind_watch(struct dwell_thread *thread, uint64_t place, enum dwell_event_kind kind)
{
	if (dwell_trace_is_watched(thread))
		unwind_pass(place, kind == DWELL_EXIT);
}
/* brought.c: what a preloaded agent gets by its place among the libraries, and one that was brought into a process that ran already does
 * not: calls of longjmp and its like come to the agent first. At start: whether the process ran already, which then has a libc in front of
 * the agent. */
void brought_begin(void) HIDDEN;
/* The words of a file through which it calls them: as changes (changes.h). */
void brought_adopt_slots(const struct image *image) HIDDEN;
/* loader.c: has modules_changed called whenever the loader has loaded or unloaded files. At start. */
void loader_watch(void) HIDDEN;

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
/* Turns all targets and the exported entries on or off, one byte each where the processor allows it. */
void hooks_switch(bool on) HIDDEN;
/* The rings of the session have this size. Nobody records. */
void hooks_set_ring(uint64_t slot_bytes) HIDDEN;
/* Finds the patched sites of a module and makes them what they are from now on, on if recording is. earlier: what it gave for a file at the
 * same place that is gone. hook: what calls of the enter hook of -finstrument-functions arrive at, 0 where it has none. Null: it has no
 * sites, or they cannot be patched, which is counted. */
struct extents;
struct sites;
enum sites_when {
	SITES_AT_START, /* no other thread runs; and the file stays */
	SITES_LOADED,   /* the file was just loaded: nobody runs code of it */
	SITES_CALLED,   /* it was called already */
};
struct dwell_filter_module;
struct sites *hooks_adopt_sites(const struct image *image, struct sites *earlier, bool window, enum sites_when when,
	const struct dwell_filter_module *filter, uint64_t hook) HIDDEN;
/* The same for a module without hooks, by a plan that its bounds were checked of (plans.h). Null: the code is not what the plan was made
 * for, or cannot be changed, which is counted. SITES_CALLED: nothing of its code is changed here (control.h, struct dwell_changes). */
struct dwell_plan;
struct sites *hooks_adopt_plan(const struct image *image, bool window, enum sites_when when, const struct dwell_filter_module *filter,
	const struct dwell_plan *plan) HIDDEN;
/* Whether its sites are those of a plan, with changes that somebody else makes. */
bool hooks_are_planned(const struct sites *sites) HIDDEN;
/* Such a module, and its plan, in a later session: changes are left out of which the filter wants no part. */
void hooks_filter_plan(struct sites *sites, const struct dwell_plan *plan) HIDDEN;
/* The filter that was there is over: sites that it kept off are like all others. Nothing is recorded. */
void hooks_unfilter(void) HIDDEN;
/* One that came later than the sites were made: those that it drops stay off. Nothing is recorded. */
void hooks_filter_sites(const struct sites *sites, const struct dwell_filter_module *filter, uint64_t bias) HIDDEN;
/* Turns the sites of the function at place off, for as long as this session lasts. False: it has none, or they cannot be changed. */
bool hooks_mute_function(struct sites *sites, uint64_t place) HIDDEN;
/* In a child that has a copy of its parent's memory. */
void hooks_begin_child(void) HIDDEN;
/* The module is gone. */
void hooks_drop_sites(struct sites *sites) HIDDEN;
/* Whether the code is still as it was patched: not when the file was unmapped and mapped again. */
bool hooks_sites_stand(const struct sites *sites) HIDDEN;
/* The beginning of the function with sites that holds address, bit 0 of it: it has none at its exits; 0: there is none. */
uint64_t hooks_find_function(const struct sites *sites, const struct extents *extents, uint64_t address) HIDDEN;
/* The same for the hooks of -finstrument-functions: code that calls hook, or goes to it through an entry of the PLT. */
enum modules_hooked hooks_find_place(
	const struct extents *extents, uint64_t start, uint64_t end, uint64_t hook, uint64_t *place) HIDDEN;
/* See modules_find_whole. */
bool hooks_find_whole(const struct extents *extents, uint64_t start, uint64_t end, uint64_t return_address, uint64_t *whole_start,
	uint64_t *whole_end) HIDDEN;
/* Has then called by an empty function. At start; where the function is not as expected, nothing happens. */
void hooks_watch(uint64_t function, void (*then)(void)) HIDDEN;
/* Whether places in [low, high) can be tags: it lies across a multiple of 4 GiB. */
bool hooks_may_be_tags(uint64_t low, uint64_t high) HIDDEN;
/* The exported entries: in a program that has them itself (libdwell.a) as fast as a module's; everywhere, to be switched. */
void hooks_adopt_own(void) HIDDEN;

/* Processors without stubs of their own (hooks_plain.c) change no code, and have no sites. */
#ifndef PORT_PATCHES
int hooks_none(int unused, ...) HIDDEN; /* nobody calls it */
#define HOOKS_NONE(...) (0 && hooks_none(0, __VA_ARGS__))
#define hooks_patch_code(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define hooks_switch(on) ((void)(on))
#define hooks_set_ring(slot_bytes) ((void)(slot_bytes))
#define hooks_adopt_sites(...) ((struct sites *)(intptr_t)HOOKS_NONE(__VA_ARGS__))
#define hooks_adopt_plan(...) ((struct sites *)(intptr_t)HOOKS_NONE(__VA_ARGS__))
#define hooks_unfilter() ((void)0)
#define hooks_are_planned(sites) HOOKS_NONE(sites)
#define hooks_filter_plan(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define hooks_begin_child() ((void)0)
#define hooks_filter_sites(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define hooks_mute_function(...) HOOKS_NONE(__VA_ARGS__)
#define hooks_drop_sites(sites) ((void)(sites))
#define hooks_sites_stand(sites) (!HOOKS_NONE(sites))
#define hooks_find_function(...) ((uint64_t)HOOKS_NONE(__VA_ARGS__))
#define hooks_find_place(...) ((enum modules_hooked)HOOKS_NONE(__VA_ARGS__))
#define hooks_find_whole(...) HOOKS_NONE(__VA_ARGS__)
#define hooks_watch(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define hooks_may_be_tags(...) HOOKS_NONE(__VA_ARGS__)
#define hooks_adopt_own() ((void)0)
#endif

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
extern void dwell_own_fentry(void) HIDDEN;

#endif
