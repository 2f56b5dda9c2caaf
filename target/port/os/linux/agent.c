/* SPDX-License-Identifier: MIT
 *
 * Starts the agent, and holds the general ways into the recorder. See agent.h.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/environment.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/image.h"
#include "port/os/linux/next.h"
#include "port/os/linux/system.h"

#include "dwell/dwell.h"

#include <linux/mman.h>

static volatile uint32_t always = 1;
struct agent agent = {.own = &always}; /* programs may call hooks before the start */

/* Optional; the agent calls it only at its start. */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso) OPTIONAL;

/* Maps a page that the kernel wipes in the child of any fork, even of one unknown to libc. Before Linux 4.14 an ordinary word
 * replaces the page, and the agent notices only libc's forks. */
static void begin_own(void)
{
	long page = system_mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if ((unsigned long)page >= -4096ul || system_madvise((void *)page, 4096, MADV_WIPEONFORK) < 0)
		return;
	*(volatile uint32_t *)page = 1;
	agent.own = (volatile uint32_t *)page;
}

/* In the child of a fork, the thread still refers to the ring of the parent's thread. The child gives up this ring before it can
 * record anything. */
void agent_begin_forked_child(void)
{
	*agent.own = 1;
	modules_begin_child();
	control_begin_child();
	membership_begin_child();
}

/* The program has forked by an instruction of its own. Up to this first event on the slow path, the child has recorded into the
 * parent's ring. The session counts such children. */
static __attribute__((noinline)) void begin_unannounced_child(void)
{
	if (agent.session)
		__atomic_fetch_add(&agent.session->unnoticed_forks, 1, __ATOMIC_RELAXED);
	forks_count();
	agent_begin_forked_child();
}

void agent_notice_child(void)
{
	if (!*agent.own)
		begin_unannounced_child();
}

uint64_t agent_begin_libc_call(void)
{
	struct dwell_thread *thread = port_thread();
	uint64_t mask = system_block_signals();

	if (!thread->libc_depth++)
		thread->libc_mask = mask;
	return mask;
}

void agent_end_libc_call(uint64_t before)
{
	port_thread()->libc_depth--;
	system_restore_signals(before);
}

/* Whether the program's file has a control block of another agent, which joins the same sessions: sets *data, a bool. */
static int find_linked_agent(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct dwell_control *control;
	struct image image;

	(void)size;
	if (image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) && image.control) {
		control = (const struct dwell_control *)image.control;
		*(bool *)data = control != &dwell_control && image.control >= image.low &&
				image.control + sizeof *control <= image.high && control->magic == DWELL_CONTROL_MAGIC &&
				control->version == DWELL_CONTROL_VERSION && control->session_version == DWELL_SESSION_VERSION;
	}
	return 1; /* stop: the program comes first */
}

/* Whether the program has an agent linked in. If so, this preloaded agent stays out: both would join the session, as two processes.
 * If the linked agent is of another version, it joins no session, and this one reports instead. */
static bool another_is_linked(void)
{
	bool is = false;

	next_list_files(find_linked_agent, &is);
	return is;
}

__attribute__((constructor(101))) static void begin_agent(int argc, char **argv, char **envp)
{
	const char *path;
	uint64_t call_mask;

	if (!next_is_glibc())
		return;
	path = environment_session(argc, argv, envp);
	if (confined_begin(path))
		return;
	agent.first_thread_pointer = (uint64_t)__builtin_thread_pointer();
	agent.argc = argc;
	agent.argv = argv;
	port_begin();
	begin_own();
	injected_begin();
	if (another_is_linked())
		return;
	/* Without a session, too, the agent makes the hooks ready: then recording can begin later without a change of code under
	 * running threads. */
	if (path)
		membership_begin(path);
	/* An injected agent adopts modules at its first request to join: here, a thread of the program waits for this function. */
	if (!agent.is_injected)
		modules_adopt(0);
	hooks_adopt_own();
	linked_find_unseen();
	loader_watch();
	if (!agent.on)
		hooks_switch(false);
	control_begin(agent.session ? path : "");
	call_mask = agent_begin_libc_call();
	if (IS_DEFINED(__register_atfork))
		__register_atfork(forks_count, 0, agent_begin_forked_child, &agent);
	agent_end_libc_call(call_mask);
}

__attribute__((destructor(101))) static void end_agent(void)
{
	agent_notice_child();
	if (agent.session && PORT_CLOCK_HZ)
		journal_clock();
}

/* Records an event on the slow path. window: the place needs a WINDOW. */
static inline __attribute__((always_inline)) void event(void *function, void *site, enum dwell_event_kind kind, bool window)
{
	struct dwell_thread *thread = port_thread();
	uint64_t from = (uintptr_t)site;

	uint8_t mark = !window && filter_map ? filter_map[(uint32_t)(uintptr_t)function >> DWELL_FILTER_GRANULE_SHIFT] : 0;

	if (mark == 1 || (mark && kind == DWELL_EXIT))
		return;
	if (__builtin_expect(!*agent.own, 0))
		begin_unannounced_child();
	if (!control_admit(thread))
		return;
	if (mark) {
		throttle_count(thread, mark);
		return;
	}
	if (dwell_trace_wants_site(thread) && kind == DWELL_ENTER)
		from = inlined_call_site((uintptr_t)function, from, (uintptr_t)__builtin_return_address(0));
	dwell_trace_slow(thread, (uintptr_t)function, from, kind, window, port_stack_pointer());
}

void agent_enter(void *function, void *site)
{
	event(function, site, DWELL_ENTER, false);
}

void agent_exit(void *function, void *site)
{
	event(function, site, DWELL_EXIT, false);
}

void agent_enter_window(void *function, void *site)
{
	event(function, site, DWELL_ENTER, true);
}

void agent_exit_window(void *function, void *site)
{
	event(function, site, DWELL_EXIT, true);
}

/* For a call from a module loaded after the start: adopts the module, so that the module's next calls do not come here. Returns
 * whether the event needs a window: the same result as for the module's later events, since an exit must have the place of its
 * enter. */
static bool adopt(void *function)
{
	if (agent.on)
		modules_adopt((uint64_t)function);
	return modules_needs_window((uint64_t)function);
}

void agent_enter_unknown(void *function, void *site)
{
	event(function, site, DWELL_ENTER, adopt(function));
}

void agent_exit_unknown(void *function, void *site)
{
	event(function, site, DWELL_EXIT, adopt(function));
}

void dwell_stack_switch(const void *id)
{
	if (agent.session)
		dwell_trace_switch(port_thread(), stacks_find_named(id));
}

void dwell_stack_end(const void *id)
{
	if (agent.session && agent.on && id)
		dwell_trace_stack_ended(port_thread(), stacks_find_named(id));
}

void dwell_snapshot(void)
{
	struct dwell_session *session = agent.session;

	if (session && !session->closed)
		__atomic_fetch_add(&session->snapshots, 1, __ATOMIC_RELEASE);
}
