/* lines play: converts one line buffer to messages.
 *
 *     function cost   ENTER and EXIT with times; the time away becomes time off the CPU
 *     call trace      ENTER of the open calls; without times
 *     call log        ENTER and EXIT, derived from the levels; without times
 *     statistics      SUMS
 *
 * Events without times have rising numbers in place of times, to define the order; message_header.is_untimed is set then. */
#ifndef DWELL_CLASSIC_HOST_READER_NITRO_LINES_PLAY_H
#define DWELL_CLASSIC_HOST_READER_NITRO_LINES_PLAY_H

#include "classic/host/reader/memory.h"
#include "reader/message.h"
#include "classic/host/reader/nitro/lines_area.h"

/* An open call; in a log with the depth. */
struct lines_open {
	uint64_t name;
	int64_t depth;
};

struct lines_play {
	const struct memory *memory;
	const struct lines_area *area;
	uint32_t stream;
	uint64_t chunk;
	/* Internal. */
	int phase;
	bool has_begun;
	uint8_t *lines, *levels;
	uint64_t next;        /* line, counted from the oldest one */
	uint64_t *names;      /* values whose texts become messages */
	size_t name_count, name_next;
	char text[1024];
	struct lines_open *open;
	size_t open_count, open_capacity;
	uint64_t now;
	uint64_t tick;
	int64_t depth;
	struct event *events;
	size_t event_count, event_capacity;
	struct message_switch *switches;
	size_t switch_count, switch_capacity;
	uint64_t from;        /* start of the next message of switches */
	struct message_sum_node *nodes;
	struct message_sum_function *functions;
	/* Counts for the caller. */
	uint64_t odd;         /* lines that are invalid at their position, or stand for too many calls */
	uint64_t events_told;
	bool no_memory;
};

/* Zeroes play first. False: no memory, or the image has changed. */
bool lines_play_begin(
	struct lines_play *play, const struct memory *memory, const struct lines_area *area, uint32_t stream, uint64_t chunk);
/* False: no message is left. */
bool lines_play_next(struct lines_play *play, struct message *message);
void lines_play_end(struct lines_play *play);

#endif
