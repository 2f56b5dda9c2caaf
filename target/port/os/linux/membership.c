/* SPDX-License-Identifier: MIT
 *
 * Joining a session, at the start of the process or later, and leaving it. See agent.h.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/plans.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define PROT_RW 3
#define ENOEXEC 8
#define EBUSY 16

/* Where sessions that were left are mapped, and since when. Nobody has their rings any more, but for a thread that was stopped by the
 * machine between two instructions of a hook: it is given a second to go on, however fast sessions follow upon each other. */
#define LEFT_MAX 16
#define LEFT_NS 1000000000ull
static struct left {
	void *address;
	uint64_t bytes, since_ns;
} left[LEFT_MAX];

/* What is joined between two sessions: not null, since other threads are in the middle of the slow path, and read it again and again. */
static struct {
	struct dwell_session_layout layout;
	struct dwell_session session;
} nobodys = {.layout = {.slot_bytes = 1}, .session = {.closed = 1}};

static uint32_t kept; /* sessions that must stay mapped, since rings in them could not be taken away */
#define KEPT_MAX 16

static bool is_error(long value)
{
	return (unsigned long)value >= -4095ul;
}

/* One part behind the other, each inside of the whole; no sum can overflow in this order. */
static bool is_sane(const struct dwell_session *session)
{
	uint64_t table = (uint64_t)session->slot_count * sizeof(struct dwell_session_slot);
	uint64_t rings = (session->bytes - session->rings_offset) / (session->slot_bytes ? session->slot_bytes : 1);
	uint64_t offsets = session->header_bytes | session->journal_offset | session->journal_bytes | session->rings_offset |
			   session->slot_bytes;

	return session->magic == DWELL_SESSION_MAGIC_WORD && session->version == DWELL_SESSION_VERSION &&
	       session->bytes <= INT64_MAX && offsets % 8 == 0 && session->header_bytes >= sizeof *session &&
	       session->header_bytes <= session->journal_offset && table <= session->journal_offset - session->header_bytes &&
	       session->journal_offset <= session->rings_offset &&
	       session->journal_bytes <= session->rings_offset - session->journal_offset && session->rings_offset <= session->bytes &&
	       session->slot_bytes > DWELL_RING_HEADER_BYTES && session->slot_count <= rings;
}

static void unmap_session(const void *session, uint64_t bytes)
{
	system_munmap((unsigned char *)session - DWELL_SESSION_FRONT, DWELL_SESSION_FRONT + bytes);
}

static void unmap_left(struct left *place)
{
	if (place->address)
		unmap_session(place->address, place->bytes);
	place->address = 0;
}

/* What was left long ago is unmapped, or first, when there are too many. */
static void leave(struct dwell_session *session)
{
	uint64_t now = system_clock_ns(1);
	struct left *place = left;

	for (struct left *other = left; other < left + LEFT_MAX; other++) {
		if (other->address && now - other->since_ns > LEFT_NS)
			unmap_left(other);
		if (place->address && (!other->address || other->since_ns < place->since_ns))
			place = other;
	}
	unmap_left(place);
	*place = (struct left){session, dwell_session_layout(session)->mapped_bytes, now};
}

void membership_release(void)
{
	for (struct left *other = left; other < left + LEFT_MAX; other++)
		unmap_left(other);
}

/* All but the last one, which makes room where address space is limited. */
static void unmap_most(void)
{
	struct left *last = left;

	for (struct left *other = left; other < left + LEFT_MAX; other++)
		if (other->since_ns > last->since_ns)
			last = other;
	for (struct left *other = left; other < left + LEFT_MAX; other++)
		if (other != last)
			unmap_left(other);
}

