/* wire_client_inner: the structs that wire_client.c and wire_told.c share. */
#ifndef DWELL_CLASSIC_HOST_IO_WIRE_CLIENT_INNER_H
#define DWELL_CLASSIC_HOST_IO_WIRE_CLIENT_INNER_H

#include "classic/host/io/wire_client.h"

/* A pass requests the counters of all segments once: WIRE_JOB_FETCH copies the counts, WIRE_JOB_TAKE takes the counts away from the
 * target. */
struct segment {
	struct wire_segment said; /* contents of the last EXTENT */
	bool is_known;     /* an EXTENT has come: the member above is valid */
	bool is_sure;      /* its EXTENT has come since the line was opened */
	struct wire_list now;   /* counts that the last pass copied; empty after a pass that took */
	struct wire_list taken; /* counts that earlier passes took */
	struct wire_list fresh; /* counts that the last or current pass took */
	uint32_t full;     /* full counters that the last pass found */
};

struct wire_client {
	uint32_t host;
	enum wire_job job;
	uint8_t wants; /* the current request: a WIRE_… type */
	bool is_done, takes; /* the job is done; the job is WIRE_JOB_TAKE */
	bool knows_time; /* TIME has come, or the target does not support it */
	bool is_flushing, is_wanted; /* see wire_client_flushes, wire_client_is_wanted */
	uint32_t refusals, renewed; /* refused requests of the current job; see wire_client_renewed */
	struct wire_state state;
	uint8_t session; /* number of the session, from the target's WELCOME */
	uint32_t taken; /* number of the last TAKE that the target executed, of any host */
	/* Number of this host's last TAKE that the target executed; 0: none. WIRE_NUMBER_NEW: the target has not served this host
	 * before. WIRE_NUMBER_FORGOTTEN: the target cannot tell. */
	uint32_t own;
	uint64_t doubtful; /* see wire_client_doubtful */
	/* Interrupts that no counter has: how many the host took. In the current pass: the host took; the target refused. */
	struct {
		uint32_t overflow, beyond;
		bool is_done, is_refused;
	} rest;
	struct segment *segments;
	uint32_t segment_count;
	uint64_t counters; /* of all segments */
	uint32_t segment, first; /* the pass continues at counter `first` of this segment */
	uint32_t asked;          /* the segment whose EXTENT is requested */
	struct wire_areas areas;
	/* The TAKE without an answer. */
	uint8_t pending[WIRE_CONTENT_MAX];
	size_t pending_bytes; /* 0: none */
	struct wire_receiver in;
};

#endif
