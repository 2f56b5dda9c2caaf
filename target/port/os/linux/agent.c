/* SPDX-License-Identifier: MIT
 *
 * The agent's start: find the session, say what process this is, adopt what is mapped. See agent.h.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include "dwell/dwell.h"

#include <linux/mman.h>

#define PROT_RW 3

struct agent agent;

/* What the agent asks of libc, at start-up only, and all of it optional. */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso) OPTIONAL;
#if defined(__x86_64__)
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));
int64_t dwell_rseq_offset;
#endif

static void begin_clock_and_claim(void)
{
#if defined(__x86_64__)
	if (&__rseq_size && __rseq_size && &__rseq_offset)
		dwell_rseq_offset = __rseq_offset;
#endif
}

static const char *find_environment(char **envp, const char *name)
{
	for (; envp && *envp; envp++) {
		const char *entry = *envp, *n = name;

		while (*n && *entry == *n)
			entry++, n++;
		if (!*n && *entry == '=')
			return entry + 1;
	}
	return 0;
}

static bool is_sane(const struct dwell_session *session)
{
	return session->magic == DWELL_SESSION_MAGIC && session->version == DWELL_SESSION_VERSION && session->bytes >= sizeof *session &&
	       session->slot_bytes > DWELL_RING_HEADER_BYTES && session->rings_offset < session->bytes &&
	       (session->bytes - session->rings_offset) / session->slot_bytes >= session->slot_count;
}

/* Maps as many rings as the process may: one with a limit on its address space records fewer threads at a time. */
static struct dwell_session *map_rings(int fd, const struct dwell_session *session)
{
	for (uint32_t count = session->slot_count; count; count /= 2) {
		long address = system_mmap(0, session->rings_offset + count * session->slot_bytes, PROT_RW, MAP_SHARED | MAP_NORESERVE, fd);

		if ((unsigned long)address < -4096ul) {
			agent.slot_count = count;
			return (struct dwell_session *)address;
		}
	}
	return 0;
}

static struct dwell_session *map_session(const char *path)
{
	int fd = system_open_rw(path);
	struct dwell_session *header, *session = 0;
	long address;

	if (fd < 0)
		return 0;
	/* First the header alone, to learn the size. */
	address = system_mmap(0, 4096, PROT_RW, MAP_SHARED, fd);
	if ((unsigned long)address < -4096ul) {
		header = (struct dwell_session *)address;
		if (is_sane(header) && !header->closed) {
			session = map_rings(fd, header);
			if (!session)
				__atomic_fetch_add(&header->unmappable, 1, __ATOMIC_RELAXED);
		}
		system_munmap(header, 4096);
	}
	system_close(fd);
	return session;
}

static unsigned copy_string(char *to, unsigned room, const char *from)
{
	unsigned n = 0;

	if (!room)
		return 0;
	while (n + 1 < room && from[n]) {
		to[n] = from[n];
		n++;
	}
	to[n] = 0;
	return n + 1;
}

static void put(unsigned char *to, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

/* Says what process this is. */
static void tell_process(void)
{
	union {
		uint64_t align;
		unsigned char bytes[3072];
	} payload = {0};
	unsigned at = DWELL_PROCESS_STRINGS, argc = 0;
	char path[512];
	long n = system_readlink("/proc/self/exe", path, sizeof path - 1);

	path[n > 0 ? n : 0] = 0;
	at += copy_string((char *)payload.bytes + at, sizeof payload - at, path);
	/* A long command line is cut, between two arguments. */
	while ((int)argc < agent.argc && agent.argv[argc] && at + 256 < sizeof payload) {
		at += copy_string((char *)payload.bytes + at, 256, agent.argv[argc]);
		argc++;
	}
	put(payload.bytes + DWELL_PROCESS_PID, agent.pid, 4);
	put(payload.bytes + DWELL_PROCESS_PARENT_PID, system_parent_pid(), 4);
	put(payload.bytes + DWELL_PROCESS_START_TICKS, port_now(), 8);
	put(payload.bytes + DWELL_PROCESS_ARGC, argc, 4);
	journal_append(DWELL_CHUNK_PROCESS, payload.bytes, at);
}

static void begin_process(void)
{
	agent.pid = system_pid();
	agent.process = __atomic_fetch_add(&agent.session->process_count, 1, __ATOMIC_RELAXED);
	tell_process();
}

/* In the child of a fork: the ring belongs to the parent's thread. Let go of it before anything else can be recorded. */
static void begin_forked_child(void)
{
	struct dwell_thread *thread = port_thread();

	thread->ring = 0;
	thread->state = DWELL_THREAD_BEGINNING;
	if (agent.session && !agent.session->closed) {
		begin_process();
		modules_tell_again();
	}
	thread->state = DWELL_THREAD_NEW;
}

__attribute__((constructor(101))) static void begin_agent(int argc, char **argv, char **envp)
{
	const char *path = find_environment(envp, DWELL_SESSION_ENV);

	agent.argc = argc;
	agent.argv = argv;
	begin_clock_and_claim();
	if (path)
		agent.session = map_session(path);
	if (!agent.session) {
		hooks_disable();
		return;
	}
	__atomic_fetch_add(&agent.session->agents, 1, __ATOMIC_RELAXED);
	begin_process();
	agent.on = 1;
	modules_adopt(0);
	hooks_adopt_own();
	if (IS_THERE(__register_atfork))
		__register_atfork(0, 0, begin_forked_child, &agent);
}

__attribute__((destructor(101))) static void end_agent(void)
{
	if (agent.session && PORT_CLOCK_HZ)
		journal_clock();
}

static inline __attribute__((always_inline)) void event(void *function, void *site, enum dwell_event_kind kind, bool window)
{
	struct dwell_thread *thread = port_thread();
	uint64_t from = (uintptr_t)site;

	if (!agent.on)
		return;
	if (dwell_trace_wants_site(thread) && kind == DWELL_ENTER)
		from = inlined_call_site((uintptr_t)function, from, (uintptr_t)__builtin_return_address(0));
	dwell_trace_slow(thread, (uintptr_t)function, from, kind, window);
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

/* A call from a module that was not there at start: its next calls will not come here. */
static void adopt(void *function)
{
	if (agent.on)
		modules_adopt((uint64_t)function);
}

void agent_enter_unknown(void *function, void *site)
{
	adopt(function);
	event(function, site, DWELL_ENTER, true);
}

void agent_exit_unknown(void *function, void *site)
{
	adopt(function);
	event(function, site, DWELL_EXIT, true);
}


void dwell_stop(void)
{
	if (!agent.session || !agent.on)
		return;
	agent.on = 0;
	agent.stop_ticks = port_now();
	hooks_switch(false);
}

void dwell_start(void)
{
	struct dwell_session *session = agent.session;
	struct dwell_session_slot *slots;

	if (!session || agent.on || session->closed)
		return;
	slots = dwell_session_slots(session);
	for (uint32_t i = 0; i < session->slots_used; i++) {
		struct dwell_ring *ring = dwell_session_ring(session, i);

		if (slots[i].state != DWELL_SESSION_LIVE || slots[i].process != agent.process)
			continue;
		/* A stale epoch sends the thread's next event the slow way, which says OFF and ON. */
		ring->stop_ticks = agent.stop_ticks;
		ring->resume = 1;
		ring->epoch = ~(uint32_t)(port_now() >> 32);
	}
	agent.on = 1;
	hooks_switch(true);
}
