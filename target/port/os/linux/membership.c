/* SPDX-License-Identifier: MIT
 *
 * Joins a session, at the start of the process or later, and leaves it. See agent.h.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/environment.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/held.h"
#include "port/os/linux/plans.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define PROT_RW 3
#define ENOEXEC 8
#define EBUSY 16
#define PAGE_BYTES_MIN 4096u

/* Sessions that the process has left and still maps, and since when. No thread has a ring in such a session, except a thread
 * preempted between two instructions of a hook. That thread gets a second to go on. It gets less if the process leaves more than
 * LEFT_SESSIONS_MAX sessions in a second, or has no address space for the next session. */
#define LEFT_SESSIONS_MAX 16
#define LEFT_NS 1000000000ull
static struct left_session {
	struct dwell_session *session;
	uint64_t since_ns;
} left_session[LEFT_SESSIONS_MAX];

/* The value of agent.session from membership_end until the process joins another session: not null, since other threads are on the
 * slow path and read agent.session repeatedly. */
static struct {
	struct dwell_session_layout layout;
	struct dwell_session session;
} no_session = {.layout = {.slot_bytes = 1}, .session = {.closed = 1}};

static uint32_t kept; /* number of sessions that stay mapped, since the agent could not take all rings away */
#define KEPT_MAX 16

static bool is_error(long value)
{
	return (unsigned long)value >= -4095ul;
}

/* Whether the parts of the session follow each other, each inside the whole. Compares differences, since sums could overflow. A
 * difference counts only behind the check that it is not negative. */
static bool is_sane(const struct dwell_session *session)
{
	uint64_t table = (uint64_t)session->slot_count * sizeof(struct dwell_session_slot);
	uint64_t rings = (session->bytes - session->rings_offset) / (session->slot_bytes ? session->slot_bytes : 1);
	uint64_t pages = session->journal_offset | session->journal_bytes | session->rings_offset | session->slot_bytes;

	return session->magic == DWELL_SESSION_MAGIC_WORD && session->version == DWELL_SESSION_VERSION &&
	       session->bytes <= INT64_MAX && session->header_bytes % 8 == 0 && session->header_bytes >= sizeof *session &&
	       session->page_bytes >= PAGE_BYTES_MIN && !(session->page_bytes & (session->page_bytes - 1)) &&
	       pages % session->page_bytes == 0 && session->slot_count && session->header_bytes <= session->journal_offset &&
	       table <= session->journal_offset - session->header_bytes && session->journal_offset <= session->rings_offset &&
	       session->journal_bytes <= session->rings_offset - session->journal_offset &&
	       session->rings_offset <= session->bytes && session->slot_bytes > DWELL_RING_HEADER_BYTES &&
	       session->slot_count <= rings;
}

static void unmap_left(struct left_session *place)
{
	if (place->session)
		parts_unmap(place->session);
	place->session = 0;
}

/* Keeps the session mapped for a while. Unmaps sessions that the process left long ago and, if the list is full, the oldest one. */
static void keep_for_a_while(struct dwell_session *session)
{
	uint64_t now = system_clock_ns(1);
	struct left_session *place = left_session;

	for (struct left_session *other = left_session; other < left_session + LEFT_SESSIONS_MAX; other++) {
		if (other->session && now - other->since_ns > LEFT_NS)
			unmap_left(other);
		if (place->session && (!other->session || other->since_ns < place->since_ns))
			place = other;
	}
	unmap_left(place);
	*place = (struct left_session){session, now};
}

void membership_release(void)
{
	for (struct left_session *other = left_session; other < left_session + LEFT_SESSIONS_MAX; other++)
		unmap_left(other);
}

/* Unmaps all sessions in the list except the latest: this frees limited address space. */
static void unmap_all_but_latest(void)
{
	struct left_session *last = left_session;

	for (struct left_session *other = left_session; other < left_session + LEFT_SESSIONS_MAX; other++)
		if (other->since_ns > last->since_ns)
			last = other;
	for (struct left_session *other = left_session; other < left_session + LEFT_SESSIONS_MAX; other++)
		if (other != last)
			unmap_left(other);
}