/* Maps the session, and its layout in front of it. An address, or −errno. */
static long map_behind(int fd, const struct dwell_session_layout *layout)
{
	long front = system_mmap(0, DWELL_SESSION_FRONT + layout->mapped_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	long session = front + (long)DWELL_SESSION_FRONT, error = front;

	if (is_error(front))
		return error;
	error = system_mmap((void *)session, layout->mapped_bytes, PROT_RW, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd);
	if (!is_error(error))
		error = system_mprotect((void *)front, DWELL_SESSION_FRONT, PROT_RW);
	if (is_error(error)) {
		unmap_session((void *)session, layout->mapped_bytes);
		return error;
	}
	*(struct dwell_session_layout *)dwell_session_layout((struct dwell_session *)session) = *layout;
	return session;
}

/* Maps as many rings as the process may: one with a limit on its address space records fewer threads at a time, and leaves it to record to
 * count their calls. */
static int map_rings(int fd, const struct dwell_session *session, struct dwell_session **mapped)
{
	struct dwell_session_layout layout = {.slots_offset = session->header_bytes,
		.journal_offset = session->journal_offset,
		.journal_bytes = session->journal_bytes,
		.rings_offset = session->rings_offset,
		.slot_bytes = session->slot_bytes};
	long address = 0;

	for (uint32_t count = session->slot_count; count; count /= 2) {
		bool all = count == session->slot_count;

		layout.slot_count = count;
		layout.mapped_bytes = all ? session->bytes : session->rings_offset + count * session->slot_bytes;
		address = map_behind(fd, &layout);
		if (is_error(address) && all) {
			unmap_most();
			address = map_behind(fd, &layout);
		}
		if (!is_error(address)) {
			*mapped = (struct dwell_session *)address;
			return 0;
		}
	}
	return (int)address;
}

/* name: record's own way to the session; behind a colon, for when record is gone, that of the file. */
static int open_session(const char *name)
{
	char path[32];
	unsigned n = 0;
	int fd;

	while (name[n] && name[n] != ':' && n + 1 < sizeof path) {
		path[n] = name[n];
		n++;
	}
	path[n] = 0;
	fd = system_open_rw(path);
	return fd < 0 && name[n] == ':' ? system_open_rw(name + n + 1) : fd;
}

/* Read, not mapped: what has the name now may be a file that somebody is about to empty, and a mapping that lost its file is a SIGBUS in
 * the program. Sessions are never emptied. */
static bool read_header(int fd, struct dwell_session *header)
{
	char last;

	return system_pread(fd, header, sizeof *header, 0) == (long)sizeof *header && is_sane(header) && !header->closed &&
	       system_pread(fd, &last, 1, header->bytes - 1) == 1;
}

static void count_unmappable(int fd)
{
	long address = system_mmap(0, 4096, PROT_RW, MAP_SHARED, fd);

	if (is_error(address))
		return;
	__atomic_fetch_add(&((struct dwell_session *)address)->unmappable, 1, __ATOMIC_RELAXED);
	system_munmap((void *)address, 4096);
}

static int map_session(const char *name, struct dwell_session **session)
{
	int fd = open_session(name), error = -ENOEXEC;
	struct dwell_session header;

	if (fd < 0)
		return fd;
	if (read_header(fd, &header)) {
		error = map_rings(fd, &header, session);
		if (error)
			count_unmappable(fd);
	}
	system_close(fd);
	return error;
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

/* Says what process this is. Nothing large on the stack: it may be that of any function, or a signal's. */
static void tell_process(struct dwell_session *session)
{
	static union {
		uint64_t align;
		unsigned char bytes[3072];
	} payload;
	static char path[512];
	unsigned at = DWELL_PROCESS_STRINGS, argc = 0;
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
	journal_append_to(session, DWELL_CHUNK_PROCESS, payload.bytes, at);
}

/* parent: the process that this one is a copy of, or NOBODY. */
#define NOBODY UINT32_MAX
static void begin_process(struct dwell_session *session, uint32_t parent)
{
	agent.pid = system_pid();
	agent.process = __atomic_fetch_add(&session->process_count, 1, __ATOMIC_RELAXED);
	agent.is_copy = parent != NOBODY;
	if (agent.is_copy)
		throttle_begin_child(agent.process, parent);
	tell_process(session);
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
	filter_begin(name);
	hooks_unfilter();
	copy_string(name, sizeof name, session->plans);
	plans_join(name, session->plans_of_libraries);
	copy_string(name, sizeof name, session->throttle);
	throttle_begin(name);
	agent.throttled = 0;
	modules_filter();
	begin_process(session, NOBODY);
	modules_tell_again(session);
	hooks_set_ring(dwell_session_layout(session)->slot_bytes);
	/* Other threads are on the slow path all the time, the gates being open: the last thing that they see is the session, since whoever
	 * sees it may begin a ring in it. */
	agent.order = session->order;
	agent.generation++;
	__atomic_store_n(&agent.session, session, __ATOMIC_SEQ_CST);
	control_set_on(agent.order & 1);
	if (agent.on)
		hooks_switch(true);
	return 0;
}

/* The thread may be gone, and its memory with it: that is an answer here, and no fault. False: the system does not let us. */
static bool take_ring_away(uint64_t thread, const struct dwell_ring *ring)
{
	uint64_t word = 0, zero = 0, at = thread + offsetof(struct dwell_thread, ring);
	long got = system_process_vm(__NR_process_vm_readv, agent.pid, &word, at, sizeof word);

	if (got == -14 /* EFAULT */ || (got == sizeof word && word != (uint64_t)ring))
		return true;
	return got == sizeof word && system_process_vm(__NR_process_vm_writev, agent.pid, &zero, at, sizeof zero) == sizeof zero;
}

void membership_end(void)
{
	struct dwell_session *session = agent.session;
	struct dwell_session_slot *slots;
	bool taken = true;

	if (!session || session == &nobodys.session)
		return;
	/* A thread that takes a ring right now looks at this behind it: either it is seen here, or it sees that it is too late. */
	__atomic_store_n(&agent.session, &nobodys.session, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	slots = dwell_session_slots(session);
	for (uint32_t i = 0; i < dwell_session_layout(session)->slot_count && i < session->slots_used; i++) {
		struct dwell_ring *ring = dwell_session_ring(session, i);

		if (slots[i].process != agent.process || !slots[i].thread)
			continue;
		ring->closed = 1;
		ring->epoch = ~(uint32_t)(port_now() >> 32);
		taken &= take_ring_away(slots[i].thread, ring);
	}
	if (taken)
		leave(session);
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
		modules_tell_again(session);
		__atomic_fetch_add(&session->forks_told, 1, __ATOMIC_RELEASE);
	}
	thread->state = DWELL_THREAD_NEW;
}

void membership_tell(const char *path, uint32_t kind, const void *payload, uint32_t bytes)
{
	struct dwell_session *session = agent.session;
	bool is_member = session && session != &nobodys.session;

	if (!is_member && map_session(path, &session))
		return;
	journal_append_to(session, kind, payload, bytes);
	if (!is_member)
		unmap_session(session, dwell_session_layout(session)->mapped_bytes);
}
