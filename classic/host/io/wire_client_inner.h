/* wire_client_inner: the structs that wire_client.c and wire_told.c share. */
#ifndef DWELL_CLASSIC_HOST_IO_WIRE_CLIENT_INNER_H
#define DWELL_CLASSIC_HOST_IO_WIRE_CLIENT_INNER_H

#include "classic/host/io/wire_client.h"

struct segment {
	struct wire_segment said;
	bool is_known;
	bool is_sure;      /* its EXTENT has come since the line was opened */
	struct wire_list now;   /* counts at the last copy */
	struct wire_list taken; /* counts taken away in earlier passes */
	struct wire_list fresh; /* counts taken away in the current pass */
	uint32_t full;
};

struct wire_client {
	uint32_t host;
	enum wire_job job;
	uint8_t wants; /* the current request: a WIRE_… type */
	bool is_done, takes;
	bool knows_time; /* TIME has come, or the target does not support it */
	bool is_flushing, is_wanted;
	uint32_t refusals, renewed;
	struct wire_state state;
	uint8_t session;
	uint32_t taken; /* number of the last TAKE that the target executed */
	uint32_t own;   /* number of this host's last TAKE that the target executed, or WIRE_NUMBER_… */
	uint64_t doubtful;
	struct segment *segments;
	uint32_t segment_count;
	uint64_t counters; /* of all segments */
	uint32_t segment, first; /* position of the pass */
	uint32_t asked;          /* the segment whose EXTENT is requested */
	struct wire_areas areas;
	/* The TAKE without an answer. */
	uint8_t pending[WIRE_CONTENT_MAX];
	size_t pending_bytes; /* 0: none */
	struct wire_receiver in;
};

#endif
