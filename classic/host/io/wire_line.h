/* wire line: moves the bytes between a wire client and a link, repeats
 * requests without an answer, and waits no longer than wait_ns. */
#ifndef DWELL_CLASSIC_HOST_IO_WIRE_LINE_H
#define DWELL_CLASSIC_HOST_IO_WIRE_LINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "classic/host/io/link.h"
#include "classic/host/io/wire_client.h"

struct wire_line {
	struct link *link;
	struct wire_client *client;
	uint64_t wait_ns;          /* for the answer to one frame, including its repeats */
	volatile sig_atomic_t *stop; /* null, or set by a signal: no more waiting */
	uint8_t bytes[4096];       /* received bytes not yet taken: [at, count) */
	size_t at, count;
	uint64_t frames, repeats, answers, bytes_in, bytes_out;
};

enum wire_outcome {
	WIRE_DONE_WELL,
	WIRE_LINE_GONE,   /* the link is gone; it may be opened again */
	WIRE_LINE_SILENT, /* no answer in wait_ns */
	WIRE_LINE_BUSY,   /* the target serves another host */
	WIRE_LINE_REFUSED,
	WIRE_LINE_STARVED, /* no memory */
	WIRE_LINE_STOPPED,
};

/* Executes the job to its end. */
enum wire_outcome wire_line_do(struct wire_line *line, enum wire_job job);
/* Continues the job over a link that was opened again. */
enum wire_outcome wire_line_go_on(struct wire_line *line);
/* Shows the target that the host is there, by a request for its state; does not wait for the answer. pre: no job is under way. */
bool wire_line_speak(struct wire_line *line);
/* Listens until the target sends something without a request (wire_client_flushes,
 * wire_client_is_wanted), or until the deadline: both WIRE_DONE_WELL. */
enum wire_outcome wire_line_listen(struct wire_line *line, uint64_t deadline);

/* "the connection is gone", … */
const char *wire_outcome_text(enum wire_outcome outcome);

#endif
