/* SPDX-License-Identifier: MIT
 *
 * The target's end of the wire (core/wire.h): answers a host that fetches histograms. It is a pump: bytes in, bytes out, and who calls it
 * moves them: a thread, a main loop, the interrupt of a UART.
 *
 * It never waits, and keeps no copy of a counter: what the host was told and wants to be taken away, it says itself. A TAKE has a number,
 * and is done once however often it comes. */
#ifndef DWELL_RECORDER_SERVER_H
#define DWELL_RECORDER_SERVER_H

#include "core/wire.h"
#include "recorder/histogram/histogram.h"

/* What belongs to the program, not to the wire. */
struct histogram_control {
	/* Return whether it could be done. 0 microseconds: as before. */
	bool (*start)(uint32_t microseconds);
	bool (*stop)(void);
	/* The file that a text is of: its name's bytes, room at most, 0 when it is not known. */
	size_t (*name)(uintptr_t text, char *name, size_t room);
	/* Microseconds in which interrupts came, since the counters are new. */
	uint64_t (*ran)(void);
	/* Copies memory of the program; false: it is not there any more. */
	bool (*read)(uintptr_t from, uint8_t *to, uint32_t bytes);
};

/* Memory that the host may read. */
struct histogram_area {
	uintptr_t address;
	uint32_t size;
};

/* What an answer still takes, some of it in each call. */
enum server_work {
	SERVER_IDLE,
	SERVER_LOOKS, /* for a GET, at counters [first, at) */
	SERVER_SUMS,  /* for a SEGMENT, pieces of its text up to at */
	SERVER_CHECKS, /* for a TAKE, whether its entries up to at can be taken … */
	SERVER_TAKES,  /* … and then it takes */
};

/* Hosts that are remembered. */
#define SERVER_HOSTS 8

struct histogram_server {
	struct histogram *histogram;
	const struct histogram_control *control;
	const struct histogram_area *areas;
	uint16_t area_count;
	struct wire_receiver in;
	struct wire_sender out;
	struct {
		uint32_t host, number; /* of its last TAKE, 0: it took nothing */
	} known[SERVER_HOSTS]; /* hosts that were there last, the latest of them first */
	uint8_t known_count;
	bool forgot; /* there were more */
	uint32_t host, rival; /* who is served; who said HELLO meanwhile … */
	uint8_t rival_asked;  /* … so often, without a word of the other */
	uint8_t session;
	volatile bool in_session;
	bool holds;           /* the host said STOP, and not yet START */
	uint32_t generation;  /* of the counters: how often they were made anew */
	volatile uint32_t flush, flushed; /* number of the last flush, and the last one that the host is done with */
	bool flush_told;
	volatile uint32_t heard; /* frames of the host */
	/* What is being answered. */
	enum server_work work;
	uint16_t segment, entries;
	uint32_t first, at, sum, before;
	uint64_t away; /* counts that hosts took */
};

/* A host that is silent while another one asks so often is gone. */
#define SERVER_RIVAL_ASKS 4

/* What all is about; the counters are new: who is connected has to say HELLO again. Context: nobody else uses the server. */
void dwell_server_begin(struct histogram_server *server, struct histogram *histogram, const struct histogram_control *control);

/* What the host may read beside the counters. Context: as above. */
void dwell_server_share(struct histogram_server *server, const struct histogram_area *areas, uint16_t count);

/* What the host had stopped goes on: it is gone. Context: as the next three. */
void dwell_server_release(struct histogram_server *server);

/* The link is gone, or another one is there. Context: as the next two. */
void dwell_server_reset(struct histogram_server *server);

/* Whether a byte of the host can be taken now: not while the answer before it is on its way. */
static inline bool dwell_server_listens(const struct histogram_server *server)
{
	return !dwell_wire_sends(&server->out) && server->work == SERVER_IDLE;
}

/* A byte of the host. pre: dwell_server_listens(), else it is lost. Context: one at a time; never blocks. */
void dwell_server_receive(struct histogram_server *server, uint8_t byte);

/* The next byte for the host; false: there is none now. Looks at 64 counters, or takes from 8, or looks at 8 pieces of a
 * text, at most.
 * Context: one at a time; never blocks. */
bool dwell_server_send(struct histogram_server *server, uint8_t *byte);

/* The host is to be told of a flush. False: there is no host. Then, until dwell_server_flushes() is false, it is being served.
 * Context: as the last two. */
bool dwell_server_flush(struct histogram_server *server);

static inline bool dwell_server_flushes(const struct histogram_server *server)
{
	return server->flushed != server->flush;
}

/* The frame that another link is told while this server has one: BUSY. Returns its bytes, flags and all, SERVER_BUSY_BYTES at most. */
#define SERVER_BUSY_BYTES (2 + 2 * (WIRE_HEAD_BYTES + 4 + WIRE_CRC_BYTES))
size_t dwell_server_busy(const struct histogram_server *server, uint8_t *frame);

#endif
