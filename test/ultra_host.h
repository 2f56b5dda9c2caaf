/* A host on the wire (classic/core/wire.h), for tests: fetches all histograms of a target, and takes them away when it is told to.
 * It is a pump as the target's end is: fetch_ask() makes the next frame, or the last one again when no answer came; fetch_byte()
 * takes what comes. */
#ifndef DWELL_TEST_ULTRA_HOST_H
#define DWELL_TEST_ULTRA_HOST_H

#include <stdlib.h>
#include <string.h>

#include "classic/core/wire.h"

#define FETCH_SEGMENTS 64

struct fetch_segment {
	bool known;
	uint64_t text;
	uint32_t counters, sum, *totals;
	char name[WIRE_NAME_MAX + 1];
};

struct fetch {
	uint32_t id;
	bool takes;          /* else it copies */
	uint8_t wants;       /* what is being asked: a WIRE_… type */
	bool finished, busy;
	int flushes, wanted; /* frames that came unasked */
	int refused;         /* why the last one was, 0: none was */
	uint8_t session, word_bytes, order, state;
	uint32_t generation, period, overflow, beyond, taken, flush;
	uint16_t segments, segment;
	uint32_t first;
	/* A TAKE that nobody has answered yet. */
	uint8_t pending[WIRE_CONTENT_MAX];
	size_t pending_bytes; /* 0: none */
	struct fetch_segment at[FETCH_SEGMENTS];
	struct wire_receiver in;
	struct wire_sender out;
};

static inline void fetch_begin(struct fetch *fetch, uint32_t id, bool takes)
{
	*fetch = (struct fetch){.id = id, .takes = takes, .wants = WIRE_HELLO};
}

/* The line was cut: what was on it is gone. */
static inline void fetch_again(struct fetch *fetch)
{
	fetch->in = (struct wire_receiver){.count = 0};
	fetch->out.count = 0;
	fetch->wants = WIRE_HELLO;
}

static inline void fetch_end(struct fetch *fetch)
{
	for (int i = 0; i < FETCH_SEGMENTS; i++)
		free(fetch->at[i].totals);
}

/* A frame of this type. */
static inline void fetch_send(struct fetch *fetch, uint8_t type, const void *payload, size_t size)
{
	fetch->out.bytes[0] = type;
	fetch->out.bytes[1] = fetch->session;
	memcpy(fetch->out.bytes + WIRE_HEAD_BYTES, payload, size);
	dwell_wire_begin(&fetch->out, WIRE_HEAD_BYTES + size);
}

static inline void fetch_ask(struct fetch *fetch)
{
	uint8_t payload[WIRE_CONTENT_MAX];

	switch (fetch->wants) {
	case WIRE_HELLO:
		payload[0] = WIRE_VERSION;
		dwell_wire_put32(payload + 1, fetch->id);
		fetch_send(fetch, WIRE_HELLO, payload, 5);
		break;
	case WIRE_SEGMENT:
		dwell_wire_put16(payload, fetch->segment);
		fetch_send(fetch, WIRE_SEGMENT, payload, 2);
		break;
	case WIRE_GET:
		dwell_wire_put16(payload, fetch->segment);
		dwell_wire_put32(payload + 2, fetch->first);
		fetch_send(fetch, WIRE_GET, payload, 6);
		break;
	case WIRE_TAKE:
		fetch_send(fetch, WIRE_TAKE, fetch->pending, fetch->pending_bytes);
		break;
	case WIRE_DONE:
	case WIRE_START: /* as before */
		dwell_wire_put32(payload, fetch->wants == WIRE_DONE ? fetch->flush : 0);
		fetch_send(fetch, fetch->wants, payload, 4);
		break;
	default:
		fetch_send(fetch, fetch->wants, payload, 0);
	}
}

static inline void fetch_count(struct fetch *fetch, const uint8_t *data, size_t size)
{
	struct fetch_segment *segment = &fetch->at[dwell_wire_get16(data)];
	uint32_t first = dwell_wire_get32(data + 2);

	for (size_t i = WIRE_DATA_HEAD_BYTES; i + WIRE_ENTRY_BYTES <= size; i += WIRE_ENTRY_BYTES) {
		uint32_t at = first + dwell_wire_get16(data + i);

		if (at < segment->counters)
			segment->totals[at] += dwell_wire_get16(data + i + 2);
	}
}

/* What comes behind counters up to first of this segment. */
static inline void fetch_next(struct fetch *fetch)
{
	if (fetch->segment < fetch->segments && fetch->at[fetch->segment].known &&
		fetch->first >= fetch->at[fetch->segment].counters) {
		fetch->segment++;
		fetch->first = 0;
	}
	if (fetch->segment == fetch->segments)
		fetch->wants = WIRE_ASK;
	else
		fetch->wants = fetch->at[fetch->segment].known ? WIRE_GET : WIRE_SEGMENT;
}

static inline void fetch_status(struct fetch *fetch, const uint8_t *at)
{
	fetch->state = at[0];
	fetch->period = dwell_wire_get32(at + 2);
	fetch->overflow = dwell_wire_get32(at + 6);
	fetch->beyond = dwell_wire_get32(at + 10);
	fetch->taken = dwell_wire_get32(at + 14);
	fetch->flush = dwell_wire_get32(at + 18);
}

