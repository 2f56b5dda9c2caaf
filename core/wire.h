/* SPDX-License-Identifier: MIT
 *
 * The wire: what a target and the host say to each other over a serial line, TCP, or whatever carries bytes both ways. FORMAT.md has all
 * of it; this file is compiled into both.
 *
 * A frame is bytes between two WIRE_FLAGs: a type, a session, what belongs to the type, and a CRC-32 of all that, least byte first. A
 * WIRE_FLAG or WIRE_ESCAPE in it is sent as WIRE_ESCAPE and the byte ^ WIRE_FLIP. Whoever comes in the middle, or meets bytes that were
 * lost or changed, is right again at the next flag; a frame that is not whole is no frame. Numbers have their least byte first on every
 * machine.
 *
 * The host asks, the target answers each frame with one, and the host asks again when no answer comes; asking twice does no harm. Only
 * WIRE_FLUSH and WIRE_WANTED are said by the target unasked. */
#ifndef DWELL_CORE_WIRE_H
#define DWELL_CORE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_VERSION 1
#define WIRE_FLAG 0x7e
#define WIRE_ESCAPE 0x7d
#define WIRE_FLIP 0x20
#define WIRE_HEAD_BYTES 2
#define WIRE_CRC_BYTES 4
/* Of a frame without flags, escapes and CRC. */
#define WIRE_CONTENT_MAX 160

/* Host to target. */
enum {
	WIRE_HELLO = 0x01,   /* u8 version, u32 host: a number of its own. The session in the head is ignored */
	WIRE_SEGMENT = 0x02, /* u16 segment */
	WIRE_GET = 0x03,     /* u16 segment, u32 first: counters from there on */
	WIRE_TAKE = 0x04,    /* u32 number, and what a DATA held: take these counts away */
	WIRE_START = 0x05,   /* u32 microseconds, 0: as before */
	WIRE_STOP = 0x06,
	WIRE_BYE = 0x07,
	WIRE_DONE = 0x08,    /* u32 flush: the host has all that it wanted of it */
	WIRE_ASK = 0x09,     /* for WIRE_STATUS */
	WIRE_AREA = 0x0a,    /* u16 area: memory that the program shares */
	WIRE_READ = 0x0b,    /* u16 area, u32 offset: bytes of it from there on */
	WIRE_RAN = 0x0c,     /* for WIRE_TIME */
};

/* Target to host. */
enum {
	WIRE_WELCOME = 0x81, /* u8 version, u8 bytes in a word, u8 byte order (1: least first, 2: last), u8 bytes of text to a counter,
	                        u16 segments, u32 generation, status, u32 number of this host's last TAKE, 0: it took
	                        nothing, or WIRE_NUMBER_… */
	WIRE_EXTENT = 0x82,  /* u16 segment, u64 text, u32 counters, u8 wanted, u32 sum: the CRC-32 of
	                        pieces of the text (dwell_wire_sum_at), then the name of its file, or nothing */
	WIRE_DATA = 0x83,    /* u16 segment, u32 first, u32 next, then counters that are not 0, in order: u16 offset from first, u16
	                        count. Those between that are not here are 0. The next GET begins at next, which may be the end */
	WIRE_TAKEN = 0x84,   /* u32 number */
	WIRE_STATUS = 0x85,  /* status: u8 HISTOGRAM_STATE_…, u8 wanted, u32 period in microseconds, u32 overflow, u32 beyond,
	                        u32 number of the last TAKE, u32 flush */
	WIRE_SHARED = 0x86,  /* u16 area, u16 areas in all, u64 address, u32 bytes */
	WIRE_BYTES = 0x87,   /* u16 area, u32 offset, then up to WIRE_BYTES_MAX bytes */
	WIRE_TIME = 0x8a,    /* u64 microseconds in which interrupts came since the counters are new, by the target's
	                        clock, u64 counts of them that were taken away */
	WIRE_FLUSH = 0x88,   /* status: the program flushes and waits for DONE */
	WIRE_WANTED = 0x89,  /* u16 segment: fetch it */
	WIRE_BUSY = 0x8e,    /* u32 host: another one is being served */
	WIRE_REFUSED = 0x8f, /* u8 type of what is refused, u8 enum wire_why */
};

