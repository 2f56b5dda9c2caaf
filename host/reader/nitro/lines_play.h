/* lines play: what stands in one line buffer, as messages.
 *
 *     function cost   ENTER and EXIT with times; what a thread was away is told as time off the CPU
 *     call trace      ENTER of the calls that are open; without times
 *     call log        ENTER and EXIT, as the levels say; without times
 *     statistics      SUMS
 *
 * Events without times have numbers that count up in their place, so that their order is known; message_header.is_untimed says it. */
#ifndef DWELL_HOST_READER_NITRO_LINES_PLAY_H
#define DWELL_HOST_READER_NITRO_LINES_PLAY_H

#include "reader/memory.h"
#include "reader/message.h"
#include "reader/nitro/lines_area.h"

/* A call that is open; of a log, how deep it was called. */
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
	uint64_t *names;      /* of which the texts are told */
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
	uint64_t from;        /* where the switches begin that are told next */
	struct message_sum_node *nodes;
	struct message_sum_function *functions;
	/* What was noticed. */
	uint64_t odd;         /* lines that make no sense where they stand */
	uint64_t events_told;
	bool no_memory;
};

/* Zeroes it first. False: there is no memory, or the image has changed. */
bool lines_play_begin(struct lines_play *play, const struct memory *memory, const struct lines_area *area, uint32_t stream, uint64_t chunk);
/* False: there are no more. */
bool lines_play_next(struct lines_play *play, struct message *message);
void lines_play_end(struct lines_play *play);

#endif