/* Opens the session's file for reading and writing. Until the agent has begun, also holds the file (held.h). name: record's path of
 * the session; behind a colon, the file to which record will write the session. Returns a descriptor, which the caller closes, or
 * −errno. */
int parts_open(const char *name)
{
	return held_open(name, true, !dwell_control.begun);
}

/* Reads the header instead of mapping it. No process truncates a session, but the name may now belong to another file. If a process
 * truncates this file, a mapping beyond its end is a SIGBUS in the program. */
static bool read_header(int fd, struct dwell_session *header)
{
	char last;

	if (system_pread(fd, header, sizeof *header, 0) != (long)sizeof *header)
		return false;
	if (!header->page_bytes)
		header->page_bytes = PAGE_BYTES_MIN; /* made by an older dwell */
	return is_sane(header) && !header->closed && system_pread(fd, &last, 1, header->bytes - 1) == 1;
}

/* Counts this process in the session as one without address space for the session. Maps only the first page for that. */
static void count_unmappable(int fd)
{
	long address = system_mmap(0, 4096, PROT_RW, MAP_SHARED, fd);

	if (is_error(address))
		return;
	__atomic_fetch_add(&((struct dwell_session *)address)->unmappable, 1, __ATOMIC_RELAXED);
	system_munmap((void *)address, 4096);
}

/* Opens, checks and maps a session. Returns 0 or −errno; −ENOEXEC: the file is no session, or the session is closed. */
static int map_session(const char *name, struct dwell_session **session)
{
	int fd = parts_open(name), error = -ENOEXEC;
	struct dwell_session header;

	if (fd < 0)
		return fd;
	if (read_header(fd, &header)) {
		error = (int)parts_map(&header, fd, name, session);
		if (error) {
			unmap_all_but_latest();
			error = (int)parts_map(&header, fd, name, session);
		}
		if (error)
			count_unmappable(fd);
	}
	system_close(fd);
	return error;
}

/* Copies a string, cut to the room. Returns the bytes used, with the final zero. */
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

/* Writes the process into the journal. Without large variables on the stack, since this may be any
 * function's stack, or a signal's. */
static void report_process(struct dwell_session *session, uint32_t parent)
{
	static union {
		uint64_t align;
		unsigned char bytes[3072];
	} payload;
	static char path[512];
	unsigned at = DWELL_PROCESS_STRINGS, argc = 0;

	environment_write_program(agent.argc, agent.argv, path, sizeof path);
	at += copy_string((char *)payload.bytes + at, sizeof payload - at, path);
	/* A long command line loses its last arguments, an argument of more than 255 bytes its end. */
	while ((int)argc < agent.argc && agent.argv[argc] && at + 256 < sizeof payload) {
		at += copy_string((char *)payload.bytes + at, 256, agent.argv[argc]);
		argc++;
	}
	put(payload.bytes + DWELL_PROCESS_PID, agent.number, 4);
	put(payload.bytes + DWELL_PROCESS_PARENT_PID, parent, 4);
	put(payload.bytes + DWELL_PROCESS_START_TICKS, port_now(), 8);
	put(payload.bytes + DWELL_PROCESS_ARGC, argc, 4);
	journal_append_to(session, DWELL_CHUNK_PROCESS, payload.bytes, at);
}

#define NO_PARENT UINT32_MAX
/* Gives this process its index in the session (agent.process), and writes the process into the journal. parent: in a child that was
 * forked just now, the index of the process that called fork. NO_PARENT: the process joins by membership_begin. */
static void begin_process(struct dwell_session *session, uint32_t parent)
{
	uint32_t parent_number = agent.number;

	numbers_begin(session, parent != NO_PARENT);
	if (parent == NO_PARENT)
		parent_number = system_parent_pid() | (agent.is_inside ? DWELL_TASK_INNER : 0);
	agent.process = __atomic_fetch_add(&session->process_count, 1, __ATOMIC_RELAXED);
	agent.is_copy = parent != NO_PARENT;
	if (agent.is_copy)
		throttle_begin_child(agent.process, parent);
	report_process(session, parent_number);
}

