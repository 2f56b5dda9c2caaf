/* drain: takes the slots of one ring, passes them through the stages of its thread, and writes them as chunks of the trace file.
 *
 * The recording thread never writes its live stack. The drain follows
 * enters and exits, and puts the open frames at the head of each chunk.
 *
 * Workers do the work. If the disk cannot keep up, slots wait in the ring, and a thread whose ring is full waits for room. With
 * --on-full=lose slots wait until half the ring is full; then the drain drops the next slots. The next chunk begins with the number
 * of missing events, and the numbers of frames that were left and entered (LOST). */
#ifndef DWELL_HOST_RECORD_DRAIN_DRAIN_H
#define DWELL_HOST_RECORD_DRAIN_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "record/drain/follower.h"
#include "record/drain/gap.h"
#include "record/drain/in_order.h"
#include "record/drain/workers.h"
#include "record/stage/stage.h"
#include "target/recorder/ring.h"
#include "writer/trace/dwell.h"

/* Bytes of a ring per chunk. */
#define DRAIN_CHUNK_BYTES (512u * 1024u)

/* While drain_is_busy, a worker uses the drain: call only drain_is_busy and drain_wait. */
struct drain {
	uint32_t stream;
	struct dwell_ring *ring; /* the program's: not trusted */
	uint64_t ring_bytes;
	uint64_t consumed; /* bytes of the ring in the file, or lost on the way to the file */
	uint64_t events;   /* in the file */
	uint64_t dropped;  /* events that are not in the file: the disk was too slow */
	uint64_t holes;    /* slots claimed and never written */
	bool broken;       /* the ring is inconsistent, and the drain takes no more slots */
	/* Called before the drain gives positions [begin, end) back to the recording thread. May be null. */
	void (*release)(struct drain *drain, uint64_t begin, uint64_t end);
	void *release_context;
	struct stage_thread *stages; /* slots go through the stages; drain_end ends them */
	bool has_no_output;              /* the stages pass nothing on */
	struct follower *calls;      /* open calls behind the slots written, or counted as lost */
	struct message_frame *checkpoint;
	size_t checkpoint_capacity;
	struct in_order in_order; /* slots with corrected times, for the follower, sums and gaps */
	struct gap gap;           /* dropped slots not mentioned in the file yet */

	struct workers_job job;
	struct workers *workers;
	struct trace_writer *writer;
	uint64_t end; /* the value of consumed when the job is done */
	bool program_waits;   /* when the ring is full, the recording thread waits: the drain drops nothing */
	bool waits_for_disk; /* when the disk is slow, the worker waits: the drain drops nothing */
};

/* ring_bytes: a power of two. stages: the thread's states, which the drain owns from now on. False: no memory; call drain_end. */
bool drain_begin(struct drain *drain, uint32_t stream, struct dwell_ring *ring, uint64_t ring_bytes, struct stage_thread *stages);
/* The thread was forked: the calls open in the parent are open in the thread, too. Call drain_set_copy before the first slot. */
void drain_set_copy(struct drain *drain);
void drain_end(struct drain *drain);

/* Bytes available to drain_take. all: the thread is gone, so the number includes slots behind a slot claimed and never written. */
uint64_t drain_available(struct drain *drain, bool all);

/* How many of the available bytes belong in the next chunk. Not while the drain is busy. */
uint64_t drain_batch_bytes(const struct drain *drain, uint64_t bytes);
/* Workers write bytes (at most drain_available) as chunks. If the disk refuses a chunk, the writer counts it,
 * and the drain goes on. If the disk is slow, some bytes may stay in the ring. waits_for_disk: the workers wait for the disk
 * instead. */
void drain_take(struct drain *drain, uint64_t bytes, bool waits_for_disk, struct workers *workers, struct trace_writer *writer);
static inline bool drain_is_busy(const struct drain *drain)
{
	return workers_is_busy(&drain->job);
}
static inline void drain_wait(struct drain *drain)
{
	if (drain->workers)
		workers_wait(drain->workers, &drain->job);
}

/* Between two batches: the stages do what has become due. now_ns: the
 * clock's time; 0: everything is due. Not while the drain is busy. */
void drain_run_stages(struct drain *drain, uint64_t now_ns, struct workers *workers, struct trace_writer *writer);
/* The thread has no more slots: writes the slots held by the stages, and describes the last gap. of:
 * the thread, for the stages; may be null. Not while the drain is busy. */
void drain_finish(struct drain *drain, const struct message_thread *of, struct workers *workers, struct trace_writer *writer);

#endif
