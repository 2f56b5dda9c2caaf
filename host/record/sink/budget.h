/* budget: limits the memory of all rings of a stream recording together.
 *
 * A ring is address space; memory comes with use, and a long-lived thread comes to use all of its ring. While everything fits, the
 * budget changes nothing: used memory is used again without a page fault. When memory becomes short,
 *   - drained memory goes back to the system before the thread may write there again;
 *   - a thread may be less far ahead of record: by the budget divided by the threads, but at least by BUDGET_ROOM_MIN.
 * With this minimum, many threads together may exceed the budget. If the budget is less than four rings, memory is short from the
 * start, and the minimum is BUDGET_ROOM_SMALL. The budget then reserves room for threads that begin before the next look. Such a
 * budget is a container's limit, and the kernel kills programs that exceed the limit. */
#ifndef DWELL_HOST_RECORD_SINK_BUDGET_H
#define DWELL_HOST_RECORD_SINK_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "record/drain/drain.h"
#include "record/session/session.h"

#define BUDGET_ROOM_MIN (512u << 10)
#define BUDGET_ROOM_SMALL (64u << 10)

struct budget {
	const struct session *session;
	uint64_t bytes;    /* for all rings together */
	uint64_t next_ns;  /* time of the next look at the memory in use */
	uint64_t room;  /* bytes that a thread may be ahead of record in its ring */
	bool is_short;  /* drained memory goes back to the system from now on */
	bool is_small;  /* memory was short from the start */
};

/* bytes: for all rings together. session: borrowed. Call budget_begin before any thread records: it may limit the room of rings. */
void budget_begin(struct budget *budget, const struct session *session, uint64_t bytes);

/* Looks at the memory in use, every 20 ms at most. threads: the number of recording threads. now_ns: CLOCK_MONOTONIC. True: room
 * has changed, and the caller sets it in the rings in use. */
bool budget_update(struct budget *budget, uint32_t threads, uint64_t now_ns);
/* If memory is short, gives back the whole pages at positions [begin, end) of the drain's ring. For drain.release, with the budget
 * as its context. Any worker. */
void budget_release(struct drain *drain, uint64_t begin, uint64_t end);
/* If memory is short, gives back the whole ring of a slot that is now free. */
void budget_release_ring(const struct budget *budget, uint32_t slot);

/* The usual budget in bytes: 1 GiB, but at most a quarter of the memory limit and half of the free memory, and at least 2 MiB. The
 * limit is that of util/memory_limit.h: of the machine, of a container, or of the address space. */
uint64_t budget_default_bytes(void);

#endif
