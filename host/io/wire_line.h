/* wire line: moves the bytes between a wire client and a link, asks again where no answer comes, and waits no longer than told. */
#ifndef DWELL_HOST_IO_WIRE_LINE_H
#define DWELL_HOST_IO_WIRE_LINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "io/link.h"
#include "io/wire_client.h"

struct wire_line {
	struct link *link;
	struct wire_client *client;
	uint64_t wait_ns;          /* for the answer to one frame, asked again meanwhile */
	volatile sig_atomic_t *stop; /* null, or set by a signal: nothing more is waited for */
	uint8_t bytes[4096];       /* that came, and wait: [at, count) */
	size_t at, count;
	uint64_t frames, repeats, bytes_in, bytes_out;
};

enum wire_outcome {
	WIRE_DONE_WELL,
	WIRE_LINE_GONE,   /* the link is; or it may be opened again */
	WIRE_LINE_SILENT, /* no answer, for as long as was waited */
	WIRE_LINE_BUSY,   /* another host is served */
	WIRE_LINE_REFUSED,
	WIRE_LINE_STARVED, /* no memory */
	WIRE_LINE_STOPPED,
};

/* The job, to its end. */
enum wire_outcome wire_line_do(struct wire_line *line, enum wire_job job);
/* Goes on with the job that was begun, by a link that was opened again. */
enum wire_outcome wire_line_go_on(struct wire_line *line);
/* Lets the target know that there is somebody, and asks how it is; does not wait for the answer. No job is under way. */
bool wire_line_speak(struct wire_line *line);
/* Listens until the target says something unasked (wire_client_flushes, wire_client_is_wanted), or until the deadline: both
 * WIRE_DONE_WELL. */
enum wire_outcome wire_line_listen(struct wire_line *line, uint64_t deadline);

/* "no answer came", … */
const char *wire_outcome_text(enum wire_outcome outcome);

#endif
