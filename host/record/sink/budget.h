/* budget: limits the memory of all rings of a stream recording together.
 *
 * A ring is address space; memory comes with use, and a long-lived thread comes to use all of its ring. While everything fits, the
 * budget changes nothing: used memory is used again without a page fault. When memory becomes short,
 *   - drained memory goes back to the system before the thread may write there again;
 *   - a thread may be less far ahead of record: by the budget divided by the threads, but at least by BUDGET_ROOM_MIN.
 * So many threads together may exceed the budget. If the budget is less than a few rings, memory
 * counts as short from the start, with room for threads that begin meanwhile, and BUDGET_ROOM_SMALL
 * is the minimum: such a budget is a container's limit, and the kernel kills programs that exceed it. */
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
	uint64_t room;  /* bytes of each ring for its thread to fill */
	bool is_short;  /* memory is given back from now on */
	bool is_small;  /* memory was short from the start */
};

/* bytes: for all rings together. Call it before any thread records. */
void budget_begin(struct budget *budget, const struct session *session, uint64_t bytes);

/* Looks at the memory in use, every 20 ms at most. threads: the number of recording threads. Returns whether room has changed. */
bool budget_update(struct budget *budget, uint32_t threads, uint64_t now_ns);
/* If memory is short, gives back the memory at positions [begin, end). For drain.release, with the budget as its context. */
void budget_release(struct drain *drain, uint64_t begin, uint64_t end);
/* Gives back the whole ring of a slot that is now free. */
void budget_release_ring(const struct budget *budget, uint32_t slot);

/* The usual budget: 1 GiB, but at most a quarter of the memory for this process and its children (a container's limit, or the
 * machine's memory), at most half of the free part of it, and at least 2 MiB. */
uint64_t budget_default_bytes(void);

#endif
