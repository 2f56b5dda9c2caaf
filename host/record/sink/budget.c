#include "record/sink/budget.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_NS UINT64_C(20000000)
#define DEFAULT_BYTES (UINT64_C(1) << 30)

static uint64_t used_bytes(const struct session *session)
{
	struct stat file;

	return fstat(session->fd, &file) < 0 ? 0 : (uint64_t)file.st_blocks * 512;
}

bool budget_look(struct budget *budget, uint32_t threads, uint64_t now_ns)
{
	uint64_t ring = budget->session->ring_bytes, room = ring;

	if (now_ns < budget->next_ns)
		return false;
	budget->next_ns = now_ns + LOOK_NS;
	if (!budget->is_short && used_bytes(budget->session) > budget->bytes / 4 * 3)
		budget->is_short = true;
	if (!budget->is_short)
		return false;
	if (threads && budget->bytes / threads < ring)
		room = budget->bytes / threads / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES;
	if (room < BUDGET_ROOM_MIN)
		room = ring < BUDGET_ROOM_MIN ? ring : BUDGET_ROOM_MIN;
	if (room == budget->room)
		return false;
	budget->room = room;
	budget->session->shared->room = room;
	budget->session->shared->thrift = 1;
	return true;
}

static void punch(const struct session *session, uint64_t offset, uint64_t bytes)
{
	if (bytes)
		fallocate(session->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

static uint64_t data_offset(const struct session *session, const struct dwell_ring *ring)
{
	return (uint64_t)((const unsigned char *)ring - (const unsigned char *)session->shared) + DWELL_RING_HEADER_BYTES;
}

void budget_release(struct drain *drain, uint64_t begin, uint64_t end)
{
	const struct budget *budget = drain->release_context;
	uint64_t offset = data_offset(budget->session, drain->ring), mask = drain->ring_bytes - 1, to_wrap;

	if (!budget->is_short)
		return;
	/* Whole pages: a block is one. The one that is being written holds what comes next. */
	begin = begin / SESSION_PAGE * SESSION_PAGE;
	end = end / SESSION_PAGE * SESSION_PAGE;
	if (end <= begin)
		return;
	to_wrap = drain->ring_bytes - (begin & mask);
	if (end - begin <= to_wrap) {
		punch(budget->session, offset + (begin & mask), end - begin);
		return;
	}
	punch(budget->session, offset + (begin & mask), to_wrap);
	punch(budget->session, offset, end - begin - to_wrap);
}

void budget_release_ring(const struct budget *budget, uint32_t slot)
{
	const struct session *session = budget->session;

	if (budget->is_short)
		punch(session, data_offset(session, session_ring(session, slot)), session->ring_bytes);
}

uint64_t budget_default_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	uint64_t quarter = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 4 : DEFAULT_BYTES;

	return quarter < DEFAULT_BYTES ? quarter : DEFAULT_BYTES;
}
