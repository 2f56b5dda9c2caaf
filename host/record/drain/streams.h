/* streams: the slots of the session → streams of the trace file: one for each thread that recorded. */
#ifndef DWELL_HOST_RECORD_DRAIN_STREAMS_H
#define DWELL_HOST_RECORD_DRAIN_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"
#include "record/session/switches.h"
#include "record/session/turnover.h"
#include "record/sink/budget.h"
#include "record/stage/throttle.h"
#include "writer/trace/dwell.h"

struct stream;
struct stream_owner;

/* Read the numbers, leave the rest alone. */
struct streams {
	const struct session *session;
	struct trace_writer *writer;
	struct workers *workers; /* set it before the first streams_write */
	struct switches *switches;
	struct filter *filter; /* likewise; null: all is wanted */
	uint32_t depth_limit;  /* likewise; 0: none */
	struct throttle *throttle; /* likewise; null: all is wanted to the end */
	struct slow_trees *slow; /* likewise; null: all calls are written */
	bool holds;            /* likewise: threads wait for room */
	bool counts;           /* likewise: no call is listed, all are counted */
	uint64_t longer_ns;    /* likewise; 0: all calls are listed, else those that take as long … */
	uint64_t longer_ticks; /* … in ticks, as soon as that is known: no stream begins before */
	uint32_t whole_pid;    /* the process that is recorded from its start, 0: none */
	struct turnover turnover; /* of those that count */
	struct budget budget; /* of memory */
	struct stream **by_slot;
	struct stream_owner *owners; /* whose they are, together, to be looked through */
	uint64_t looked_ns;          /* for slots that somebody began to take */
	uint32_t next_stream, live;
	uint64_t chosen_from; /* events of which some are kept, with slow */
	uint64_t counted_events; /* of calls that are counted and not listed, with --longer */
	uint64_t events, holes, lost_events, dropped_events, threads, broken;
	uint64_t left_out; /* calls that were recorded, and were not wanted */
};

/* budget_bytes: of memory that all rings together should take. False: no memory. */
bool streams_begin(struct streams *streams, const struct session *session, struct trace_writer *writer, struct switches *switches,
	uint64_t budget_bytes);
void streams_end(struct streams *streams);

/* A file that has hooks was mapped, or unmapped: between streams_see and streams_write. */
void streams_add_module(struct streams *streams, const struct message_module *module);

/* Sees which slots are in use and how far their rings have come. final: their threads do not run any more. What was told in the
 * journal before that belongs to what streams_write writes afterwards, and so do the switches: see, read the switches, copy the journal,
 * write. */
void streams_see(struct streams *streams, uint64_t now_ns, bool final);
/* Writes what was seen, of those rings that hold enough, have waited long enough or whose thread has ended. final: all of it.
 * Returns whether any ring was filling up. */
bool streams_write(struct streams *streams, uint64_t now_ns, bool final);

#endif
