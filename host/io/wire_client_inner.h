/* wire_client_inner: what wire_client.c and wire_told.c share. */
#ifndef DWELL_HOST_IO_WIRE_CLIENT_INNER_H
#define DWELL_HOST_IO_WIRE_CLIENT_INNER_H

#include "io/wire_client.h"

struct segment {
	struct wire_segment said;
	bool is_known;
	bool is_sure;      /* it was told since the line was opened */
	struct wire_list now;   /* what it had when it was copied last */
	struct wire_list taken; /* what was taken away … */
	struct wire_list fresh; /* … since the pass began that takes now */
	uint32_t full;
};

struct wire_client {
	uint32_t host;
	enum wire_job job;
	uint8_t wants; /* what is being asked: a WIRE_… type */
	bool is_done, takes;
	bool knows_time; /* or knows that it is not told */
	bool is_flushing, is_wanted;
	uint32_t refusals, renewed;
	struct wire_state state;
	uint8_t session;
	uint32_t taken; /* number of the last TAKE that the target says was done … */
	uint32_t own;   /* … and of the last one of ours */
	uint64_t doubtful;
	struct segment *segments;
	uint32_t segment_count;
	uint64_t counters; /* of all of them */
	uint32_t segment, first; /* where a pass is */
	uint32_t asked;          /* whose EXTENT is wanted */
	struct wire_areas areas;
	/* A TAKE that nobody has answered yet. */
	uint8_t pending[WIRE_CONTENT_MAX];
	size_t pending_bytes; /* 0: none */
	struct wire_receiver in;
};

#endif
