/* SPDX-License-Identifier: MIT
 *
 * The target's end of the wire (classic/core/wire.h): answers a host that fetches histograms. The server is a
 * pump of bytes in and bytes out; its caller moves the bytes: a thread, a main loop, or the interrupt of a UART.
 *
 * The server never waits, and keeps no copy of a counter: a TAKE contains the counts to subtract, which the
 * host received before. A TAKE has a number, and the server executes a TAKE once, however often the TAKE arrives. */
#ifndef DWELL_CLASSIC_RECORDER_SERVER_H
#define DWELL_CLASSIC_RECORDER_SERVER_H

#include "classic/core/wire.h"
#include "classic/target/recorder/histogram/histogram.h"

/* Functions of the program, by which the server carries out the host's requests. */
struct histogram_control {
	/* Return whether sampling started, or stopped. 0 microseconds: as before. */
	bool (*start)(uint32_t microseconds);
	bool (*stop)(void);
	/* Writes the name of the file that contains a text, room bytes at most. Returns its bytes, 0 if unknown. */
	size_t (*name)(uintptr_t text, char *name, size_t room);
	/* Returns the microseconds of sampling since the counters were made. */
	uint64_t (*ran)(void);
	/* Copies memory of the program; false: the memory does not exist any more. */
	bool (*read)(uintptr_t from, uint8_t *to, uint32_t bytes);
};

/* Memory that the host may read. */
struct histogram_area {
	uintptr_t address;
	uint32_t size;
};

/* The unfinished part of an answer; each call does a piece of it. */
enum server_work {
	SERVER_IDLE,
	SERVER_LOOKS, /* for a GET: reads counters [first, at) */
	SERVER_SUMS,  /* for a SEGMENT: sums pieces of its text up to at */
	SERVER_CHECKS, /* for a TAKE: checks whether its entries up to at can be subtracted */
	SERVER_TAKES,  /* for a checked TAKE: subtracts its entries */
};

/* Hosts that the server remembers. */
#define SERVER_HOSTS 8

struct histogram_server {
	struct histogram *histogram;
	const struct histogram_control *control;
	const struct histogram_area *areas;
	uint16_t area_count;
	struct wire_receiver in;
	struct wire_sender out;
	struct {
		uint32_t host, number; /* number of its last TAKE; 0: it took nothing */
	} known[SERVER_HOSTS]; /* the last hosts, the latest first */
	uint8_t known_count;
	bool forgot; /* the server has forgotten older hosts */
	uint32_t host, rival; /* the host with the session; another host that sent HELLO meanwhile */
	uint8_t rival_asked;  /* HELLOs of the rival since the last frame of the session's host */
	uint8_t session;
	volatile bool in_session;
	bool holds;           /* the host sent STOP, and not yet START */
	uint32_t generation;  /* number of times that the counters were made anew */
	volatile uint32_t flush, flushed; /* number of the last flush; number of the last flush that the host finished */
	bool flush_told;
	volatile uint32_t heard; /* frames received from hosts */
	/* The request that is being answered. */
	enum server_work work;
	uint16_t segment, entries;
	/* first: the counter at which a GET or a TAKE begins. at: GET: next counter to read; SEGMENT: next piece to sum; TAKE: next
	 * entry. sum: SEGMENT: CRC of the pieces so far. before: TAKE: offset of the previous entry, since offsets must rise. */
	uint32_t first, at, sum, before;
	uint64_t away; /* sum of all counts that hosts took, with those of rest */
	/* What hosts took of the histogram's overflow and beyond, which the interrupt alone changes; and the TAKE in work. */
	struct server_rest {
		uint32_t overflow, beyond;
	} rest, asked;
};

/* After this many HELLOs of another host, a silent host loses its session. */
#define SERVER_RIVAL_ASKS 4

/* Connects the server to a histogram with new counters; a connected
 * host has to send HELLO again. Context: nothing else uses the server. */
void dwell_server_begin(struct histogram_server *server, struct histogram *histogram, const struct histogram_control *control);

/* Sets the memory that the host may read beside the counters. areas is borrowed. Context: nothing else uses the server. */
void dwell_server_share(struct histogram_server *server, const struct histogram_area *areas, uint16_t count);

/* Restarts sampling if the host stopped it, because the host is gone.
 * Context: no other call of the server runs; never blocks. */
void dwell_server_release(struct histogram_server *server);

/* Ends the session, because the link is gone, or replaced. Context: no other call of the server runs; never blocks. */
void dwell_server_reset(struct histogram_server *server);

/* Whether the server accepts a byte from the host now: not before the last answer is sent completely. */
static inline bool dwell_server_listens(const struct histogram_server *server)
{
	return !dwell_wire_sends(&server->out) && server->work == SERVER_IDLE;
}

/* Takes a byte from the host. pre: dwell_server_listens(), else the byte is lost.
 * Context: no other call of the server runs; never blocks. */
void dwell_server_receive(struct histogram_server *server, uint8_t byte);

/* Returns the next byte for the host; false: there is none now. One call
 * reads at most 64 counters, or subtracts from 8, or sums 8 pieces of a text.
 * Context: no other call of the server runs; never blocks. */
bool dwell_server_send(struct histogram_server *server, uint8_t *byte);

/* Begins a flush: the server will report it to the host. False: there is no
 * host. The caller then serves the link until dwell_server_flushes() is false.
 * Context: no other call of the server runs; never blocks. */
bool dwell_server_flush(struct histogram_server *server);

/* Whether a flush is still running: the host has not finished it. */
static inline bool dwell_server_flushes(const struct histogram_server *server)
{
	return server->flushed != server->flush;
}

/* Writes the frame that a second link receives while this server has a
 * host: BUSY. Returns the number of bytes on the wire, with the WIRE_FLAGs
 * and escapes: SERVER_BUSY_BYTES at most. */
#define SERVER_BUSY_BYTES (2 + 2 * (WIRE_HEAD_BYTES + 4 + WIRE_CRC_BYTES))
size_t dwell_server_busy(const struct histogram_server *server, uint8_t *frame);

#endif
