/* session: makes, describes and frees a session's memory, and reads checked copies from it. */
#include "record/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/session/clock_point.h"
#include "util/hidden_file.h"
#include "util/clock.h"
#include "util/guard.h"

/* The journal's default size: for some 700,000 processes. The memory is sparse, and in a stream recording journal.c gives the
 * memory of copied entries back. */
#define MEMORY_JOURNAL_BYTES (UINT64_C(1) << 30)
/* The journal's size under a limit on address space or file size: for some 10,000 processes or 100,000 modules. */
#define FILE_JOURNAL_BYTES (UINT64_C(16) << 20)
#define SLOTS_FEW 64u /* with so few rings or fewer, make_any_memory tries the smaller journal, too */
#define CLOCK_HZ_MAX UINT64_C(100000000000) /* faster than any clock */

/* Alignment of the session's parts, for agents to map each part alone. */
static uint32_t part_alignment(void)
{
	long page = sysconf(_SC_PAGESIZE);

	return page > (long)SESSION_PAGE ? (uint32_t)page : SESSION_PAGE;
}

static uint64_t round_up(uint64_t value)
{
	return (value + part_alignment() - 1) / part_alignment() * part_alignment();
}

static void set_sizes(struct session *session, uint32_t count, uint64_t journal_bytes)
{
	session->slot_count = count;
	session->slot_bytes = round_up(session->ring_bytes + DWELL_RING_HEADER_BYTES);
	session->journal_offset = round_up(SESSION_PAGE + (uint64_t)count * sizeof(struct dwell_session_slot));
	session->journal_bytes = round_up(journal_bytes);
	session->rings_offset = session->journal_offset + session->journal_bytes;
	session->bytes = session->rings_offset + count * session->slot_bytes;
}

static bool map_session(struct session *session, int flags)
{
	session->shared = mmap(NULL, session->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, session->fd, 0);
	if (session->shared == MAP_FAILED)
		session->shared = NULL;
	if (session->shared) {
		madvise(session->shared, session->bytes, MADV_DONTDUMP);
		guard_add(session->shared, session->bytes);
	}
	return session->shared;
}

static bool map_memory(struct session *session, uint32_t count, uint64_t journal_bytes)
{
	set_sizes(session, count, journal_bytes);
	return session->fd >= 0 && ftruncate(session->fd, (off_t)session->bytes) == 0 && map_session(session, MAP_NORESERVE);
}

static bool make_any_memory(struct session *session, const struct session_options *options, struct diag *diag)
{
	uint64_t journal_bytes = options->journal_bytes ? options->journal_bytes : MEMORY_JOURNAL_BYTES;

	session->fd = memfd_create("dwell", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	/* Under a limit on address space or on file size, the session has fewer rings and a smaller journal. */
	for (uint32_t count = options->slot_count; count; count /= 2) {
		if (map_memory(session, count, journal_bytes))
			return true;
		if (count <= SLOTS_FEW && journal_bytes > FILE_JOURNAL_BYTES && map_memory(session, count, FILE_JOURNAL_BYTES))
			return true;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "cannot share memory with the program (at least %llu MiB)%s: %s",
		(unsigned long long)(session->bytes >> 20), errno == EFBIG ? "; see ulimit -f" : errno == ENOMEM ? "; see ulimit -v" : "",
		strerror(errno));
	return false;
}

/* Makes the memory and seals its size. Otherwise a process could shorten the memory through
 * /proc, and so kill every process with a mapping of it: record, and other programs. */
static bool make_memory(struct session *session, const struct session_options *options, struct diag *diag)
{
	if (!make_any_memory(session, options, diag))
		return false;
	guard_seal(session->fd, options->path ? GUARD_SIZE : GUARD_SIZE_ALONE);
	return true;
}

/* Writes the header that agents read, the magic number last. */
static void fill_header(struct session *session)
{
	struct dwell_session *shared = session->shared;

	shared->version = DWELL_SESSION_VERSION;
	shared->header_bytes = SESSION_PAGE;
	shared->bytes = session->bytes;
	shared->journal_offset = session->journal_offset;
	shared->journal_bytes = session->journal_bytes;
	shared->rings_offset = session->rings_offset;
	shared->slot_bytes = session->slot_bytes;
	shared->page_bytes = part_alignment();
	shared->slot_count = session->slot_count;
	shared->mode = session->mode;
	shared->order = 1;
	shared->owner_pid = (uint32_t)getpid();
	tasks_describe(&shared->task_space, &shared->proc_device);
	__atomic_store_n(&shared->magic, DWELL_SESSION_MAGIC_WORD, __ATOMIC_RELEASE);
}

/* The file's absolute path, for processes in another folder. Null: the folder does not exist, or no memory. */
static char *make_real_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."), *real = folder ? realpath(folder, NULL) : NULL,
	     *joined = NULL;

	if (real && asprintf(&joined, "%s/%s", strcmp(real, "/") ? real : "", base) < 0)
		joined = NULL;
	free(folder);
	free(real);
	return joined;
}

/* Makes the name by which agents open the session: a descriptor of record, or of its heir, which lives
 * longer. Both names work in another root folder, too. After a colon comes the path of the file, if there is one: agents ignore
 * the path, and attach.c reads it for `dwell snapshot`. Also copies the path into the header. False: no memory. */
