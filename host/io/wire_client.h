/* wire client: the host's end of the wire (core/wire.h): fetches the histograms of a target. A pump, as the target's end is: frames out,
 * bytes in; no I/O, no time.
 *
 *     wire_client_begin(client, WIRE_JOB_FETCH);
 *     while (!wire_client_is_done(client))
 *             …send wire_client_frame(client), then wire_client_take(client, byte) for what comes, until it is WIRE_ANSWERED;
 *              where nothing comes, send the same frame again…
 *
 * Asking twice does no harm, so whoever moves the bytes need not know which of them were lost. Every byte of the target is hostile: what it
 * says is kept as long as it holds together, an answer that does not is none, and memory grows by what came, not by what is said to
 * come.
 *
 * What was counted is what the target has now, and what it had and was taken away: a TAKE that nobody answered before the line was cut is
 * settled by the next WELCOME, so no count is lost or counted twice. */
#ifndef DWELL_HOST_IO_WIRE_CLIENT_H
#define DWELL_HOST_IO_WIRE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire.h"
#include "io/wire_areas.h"
#include "io/wire_list.h"

/* What is believed of a target. */
#define WIRE_CLIENT_SEGMENTS_MAX 4096u
#define WIRE_CLIENT_COUNTERS_MAX (1u << 28) /* of all segments: 1 GiB of text */

struct wire_client;

/* host: a number of its own, so that the target knows it again. Null: no memory. */
struct wire_client *make_wire_client(uint32_t host);
void free_wire_client(struct wire_client *client);

/* The line was cut, or another one is there: what was on it is gone, and the session begins again; the job goes on. */
void wire_client_reconnect(struct wire_client *client);

enum wire_job {
	WIRE_JOB_GREET, /* to know the target's state, and no more */
	WIRE_JOB_FETCH, /* all counters, copied */
	WIRE_JOB_TAKE,  /* all counters, taken away */
	WIRE_JOB_AREAS, /* the memory that it shares */
	WIRE_JOB_ASK,   /* its state */
	WIRE_JOB_STOP,
	WIRE_JOB_START, /* as before */
	WIRE_JOB_DONE,  /* with the last flush */
	WIRE_JOB_BYE,
};
void wire_client_begin(struct wire_client *client, enum wire_job job);
bool wire_client_is_done(const struct wire_client *client);

/* The next frame, flags and all; the last one again where no answer came. Returns its bytes. */
#define WIRE_CLIENT_FRAME_MAX (2 + 2 * (WIRE_CONTENT_MAX + WIRE_CRC_BYTES))
size_t wire_client_frame(struct wire_client *client, uint8_t frame[static WIRE_CLIENT_FRAME_MAX]);

enum wire_event {
	WIRE_NOTHING,
	WIRE_ANSWERED, /* what was asked was answered: there is a next frame, or the job is done */
	WIRE_IS_BUSY,  /* it serves another host; asking again may help */
	WIRE_REFUSES,  /* again and again, what it should not */
	WIRE_STARVED,  /* no memory */
};
enum wire_event wire_client_take(struct wire_client *client, uint8_t byte);

/* What the target last said of itself. */
struct wire_state {
	bool is_known, is_running, is_fixed, is_big;
	uint32_t word_bytes, text_bytes; /* of text that a counter is for */
	uint32_t generation;
	uint32_t period_us, overflow, beyond;
	uint64_t ran_us, away; /* how long interrupts came, since its counters are new, 0: unknown; counts that were taken away since */
	uint32_t flush;    /* number of its last one */
	uint32_t busy_with; /* the other host's number */
	uint8_t refused;   /* WIRE_WHY_… of the last refusal, 0: none */
};
struct wire_state wire_client_state(const struct wire_client *client);
/* What it said unasked, since the last time that somebody looked: the program waits in a flush; a counter is near its end. */
bool wire_client_flushes(struct wire_client *client);
bool wire_client_is_wanted(struct wire_client *client);
bool wire_client_is_told(const struct wire_client *client); /* one of these; goes on to be so */
/* Frames that were damaged on their way. */
uint32_t wire_client_damaged(const struct wire_client *client);
/* Interrupts that may be lost: the line was cut in a TAKE, and so many others took before it was there again that the target has forgotten
 * whether it did this one. */
uint64_t wire_client_doubtful(const struct wire_client *client);
/* How often the program made new counters meanwhile: what was counted before is gone. */
uint32_t wire_client_renewed(const struct wire_client *client);

/* All interrupts since its counters are new, when a pass is done: what it has, and had. */
uint64_t wire_client_interrupts(const struct wire_client *client);

/* The memory that it shares, since WIRE_JOB_AREAS; none: it shares none. */
const struct wire_areas *wire_client_areas(const struct wire_client *client);

struct wire_segment {
	uint64_t text; /* address of the first counter's text */
	uint32_t counters, sum;
	char name[WIRE_NAME_MAX + 1]; /* the file's; "": not known */
};
uint32_t wire_client_segments(const struct wire_client *client);
/* Null: it was not told yet. */
const struct wire_segment *wire_client_segment(const struct wire_client *client, uint32_t segment);
/* All that was counted in it, in order; to be freed. *full: counters at their end. False: no memory. */
bool wire_client_get_counts(
	const struct wire_client *client, uint32_t segment, struct wire_count **counts, size_t *count, uint32_t *full);

#endif
