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
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/session/clock_point.h"
#include "util/clock.h"
#include "util/guard.h"

/* Sparse: what record has copied is given back. Some 700,000 processes. */
#define MEMORY_JOURNAL_BYTES (UINT64_C(1) << 30)
/* Of a file, where all of it takes room: some 10,000 processes or 100,000 modules. */
#define FILE_JOURNAL_BYTES (UINT64_C(16) << 20)
#define SLOTS_FEW 64u
#define CLOCK_HZ_MAX UINT64_C(100000000000) /* no clock is faster */

static uint64_t round_up(uint64_t value)
{
	return (value + SESSION_PAGE - 1) / SESSION_PAGE * SESSION_PAGE;
}

static void set_sizes(struct session *session, uint32_t count, uint64_t journal_bytes)
{
	session->slot_count = count;
	session->journal_offset = SESSION_PAGE + round_up((uint64_t)count * sizeof(struct dwell_session_slot));
	session->journal_bytes = round_up(journal_bytes);
	session->rings_offset = session->journal_offset + session->journal_bytes;
	session->bytes = session->rings_offset + count * (session->ring_bytes + DWELL_RING_HEADER_BYTES);
}

static bool map(struct session *session, int flags)
{
	session->shared = mmap(NULL, session->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, session->fd, 0);
	if (session->shared == MAP_FAILED)
		session->shared = NULL;
	if (session->shared)
		guard_add(session->shared, session->bytes);
	return session->shared;
}

static bool map_memory(struct session *session, uint32_t count, uint64_t journal_bytes)
{
	set_sizes(session, count, journal_bytes);
	return session->fd >= 0 && ftruncate(session->fd, (off_t)session->bytes) == 0 && map(session, MAP_NORESERVE);
}