static bool set_name(struct session *session, const char *path)
{
	char *real = path ? make_real_path(path) : NULL;
	long pid = session->heir.pid ? session->heir.pid : getpid();
	int length = asprintf(&session->name, real ? "/proc/%ld/fd/%d:%s" : "/proc/%ld/fd/%d", pid, session->fd, real);

	if (real && strlen(real) < sizeof session->shared->file)
		strcpy(session->shared->file, real);
	free(real);
	if (length < 0)
		session->name = NULL;
	return session->name;
}

/* Checks, before the program starts, that a file can be created at path. False and a diag: no. */
static bool may_create(const char *path, struct diag *diag)
{
	char *temporary;
	int fd = hidden_file_open(path, O_RDWR, &temporary);

	if (fd < 0)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be created: %s", strerror(errno));
	else
		close(fd);
	hidden_file_drop(temporary);
	return fd >= 0;
}

struct session *make_session(const struct session_options *options, struct diag *diag)
{
	struct session *session = calloc(1, sizeof *session);

	if (!session || !(session->machine = calloc(1, sizeof *session->machine))) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory to record with");
		free(session);
		return NULL;
	}
	session->fd = -1;
	session->created_ns = clock_now_ns();
	session->mode = options->mode;
	session->ring_bytes = options->ring_bytes;
	session->is_kept = options->path;
	if ((options->path && !may_create(options->path, diag)) || !make_memory(session, options, diag)) {
		free_session(session);
		return NULL;
	}
	fill_header(session);
	if (options->path && !heir_begin(&session->heir, session->fd, session->shared, session->bytes, options->path))
		diag_add(diag, DIAG_WARN, options->path, DIAG_NO_OFFSET,
			"is not written if dwell is killed: the system gives no process for that (%s)", strerror(errno));
	session->tasks = make_tasks(session->fd);
	owner_begin(&session->owner, &session->shared->owner);
	if (!set_name(session, options->path)) {
		diag_add(diag, DIAG_ERROR, options->path, DIAG_NO_OFFSET, "no memory to record with");
		free_session(session);
		return NULL;
	}
	return session;
}

uint64_t session_count_max(const struct session *session)
{
	long processors = sysconf(_SC_NPROCESSORS_CONF);

	return (clock_now_ns() - session->created_ns) * (uint64_t)(processors > 0 ? processors : 1);
}

/* Replaces a machine with impossible values by record's machine, the most likely one. */
static struct session_machine check_machine(struct session_machine read)
{
	const struct session_machine own = {.machine = clock_point_machine(),
		.pointer_bytes = sizeof(void *),
		.clock_bits = 64,
		.clock_flags = DWELL_CLOCK_GLOBAL};
	bool good = read.machine && read.machine <= UINT16_MAX && (read.pointer_bytes == 4 || read.pointer_bytes == 8) &&
		    read.clock_bits && read.clock_bits <= 64 && read.clock_hz <= CLOCK_HZ_MAX;

	return good ? read : own;
}

bool session_read_machine(const struct session *session, struct session_machine *machine)
{
	const struct dwell_session *shared = session->shared;

	if (session->machine->machine) {
		*machine = *session->machine;
		return true;
	}
	if (!__atomic_load_n(&shared->machine_ready, __ATOMIC_ACQUIRE))
		return false;
	*machine = check_machine((struct session_machine){
		shared->machine, shared->pointer_bytes, shared->clock_bits, shared->clock_flags, shared->clock_hz});
	*session->machine = *machine;
	return true;
}

struct dwell_session_slot session_read_slot(const struct session *session, uint32_t index)
{
	struct dwell_session_slot slot;

	memcpy(&slot, session_slot(session, index), sizeof slot);
	slot.name[sizeof slot.name - 1] = 0;
	tasks_translate(session->tasks, slot.process, &slot.pid, &slot.tid);
	return slot;
}

void session_wake(struct dwell_ring *ring)
{
	if (__atomic_exchange_n(&ring->waiting, 0, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &ring->waiting, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void session_close(struct session *session)
{
	__atomic_store_n(&session->shared->closed, 1, __ATOMIC_SEQ_CST);
	session_force_slow_path(session, true);
}

void session_force_slow_path(struct session *session, bool closed)
{
	for (uint32_t i = 0, used = session_slots_used(session); i < used; i++) {
		struct dwell_ring *ring = session_ring(session, i);

		if (session_slot_state(session, i) != DWELL_SESSION_LIVE)
			continue;
		if (closed)
			ring->closed = 1;
		__atomic_store_n(&ring->epoch, ~ring->last_tag, __ATOMIC_SEQ_CST);
		if (closed)
			session_wake(ring);
	}
}

/* Gives the rings' memory back to the system, since an attached process keeps the
 * session mapped until the next one. The process still needs the rings' headers. */
static void give_memory_back(const struct session *session)
{
	for (uint32_t i = 0, used = session_slots_used(session); i < used; i++)
		fallocate(session->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)(session->rings_offset + i * session->slot_bytes + DWELL_RING_HEADER_BYTES),
			(off_t)session->ring_bytes);
}

void free_session(struct session *session)
{
	if (!session)
		return;
	if (session->shared) {
		owner_end(&session->owner);
		session_close(session);
		heir_end(&session->heir);
		give_memory_back(session);
		guard_remove(session->shared);
		munmap(session->shared, session->bytes);
	}
	if (session->fd >= 0)
		close(session->fd);
	free_tasks(session->tasks);
	free(session->machine);
	free(session->name);
	free(session);
}
