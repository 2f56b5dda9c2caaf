/* budget: how much memory the rings of a stream recording may take, all together.
 *
 * A ring is address space; memory comes with use, and a thread that lives long comes to use all of it. As long as everything fits, nothing
 * is done about that: used memory is used again without a page fault. When it does not fit any more,
 *   - what was drained is given back to the system before the thread may write there again;
 *   - a thread may be less far ahead of record: the budget divided by the threads, but at least a sixty-fourth of a ring.
 * So it may be exceeded: by many threads at once. */
#ifndef DWELL_HOST_RECORD_SINK_BUDGET_H
#define DWELL_HOST_RECORD_SINK_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "record/drain/drain.h"
#include "record/session/session.h"

#define BUDGET_ROOM_MIN (512u << 10)

struct budget {
	const struct session *session;
	uint64_t bytes;
	uint64_t next_ns;
	uint64_t room;  /* of each ring */
	bool is_short;  /* memory is given back from now on */
};

/* Looks at what is used, now and then. threads: that record. Returns whether room has changed. */
bool budget_look(struct budget *budget, uint32_t threads, uint64_t now_ns);
/* Gives back what a drain has taken, where memory is short: for drain.release, with the budget as its context. */
void budget_release(struct drain *drain, uint64_t begin, uint64_t end);
/* The whole ring of a slot that is free from now on. */
void budget_release_ring(const struct budget *budget, uint32_t slot);

/* What is sensible on this machine: 1 GiB, but at most a quarter of its memory. */
uint64_t budget_default_bytes(void);

#endif
