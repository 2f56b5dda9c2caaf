#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define JOURNAL_BYTES (8u << 20)
#define PAGE 4096u

static uint64_t round_up(uint64_t value)
{
	return (value + PAGE - 1) / PAGE * PAGE;
}

/* Room for count rings. False: no memory file, or no address space. */
static bool map(struct session *session, uint32_t count)
{
	session->slot_count = count;
	session->bytes = session->rings_offset + count * (session->ring_bytes + DWELL_RING_HEADER_BYTES);
	if (session->fd < 0 || ftruncate(session->fd, (off_t)session->bytes) < 0)
		return false;
	session->shared = mmap(NULL, session->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, session->fd, 0);
	if (session->shared == MAP_FAILED)
		session->shared = NULL;
	return session->shared;
}

struct session *make_session(uint32_t slot_count, uint64_t ring_bytes, enum dwell_mode mode, struct diag *diag)
{
	struct session *session = calloc(1, sizeof *session);
	uint64_t slot_bytes = ring_bytes + DWELL_RING_HEADER_BYTES;
	struct dwell_session *shared;

	if (!session) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory to record with");
		return NULL;
	}
	session->ring_bytes = ring_bytes;
	session->journal_offset = round_up(sizeof *shared + (uint64_t)slot_count * sizeof(struct dwell_session_slot));
	session->journal_bytes = JOURNAL_BYTES;
	session->rings_offset = session->journal_offset + session->journal_bytes;
	session->fd = memfd_create("dwell", MFD_CLOEXEC);
	/* A limit on address space or on file size means fewer threads at a time. */
	for (uint32_t count = slot_count; count && !map(session, count); count /= 2)
		;
	if (!session->shared) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "cannot share memory with the program (at least %llu MiB)%s: %s",
			(unsigned long long)(session->bytes >> 20), errno == EFBIG ? "; see ulimit -f" : errno == ENOMEM ? "; see ulimit -v" : "",
			strerror(errno));
		free_session(session);
		return NULL;
	}
	shared = session->shared;
	shared->version = DWELL_SESSION_VERSION;
	shared->header_bytes = sizeof *shared;
	shared->bytes = session->bytes;
	shared->journal_offset = session->journal_offset;
	shared->journal_bytes = session->journal_bytes;
	shared->rings_offset = session->rings_offset;
	shared->slot_bytes = slot_bytes;
	shared->slot_count = session->slot_count;
	shared->mode = mode;
	shared->order = 1;
	shared->owner_pid = (uint32_t)getpid();
	shared->magic = DWELL_SESSION_MAGIC;
	snprintf(session->name, sizeof session->name, "/proc/%ld/fd/%d", (long)getpid(), session->fd);
	return session;
}

static uint32_t slots_used(const struct session *session)
{
	uint32_t used = __atomic_load_n(&session->shared->slots_used, __ATOMIC_ACQUIRE);

	return used < session->slot_count ? used : session->slot_count;
}

void session_close(struct session *session)
{
	__atomic_store_n(&session->shared->closed, 1, __ATOMIC_SEQ_CST);
	session_stale(session, true);
}

void session_stale(struct session *session, bool closed)
{
	for (uint32_t i = 0, used = slots_used(session); i < used; i++) {
		struct dwell_ring *ring = session_ring(session, i);

		if (session_slot(session, i)->state != DWELL_SESSION_LIVE)
			continue;
		if (closed)
			ring->closed = 1;
		__atomic_store_n(&ring->epoch, ~ring->said, __ATOMIC_SEQ_CST);
	}
}

/* A process that was attached to keeps the session mapped until the next one. It needs the heads of its rings, not what is in them. */
static void give_memory_back(const struct session *session)
{
	uint64_t slot_bytes = session->ring_bytes + DWELL_RING_HEADER_BYTES;

	for (uint32_t i = 0, used = slots_used(session); i < used; i++)
		fallocate(session->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)(session->rings_offset + i * slot_bytes + DWELL_RING_HEADER_BYTES), (off_t)session->ring_bytes);
}

void free_session(struct session *session)
{
	if (!session)
		return;
	if (session->shared) {
		session_close(session);
		give_memory_back(session);
		munmap(session->shared, session->bytes);
	}
	if (session->fd >= 0)
		close(session->fd);
	free(session);
}