static bool make_any_memory(struct session *session, const struct session_options *options, struct diag *diag)
{
	uint64_t journal_bytes = options->journal_bytes ? options->journal_bytes : MEMORY_JOURNAL_BYTES;

	session->fd = memfd_create("dwell", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	/* A limit on address space or on file size means fewer threads at a time, and a journal that holds less. */
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

/* What can be opened through /proc can be shortened, too, and whoever has it mapped dies of that: record, and other programs. */
static bool make_memory(struct session *session, const struct session_options *options, struct diag *diag)
{
	if (!make_any_memory(session, options, diag))
		return false;
	guard_seal(session->fd, false);
	return true;
}

/* All of the file's space, so that a write to the mapping can never find the disk full. */
static bool allocate(int fd, uint64_t bytes)
{
	static const char zeros[1 << 16];

	if (fallocate(fd, 0, 0, (off_t)bytes) == 0)
		return true;
	if (errno != EOPNOTSUPP)
		return false;
	for (uint64_t at = 0; at < bytes;) {
		size_t part = bytes - at < sizeof zeros ? (size_t)(bytes - at) : sizeof zeros;
		ssize_t done = pwrite(fd, zeros, part, (off_t)at);

		if (done < 0 && errno != EINTR)
			return false;
		at += done > 0 ? (uint64_t)done : 0;
	}
	return true;
}

#define BESIDE_BYTES (UINT64_C(512) << 10)

/* What --memory could be on the disk that the file does not fit on: the rings, as much again for the trace that they become, and what is
 * beside them. Nothing where no ring fits. */
static void tell_fitting(struct session *session, char *text, size_t bytes)
{
	uint64_t slot_bytes = session->ring_bytes + DWELL_RING_HEADER_BYTES, free_bytes, fits;
	struct statvfs disk;

	*text = 0;
	if (ftruncate(session->fd, 0) < 0 || fstatvfs(session->fd, &disk) < 0)
		return;
	free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
	fits = free_bytes > BESIDE_BYTES ? (free_bytes - BESIDE_BYTES) * 4 / 9 : 0; /* a quarter at the most is the journal */
	if (fits >= slot_bytes && fits < session->bytes)
		snprintf(text, bytes, ": %lluK fits", (unsigned long long)(fits >> 10));
}

static bool make_file(struct session *session, const struct session_options *options, const char *temporary, struct diag *diag)
{
	char fitting[48] = "";
	int error;

	session->is_file = true;
	set_sizes(session, options->slot_count, options->journal_bytes ? options->journal_bytes : FILE_JOURNAL_BYTES);
	session->fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
	if (session->fd < 0) {
		diag_add(diag, DIAG_ERROR, options->path, DIAG_NO_OFFSET, "cannot be created: %s", strerror(errno));
		return false;
	}
	if (allocate(session->fd, session->bytes) && map(session, 0))
		return true;
	error = errno;
	if (error == ENOSPC)
		tell_fitting(session, fitting, sizeof fitting);
	diag_add(diag, DIAG_ERROR, options->path, DIAG_NO_OFFSET,
		"no room for %llu MiB, the rings of %u threads%s: %s; --memory=SIZE asks for less%s",
		(unsigned long long)((session->bytes + (1 << 20) - 1) >> 20), session->slot_count,
		error == EFBIG ? " (see ulimit -f)" : error == ENOMEM ? " (see ulimit -v)" : "", strerror(error), fitting);
	unlink(temporary);
	return false;
}

static void fill(struct session *session)
{
	struct dwell_session *shared = session->shared;

	shared->version = DWELL_SESSION_VERSION;
	shared->header_bytes = SESSION_PAGE;
	shared->bytes = session->bytes;
	shared->journal_offset = session->journal_offset;
	shared->journal_bytes = session->journal_bytes;
	shared->rings_offset = session->rings_offset;
	shared->slot_bytes = session->ring_bytes + DWELL_RING_HEADER_BYTES;
	shared->slot_count = session->slot_count;
	shared->mode = session->mode;
	shared->order = 1;
	shared->owner_pid = (uint32_t)getpid();
	__atomic_store_n(&shared->magic, DWELL_SESSION_MAGIC_WORD, __ATOMIC_RELEASE);
}

/* How an agent finds it: by record's descriptor, which works in another root folder, too; and by its own name, which works without
 * record. */
static bool set_name(struct session *session, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	int length = asprintf(&session->name, real ? "/proc/%ld/fd/%d:%s" : "/proc/%ld/fd/%d", (long)getpid(), session->fd, real);

	free(real);
	if (length < 0)
		session->name = NULL;
	return session->name;
}

static bool make_temporary(struct session *session, const struct session_options *options, struct diag *diag)
{
	char *temporary = NULL;
	bool made;

	if (!options->path)
		return make_memory(session, options, diag);
	if (asprintf(&temporary, "%s.%ld~", options->path, (long)getpid()) < 0) {
		diag_add(diag, DIAG_ERROR, options->path, DIAG_NO_OFFSET, "no memory to record with");
		return false;
	}
	made = make_file(session, options, temporary, diag);
	if (made) {
		fill(session);
		/* In the place of another file some file systems write it all to the disk first. Nobody needs the other one any more: a
		 * stream would have emptied it. */
		unlink(options->path); /* what cannot be removed cannot be replaced, and that is said */
		if (rename(temporary, options->path) < 0) {
			diag_add(diag, DIAG_ERROR, options->path, DIAG_NO_OFFSET, "cannot be created: %s", strerror(errno));
			unlink(temporary);
			made = false;
		}
	}
	free(temporary);
	return made;
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
	session->made_ns = clock_now_ns();
	session->mode = options->mode;
	session->ring_bytes = options->ring_bytes;
	if (!make_temporary(session, options, diag)) {
		free_session(session);
		return NULL;
	}
	if (!session->is_file)
		fill(session);
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

	return (clock_now_ns() - session->made_ns) * (uint64_t)(processors > 0 ? processors : 1);
}

/* A machine whose words cannot be is taken for this one: most are. */
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
	session_stale(session, true);
}

void session_stale(struct session *session, bool closed)
{
	for (uint32_t i = 0, used = session_slots_used(session); i < used; i++) {
		struct dwell_ring *ring = session_ring(session, i);

		if (session_slot_state(session, i) != DWELL_SESSION_LIVE)
			continue;
		if (closed)
			ring->closed = 1;
		__atomic_store_n(&ring->epoch, ~ring->said, __ATOMIC_SEQ_CST);
		if (closed)
			session_wake(ring);
	}
}

/* A process that was attached to keeps the session mapped until the next one. It needs the heads of its rings, not what is in them. */
static void give_memory_back(const struct session *session)
{
	uint64_t slot_bytes = session->ring_bytes + DWELL_RING_HEADER_BYTES;

	for (uint32_t i = 0, used = session_slots_used(session); i < used; i++)
		fallocate(session->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)(session->rings_offset + i * slot_bytes + DWELL_RING_HEADER_BYTES), (off_t)session->ring_bytes);
}

void free_session(struct session *session)
{
	if (!session)
		return;
	if (session->shared) {
		owner_end(&session->owner);
		session_close(session);
		if (!session->is_file) /* that may be all there is */
			give_memory_back(session);
		guard_remove(session->shared);
		munmap(session->shared, session->bytes);
	}
	if (session->fd >= 0)
		close(session->fd);
	free(session->machine);
	free(session->name);
	free(session);
}
