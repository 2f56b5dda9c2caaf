/* drain: one ring → the stages of its thread → chunks of the trace file.
 *
 * The thread that records never writes its live stack; whoever drains follows enters and exits and puts the frames that are open at the
 * head of each chunk.
 *
 * The work is done by workers. Where the disk cannot follow, what is in the ring waits there, and the thread that fills it for room. With
 * --on-full=lose it waits until half the ring is full; then what comes next is not written but dropped: the next chunk begins by saying how
 * many events are missing, and how many frames were left and entered (LOST). */
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

/* How much of a ring makes a chunk. */
#define DRAIN_CHUNK_BYTES (512u * 1024u)

/* Not to be touched while drain_is_busy. */
struct drain {
	uint32_t stream;
	struct dwell_ring *ring; /* the program's: not trusted */
	uint64_t ring_bytes;
	uint64_t consumed; /* bytes of the ring that are in the file, or lost on the way there */
	uint64_t events;   /* in the file */
	uint64_t dropped;  /* events that are not in the file, since the disk could not follow */
	uint64_t holes;    /* claimed and never written */
	bool broken;       /* the ring says what cannot be; nothing more is taken from it */
	/* What was taken, positions [begin, end), is about to be given back to the writer; null: nobody wants to know. */
	void (*release)(struct drain *drain, uint64_t begin, uint64_t end);
	void *release_context;
	struct stage_thread *stages; /* that slots go through; ended with the drain */
	bool keeps_all;              /* they pass nothing on */
	struct follower *calls;      /* open behind what was written, or is said to be lost */
	struct message_frame *checkpoint;
	size_t checkpoint_capacity;
	struct in_order in_order; /* how it is followed, added up and dropped */
	struct gap gap;           /* what was dropped, and not said yet */

	struct workers_job job;
	struct workers *workers;
	struct trace_writer *writer;
	uint64_t end; /* of the job: consumed then */
	bool holds;   /* the thread waits when its ring is full: nothing is dropped */
	bool patient; /* nobody is held up: likewise */
};

/* stages: they are the drain's from then on. False: no memory. */
bool drain_begin(struct drain *drain, uint32_t stream, struct dwell_ring *ring, uint64_t ring_bytes, struct stage_thread *stages);
/* The thread is one that was forked: calls that are open in its parent are. Before the first slot. */
void drain_set_copy(struct drain *drain);
void drain_end(struct drain *drain);

/* Bytes that could be taken now. all: also what lies behind a slot that is claimed and not yet written: its thread is gone. */
uint64_t drain_available(struct drain *drain, bool all);

/* How much the next chunk takes of so many bytes. Not while it is busy. */
uint64_t drain_run_bytes(const struct drain *drain, uint64_t bytes);
/* Has workers write bytes (≤ what drain_available said) as chunks. A chunk that the disk refuses is counted by the writer; the ring moves
 * on. Where the disk is slow, some of it may still be in the ring afterwards; with patient it is waited for. */
void drain_take(struct drain *drain, uint64_t bytes, bool patient, struct workers *workers, struct trace_writer *writer);
static inline bool drain_is_busy(const struct drain *drain)
{
	return workers_is_busy(&drain->job);
}
static inline void drain_wait(struct drain *drain)
{
	if (drain->workers)
		workers_wait(drain->workers, &drain->job);
}

/* Between two runs: has the stages look what waits for its time. now_ns is the clock's, 0: in any case. Not while it is busy. */
void drain_look(struct drain *drain, uint64_t now_ns, struct workers *workers, struct trace_writer *writer);
/* Nothing more comes: what the stages hold is written, and what was dropped last is said. of: may be null. */
void drain_finish(struct drain *drain, const struct message_thread *of, struct workers *workers, struct trace_writer *writer);

#endif