static inline void fetch_taken(struct fetch *fetch)
{
	fetch_count(fetch, fetch->pending + 4, fetch->pending_bytes - 4);
	fetch->first = dwell_wire_get32(fetch->pending + 10);
	fetch->pending_bytes = 0;
}

static inline void fetch_welcome(struct fetch *fetch, const uint8_t *at)
{
	uint32_t generation = dwell_wire_get32(at + 6);

	fetch->word_bytes = at[1];
	fetch->order = at[2];
	fetch->segments = dwell_wire_get16(at + 4);
	if (fetch->segments > FETCH_SEGMENTS)
		fetch->segments = FETCH_SEGMENTS;
	fetch_status(fetch, at + 10);
	if (fetch->generation && generation != fetch->generation)
		fetch->pending_bytes = 0;
	fetch->generation = generation;
	/* Was it taken away, before the line was cut? */
	if (fetch->pending_bytes && dwell_wire_get32(fetch->pending) == fetch->taken)
		fetch_taken(fetch);
	if (fetch->pending_bytes)
		fetch->wants = WIRE_TAKE;
	else
		fetch_next(fetch);
}

static inline void fetch_extent(struct fetch *fetch, const uint8_t *at, size_t size)
{
	struct fetch_segment *segment = &fetch->at[fetch->segment];

	if (dwell_wire_get16(at) != fetch->segment)
		return;
	segment->known = true;
	segment->text = dwell_wire_get32(at + 2) | (uint64_t)dwell_wire_get32(at + 6) << 32;
	segment->counters = dwell_wire_get32(at + 10);
	segment->sum = dwell_wire_get32(at + 15);
	segment->totals = calloc(segment->counters + 1, sizeof *segment->totals);
	memcpy(segment->name, at + WIRE_EXTENT_BYTES, size - WIRE_EXTENT_BYTES);
	fetch->first = 0;
	fetch_next(fetch);
}

static inline void fetch_data(struct fetch *fetch, const uint8_t *at, size_t size)
{
	if (dwell_wire_get16(at) != fetch->segment || dwell_wire_get32(at + 2) != fetch->first)
		return;
	if (fetch->takes && size > WIRE_DATA_HEAD_BYTES) {
		dwell_wire_put32(fetch->pending, fetch->taken + 1);
		memcpy(fetch->pending + 4, at, size);
		fetch->pending_bytes = 4 + size;
		fetch->wants = WIRE_TAKE;
		return;
	}
	fetch_count(fetch, at, size);
	fetch->first = dwell_wire_get32(at + 6);
	fetch_next(fetch);
}

/* The next byte that came. True: that was an answer, and there is something to ask, unless it is finished. */
static inline bool fetch_byte(struct fetch *fetch, uint8_t byte)
{
	size_t size = dwell_wire_receive(&fetch->in, byte);
	const uint8_t *at = fetch->in.bytes + WIRE_HEAD_BYTES;
	uint8_t type = fetch->in.bytes[0];

	if (!size)
		return false;
	size -= WIRE_HEAD_BYTES;
	fetch->refused = 0;
	if (type == WIRE_FLUSH || type == WIRE_WANTED) {
		fetch->flushes += type == WIRE_FLUSH;
		fetch->wanted += type == WIRE_WANTED;
		return false;
	}
	if (type == WIRE_REFUSED) {
		fetch->refused = at[1];
		if (at[1] == WIRE_WHY_SESSION)
			fetch->wants = WIRE_HELLO;
		return true;
	}
	if (type == WIRE_BUSY) {
		fetch->busy = true;
		return true;
	}
	if (type == WIRE_WELCOME && fetch->wants == WIRE_HELLO) {
		fetch->session = fetch->in.bytes[1];
		fetch->busy = false;
		fetch_welcome(fetch, at);
		return true;
	}
	if (fetch->in.bytes[1] != fetch->session)
		return false;
	if (type == WIRE_EXTENT && fetch->wants == WIRE_SEGMENT) {
		fetch_extent(fetch, at, size);
	} else if (type == WIRE_DATA && fetch->wants == WIRE_GET) {
		fetch_data(fetch, at, size);
	} else if (type == WIRE_TAKEN && fetch->wants == WIRE_TAKE) {
		if (dwell_wire_get32(at) != dwell_wire_get32(fetch->pending))
			return false;
		fetch->taken = dwell_wire_get32(at);
		fetch_taken(fetch);
		fetch_next(fetch);
	} else if (type == WIRE_STATUS && fetch->wants >= WIRE_START && fetch->wants <= WIRE_ASK) {
		fetch_status(fetch, at);
		fetch->finished = true;
	} else {
		return false;
	}
	return true;
}

static inline uint64_t fetch_sum(const struct fetch *fetch)
{
	uint64_t sum = 0;

	for (int i = 0; i < FETCH_SEGMENTS; i++)
		for (uint32_t k = 0; k < fetch->at[i].counters; k++)
			sum += fetch->at[i].totals[k];
	return sum;
}

#endif