int membership_begin(const char *path)
{
	struct dwell_session *session = 0;
	char name[sizeof session->filter];
	int error = kept < KEPT_MAX ? map_session(path, &session) : -EBUSY;

	if (error)
		return error;
	__atomic_fetch_add(&session->agents, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&session->hooked_modules, agent.hooked_modules, __ATOMIC_RELAXED);
	__atomic_fetch_add(&session->own_hooks, agent.own_hooks, __ATOMIC_RELAXED);
	__atomic_fetch_or(&session->hook_kinds, agent.hook_kinds, __ATOMIC_RELAXED);
	__atomic_fetch_add(&session->skipped_functions, agent.skipped_functions, __ATOMIC_RELAXED);
	__atomic_fetch_add(&session->unpatched_modules, agent.unpatched_modules, __ATOMIC_RELAXED);
	__atomic_fetch_add(&session->unseen, agent.unseen, __ATOMIC_RELAXED);
	copy_string(name, sizeof name, session->filter);
	filter_begin(name, !dwell_control.begun);
	hooks_unfilter();
	copy_string(name, sizeof name, session->plans);
	plans_join(name, session->plans_of_libraries);
	copy_string(name, sizeof name, session->throttle);
	throttle_begin(name);
	agent.throttled = 0;
	modules_filter();
	begin_process(session, NO_PARENT);
	modules_report_all(session);
	hooks_set_ring(dwell_session_layout(session)->slot_bytes);
	/* Gates may be open now: with a request, the process outside opens the gates (control.h). So other threads may be on the
	 * slow path. Store the session last: a thread that reads agent.session may begin a ring in the session. */
	agent.order = session->order;
	agent.generation++;
	__atomic_store_n(&agent.session, session, __ATOMIC_SEQ_CST);
	control_set_on(agent.order & 1);
	if (agent.on)
		hooks_switch(true);
	return 0;
}

/* Sets the thread's ring to null, unless the thread has another ring by now. If the thread and its memory are gone, the system call
 * returns an error instead of a fault. False: the system refuses. */
static bool take_ring_away(uint64_t thread, const struct dwell_ring *ring)
{
	uint64_t word = 0, zero = 0, at = thread + offsetof(struct dwell_thread, ring);
	/* The main thread may have ended: then its number gives no access to the memory. */
	uint32_t here = system_tid();
	long got = system_process_vm(__NR_process_vm_readv, here, &word, at, sizeof word);

	if (got == -14 /* EFAULT */ || (got == sizeof word && word != (uint64_t)ring))
		return true;
	return got == sizeof word && system_process_vm(__NR_process_vm_writev, here, &zero, at, sizeof zero) == sizeof zero;
}

void membership_end(void)
{
	struct dwell_session *session = agent.session;
	struct dwell_session_slot *slots;
	bool taken = true;

	if (!session || session == &no_session.session)
		return;
	/* A thread that takes a ring right now reads agent.session again afterwards. So either the loop below finds the ring, or
	 * the thread finds the session changed. */
	__atomic_store_n(&agent.session, &no_session.session, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	slots = dwell_session_slots(session);
	for (uint32_t i = 0; i < dwell_session_layout(session)->slot_count && i < session->slots_used; i++) {
		struct dwell_ring *ring = dwell_session_ring(session, i);

		if (!ring || slots[i].process != agent.process || !slots[i].thread)
			continue;
		ring->closed = 1;
		ring->epoch = ~(uint32_t)(port_now() >> 32);
		taken &= take_ring_away(slots[i].thread, ring);
	}
	if (taken)
		keep_for_a_while(session);
	else
		kept++;
}

void membership_begin_child(void)
{
	struct dwell_session *session = agent.session;
	struct dwell_thread *thread = port_thread();

	thread->ring = 0;
	thread->state = DWELL_THREAD_BEGINNING;
	if (session && !session->closed) {
		uint32_t parent = agent.process;

		begin_process(session, parent);
		modules_report_all(session);
		__atomic_fetch_add(&session->forks_reported, 1, __ATOMIC_RELEASE);
	}
	thread->state = DWELL_THREAD_NEW;
}

void membership_report(const char *path, uint32_t kind, const void *payload, uint32_t bytes)
{
	struct dwell_session *session = agent.session;
	bool is_member = session && session != &no_session.session;

	if (!is_member && map_session(path, &session))
		return;
	journal_append_to(session, kind, payload, bytes);
	if (!is_member)
		parts_unmap(session);
}