enum wire_why {
	WIRE_WHY_SESSION = 1, /* say HELLO first (again, when the program called osProfileInit again) */
	WIRE_WHY_CONTENT = 2, /* too short, too long, or of an unknown type */
	WIRE_WHY_RANGE = 3,   /* no such segment or counter, or more than was counted */
	WIRE_WHY_NUMBER = 4,  /* of a TAKE: neither the last one nor the one behind it */
	WIRE_WHY_STATE = 5,   /* it cannot start, or stop, now */
};

#define WIRE_NUMBER_NEW 0xfffffffeu       /* this host was not here before */
#define WIRE_NUMBER_FORGOTTEN 0xffffffffu /* perhaps it was, and too many others since */
#define WIRE_STATUS_BYTES 22
#define WIRE_WELCOME_BYTES (10 + WIRE_STATUS_BYTES + 4)
#define WIRE_EXTENT_BYTES 19 /* and the name */
#define WIRE_NAME_MAX (WIRE_CONTENT_MAX - WIRE_HEAD_BYTES - WIRE_EXTENT_BYTES)
#define WIRE_DATA_HEAD_BYTES 10
#define WIRE_ENTRY_BYTES 4
#define WIRE_ENTRIES_MAX 32 /* in a DATA */
#define WIRE_SHARED_BYTES 16
#define WIRE_BYTES_HEAD_BYTES 6
#define WIRE_TIME_BYTES 16
#define WIRE_BYTES_MAX 128

/* Numbers, least byte first. */
void dwell_wire_put16(uint8_t *at, uint16_t number);
void dwell_wire_put32(uint8_t *at, uint32_t number);
void dwell_wire_put64(uint8_t *at, uint64_t number);
uint16_t dwell_wire_get16(const uint8_t *at);
uint32_t dwell_wire_get32(const uint8_t *at);
uint64_t dwell_wire_get64(const uint8_t *at);

/* The CRC-32 of zip and of trace files, in pieces: begins with 0. Context: anywhere; some 16 instructions a byte. */
uint32_t dwell_wire_crc(uint32_t crc, const void *bytes, size_t size);

/* The places of a text whose bytes tell which program it is: WIRE_SUM_PIECES of WIRE_SUM_BYTES, evenly spread. */
#define WIRE_SUM_PIECES 64u
#define WIRE_SUM_BYTES 4u
uint32_t dwell_wire_sum_at(uint32_t text_bytes, uint32_t piece);

struct wire_receiver {
	uint8_t bytes[WIRE_CONTENT_MAX + WIRE_CRC_BYTES];
	uint16_t count;    /* of them */
	bool escaped, bad; /* bad: it is no frame, until the next flag */
	uint32_t crc;      /* of all of them */
	uint32_t damaged;  /* frames that were not whole */
};

/* The next byte that came. Returns the bytes of a frame's content (receiver->bytes, until the next call), or 0.
 * Context: one at a time; some 40 instructions, whichever byte it is. */
size_t dwell_wire_receive(struct wire_receiver *receiver, uint8_t byte);

struct wire_sender {
	uint8_t bytes[WIRE_CONTENT_MAX + WIRE_CRC_BYTES]; /* content, then its CRC, once all of that was sent */
	uint16_t count, at; /* count 0: nothing to send */
	bool begun, escaped;
	uint32_t crc; /* of what was sent */
};

/* The content that is in sender->bytes is to be sent. pre: nothing is being sent; up to WIRE_CONTENT_MAX bytes. */
void dwell_wire_begin(struct wire_sender *sender, size_t content_bytes);

static inline bool dwell_wire_sends(const struct wire_sender *sender)
{
	return sender->count != 0;
}

/* The next byte to be sent; false: there is none. Context: one at a time; some 40 instructions. */
bool dwell_wire_next(struct wire_sender *sender, uint8_t *byte);

#endif
