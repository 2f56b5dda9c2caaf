/* budget: divides the budget among the threads, and punches holes into drained parts of the session's memory. */
#include "record/sink/budget.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "util/memory_limit.h"

#define LOOK_NS UINT64_C(20000000)
#define DEFAULT_BYTES (UINT64_C(1) << 30)
#define LEAST_BYTES (UINT64_C(2) << 20)

static uint64_t used_bytes(const struct session *session)
{
	struct stat file;

	return fstat(session->fd, &file) < 0 ? 0 : (uint64_t)file.st_blocks * 512;
}

/* With a budget for fewer than PLENTY_RINGS rings, memory is short from the start; with a larger budget, once budget_update finds
 * more than three quarters of the budget in use. */
#define PLENTY_RINGS 4u
#define THREADS_FEW 8u /* a small budget reserves room for at least so many threads */

/* Bytes of a ring that its thread may fill, with this number of threads. A small budget reserves
 * room for twice the number, since threads may begin before the next look. */
static uint64_t room_of(const struct budget *budget, uint32_t threads)
{
	uint64_t ring = budget->session->ring_bytes, least = budget->is_small ? BUDGET_ROOM_SMALL : BUDGET_ROOM_MIN, room;

	if (budget->is_small)
		threads = threads > THREADS_FEW / 2 ? 2 * threads : THREADS_FEW;
	room = threads && budget->bytes / threads < ring ? budget->bytes / threads / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES : ring;
	return room >= least ? room : ring < least ? ring : least;
}

static void set_room(struct budget *budget, uint64_t room)
{
	budget->room = room;
	budget->session->shared->room = room;
	budget->session->shared->low_memory = 1;
}

void budget_begin(struct budget *budget, const struct session *session, uint64_t bytes)
{
	bool is_small = bytes < PLENTY_RINGS * session->ring_bytes;

	*budget = (struct budget){.session = session, .bytes = bytes, .room = session->ring_bytes};
	budget->is_short = budget->is_small = is_small;
	if (is_small)
		set_room(budget, room_of(budget, 0));
}

bool budget_update(struct budget *budget, uint32_t threads, uint64_t now_ns)
{
	uint64_t room;

	if (now_ns < budget->next_ns)
		return false;
	budget->next_ns = now_ns + LOOK_NS;
	if (!budget->is_short && used_bytes(budget->session) > budget->bytes / 4 * 3)
		budget->is_short = true;
	room = room_of(budget, threads);
	if (!budget->is_short || room == budget->room)
		return false;
	set_room(budget, room);
	return true;
}

/* Gives a part of the session's memory back to the system. offset: in its file. */
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
	/* Gives back whole pages; a block is a page. The page being written stays, since the next slots go there. */
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
	struct memory_limit limit = memory_limit();
	uint64_t bytes = limit.bytes / 4 < limit.free / 2 ? limit.bytes / 4 : limit.free / 2;

	return bytes > DEFAULT_BYTES ? DEFAULT_BYTES : bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
}
