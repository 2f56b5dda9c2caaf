/* wire client: the host's end of the wire (classic/core/wire.h): fetches the histograms
 * of a target. A pump, like the target's end: frames out, bytes in; no I/O, no time.
 *
 *     wire_client_begin(client, WIRE_JOB_FETCH);
 *     while (!wire_client_is_done(client))
 *             …send wire_client_frame(client), then wire_client_take(client, byte) for each byte received, until WIRE_ANSWERED;
 *              if no answer comes, send the same frame again…
 *
 * A repeated request does no harm, so the caller need not detect which frames were lost. Every byte of the target
 * is hostile: the client ignores inconsistent answers, and memory grows by received bytes, not by announced ones.
 *
 * The counts are what the target has now, plus what this host took away before. If the line is cut before the target answers a
 * TAKE, the next WELCOME states whether the target executed the TAKE. So no count is lost or counted twice. Exception: the target
 * has forgotten this host (wire_client_doubtful). */
#ifndef DWELL_CLASSIC_HOST_IO_WIRE_CLIENT_H
#define DWELL_CLASSIC_HOST_IO_WIRE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/core/wire.h"
#include "classic/host/io/wire_areas.h"
#include "classic/host/io/wire_list.h"

/* The limits that a target may not exceed. */
#define WIRE_CLIENT_SEGMENTS_MAX 4096u
#define WIRE_CLIENT_COUNTERS_MAX (1u << 28) /* of all segments: 1 GiB of text */

struct wire_client;

/* host: the number by which the target recognises this host. Null: no memory. */
struct wire_client *make_wire_client(uint32_t host);
void free_wire_client(struct wire_client *client);

/* The line was cut or replaced: drops partial frames, and begins the session again; the job goes on. */
void wire_client_reconnect(struct wire_client *client);

enum wire_job {
	WIRE_JOB_GREET, /* only to learn the target's state */
	WIRE_JOB_FETCH, /* all counters, copied */
	WIRE_JOB_TAKE,  /* all counters, taken away */
	WIRE_JOB_AREAS, /* the memory that the target shares */
	WIRE_JOB_ASK,   /* the target's state */
	WIRE_JOB_STOP,  /* stops sampling */
	WIRE_JOB_START, /* starts sampling with the last period; the target refuses if the program stopped sampling */
	WIRE_JOB_DONE,  /* tells the program, which waits in its last flush, that the host needs nothing more */
	WIRE_JOB_BYE,   /* ends the session */
};
void wire_client_begin(struct wire_client *client, enum wire_job job);
bool wire_client_is_done(const struct wire_client *client);

/* Writes the next frame, with its flags, and returns its bytes. Without an answer in between, the frame is the last one again. */
#define WIRE_CLIENT_FRAME_MAX (2 + 2 * (WIRE_CONTENT_MAX + WIRE_CRC_BYTES))
size_t wire_client_frame(struct wire_client *client, uint8_t frame[static WIRE_CLIENT_FRAME_MAX]);

enum wire_event {
	WIRE_NOTHING,
	WIRE_ANSWERED, /* the request was answered: there is a next frame, or the job is done */
	WIRE_IS_BUSY,  /* the target serves another host; a repeat may help */
	WIRE_REFUSES,  /* the target refused valid requests several times */
	WIRE_STARVED,  /* no memory */
};
enum wire_event wire_client_take(struct wire_client *client, uint8_t byte);

/* The target's last state. */
struct wire_state {
	bool is_known, is_running, is_fixed, is_big; /* a WELCOME came; sampling; the period is constant; highest byte first */
	uint32_t word_bytes, text_bytes; /* bytes of text per counter */
	uint32_t generation; /* how often the program has made new counters */
	uint32_t period_us, overflow, beyond; /* overflow: interrupts outside of all segments; beyond: their counter was full */
	/* Since the program made the counters. ran_us: microseconds of sampling; 0: unknown. away: counts that all hosts took. */
	uint64_t ran_us, away;
	uint32_t flush;    /* number of the last flush */
	uint32_t busy_with; /* the other host's number */
	uint8_t refused;   /* WIRE_WHY_… of the last refusal, 0: none */
};
struct wire_state wire_client_state(const struct wire_client *client);
/* Returns whether the target has reported a flush since the last call: the program waits for WIRE_JOB_DONE. */
bool wire_client_flushes(struct wire_client *client);
/* Returns whether the target has reported since the last call that a counter is nearly full, by WIRE_WANTED or in a status. */
bool wire_client_is_wanted(struct wire_client *client);
/* Returns whether wire_client_flushes or wire_client_is_wanted would return true; their results stay the same. */
bool wire_client_is_told(const struct wire_client *client);
/* Returns the number of damaged frames. */
uint32_t wire_client_damaged(const struct wire_client *client);
/* Returns the number of interrupts that may be lost, in TAKEs during which the line was cut: the target may have executed a TAKE,
 * and has forgotten the last one of this host, as too many other hosts came. */
uint64_t wire_client_doubtful(const struct wire_client *client);
/* Returns how often the program made new counters; the old counts are gone. */
uint32_t wire_client_renewed(const struct wire_client *client);

/* Returns the number of interrupts since the program made the counters, including those taken away. pre: a pass is complete. */
uint64_t wire_client_interrupts(const struct wire_client *client);

/* Returns the shared memory after WIRE_JOB_AREAS; an empty list: the program shares no memory. */
const struct wire_areas *wire_client_areas(const struct wire_client *client);

struct wire_segment {
	uint64_t text; /* address of the first counter's text */
	uint32_t counters, sum;
	char name[WIRE_NAME_MAX + 1]; /* the file's; "": unknown */
};
uint32_t wire_client_segments(const struct wire_client *client);
/* Null: not received yet. */
const struct wire_segment *wire_client_segment(const struct wire_client *client, uint32_t segment);
/* Returns all counts of a segment, sorted by counter; to be freed. *full: full counters. False: no memory. */
bool wire_client_get_counts(
	const struct wire_client *client, uint32_t segment, struct wire_count **counts, size_t *count, uint32_t *full);

#endif
