/* SPDX-License-Identifier: MIT
 *
 * The wire: the protocol between target and host over a serial line, TCP, or any other link that
 * carries bytes both ways. FORMAT.md describes it completely; target and host compile this file.
 *
 * A frame is the bytes between two WIRE_FLAGs: its content, then the CRC-32 of the content. The content is a head (a type and
 * a session), then the payload of that type. A sender sends a WIRE_FLAG or WIRE_ESCAPE inside a frame as WIRE_ESCAPE and
 * the byte ^ WIRE_FLIP. A receiver that starts in the middle, or meets lost or changed bytes, is in step again at the next
 * flag; the receiver drops damaged frames. Numbers, and the CRC-32, have their least byte first on every machine.
 *
 * The host sends requests, and the target answers each frame with one frame. The host repeats a request without
 * answer; a repeated request does no harm. The target sends only WIRE_FLUSH and WIRE_WANTED without a request. */
#ifndef DWELL_CLASSIC_CORE_WIRE_H
#define DWELL_CLASSIC_CORE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_VERSION 1
#define WIRE_FLAG 0x7e
#define WIRE_ESCAPE 0x7d
#define WIRE_FLIP 0x20
#define WIRE_HEAD_BYTES 2 /* type and session */
#define WIRE_CRC_BYTES 4
/* Bytes of the largest content: head and payload, without flags, escapes and CRC. */
#define WIRE_CONTENT_MAX 160

/* Host to target; the comments list the fields of the payload. */
enum {
	WIRE_HELLO = 0x01,   /* u8 version, u32 host: the host's own number. The target ignores the session */
	WIRE_SEGMENT = 0x02, /* u16 segment */
	WIRE_GET = 0x03,     /* u16 segment, u32 first: request for the DATA of the counters from this one on */
	WIRE_TAKE = 0x04,    /* u32 number, then the payload of a DATA: the target subtracts these counts */
	WIRE_START = 0x05,   /* u32 microseconds, 0: the last period. Bit 31: constant period */
	WIRE_STOP = 0x06,
	WIRE_BYE = 0x07,
	WIRE_DONE = 0x08,    /* u32 flush: the host has fetched all that it needs for this flush */
	WIRE_ASK = 0x09,     /* request for WIRE_STATUS */
	WIRE_AREA = 0x0a,    /* u16 area: memory that the program shares */
	WIRE_READ = 0x0b,    /* u16 area, u32 offset: request for the bytes of the area from this offset on */
	WIRE_RAN = 0x0c,     /* request for WIRE_TIME */
};

/* Target to host. wanted: 1 if a counter has passed HISTOGRAM_NEAR (histogram.h), so the host should fetch; else 0. overflow:
 * interrupts outside of all segments. beyond: interrupts whose counter was full; both without what hosts took. */
enum {
	WIRE_WELCOME = 0x81, /* u8 version, u8 bytes in a word, u8 byte order (1: least first, 2: last),
	                      * u8 bytes of text to a counter, u16 segments, u32 generation (how often the
	                      * program made new counters), status, u32 number of this host's last TAKE;
	                      * 0: the host took nothing; or WIRE_NUMBER_… */
	WIRE_EXTENT = 0x82,  /* u16 segment, u64 text, u32 counters, u8 wanted, u32 sum: the CRC-32 of pieces
	                      * of the text (dwell_wire_sum_at), then the name of its file, or nothing */
	WIRE_DATA = 0x83,    /* u16 segment, u32 first, u32 next, then the counters that are not 0, in order: u16 offset from
	                      * first, u16 count. Counters between them are 0. The next GET begins at next, which may be the end */
	WIRE_TAKEN = 0x84,   /* u32 number of the TAKE */
	WIRE_STATUS = 0x85,  /* status: u8 HISTOGRAM_STATE_…, u8 wanted, u32 period in microseconds,
	                      * u32 overflow, u32 beyond, u32 number of the last TAKE, u32 number of the last flush */
	WIRE_SHARED = 0x86,  /* u16 area, u16 areas in all, u64 address, u32 bytes */
	WIRE_BYTES = 0x87,   /* u16 area, u32 offset, then up to WIRE_BYTES_MAX bytes */
	WIRE_TIME = 0x8a,    /* u64 microseconds of sampling since the counters were
	                      * made, by the target's clock; u64 counts that hosts took */
	WIRE_FLUSH = 0x88,   /* status: the program flushes and waits for DONE */
	WIRE_WANTED = 0x89,  /* u16 segment: one of its counters has passed HISTOGRAM_NEAR, so the host should fetch the segment */
	WIRE_BUSY = 0x8e,    /* u32 host: number of the host that the target serves */
	WIRE_REFUSED = 0x8f, /* u8 type of the refused request, u8 enum wire_why */
};

enum wire_why {
	WIRE_WHY_SESSION = 1, /* send HELLO first (again, if the program called osProfileInit again) */
	WIRE_WHY_CONTENT = 2, /* the frame is too short or too long, or its type or version is unknown */
	WIRE_WHY_RANGE = 3,   /* no such segment or counter, or more than was counted */
	WIRE_WHY_NUMBER = 4,  /* a TAKE whose number is neither the last one nor the next */
	WIRE_WHY_STATE = 5,   /* sampling cannot start, or stop, now */
};

/* In a TAKE, in place of a segment: the interrupts that no counter has. The entries have offsets 0 to 3 and 16 bits each: the lower
 * and the upper half of overflow, then of beyond. Targets of older versions refuse (WIRE_WHY_RANGE). */
#define WIRE_REST 0xffffu
#define WIRE_REST_ENTRIES 4u

#define WIRE_NUMBER_NEW 0xfffffffeu       /* the target has not served this host before */
#define WIRE_NUMBER_FORGOTTEN 0xffffffffu /* the target cannot tell: too many other hosts since */
#define WIRE_STATUS_BYTES 22
#define WIRE_WELCOME_BYTES (10 + WIRE_STATUS_BYTES + 4)
#define WIRE_EXTENT_BYTES 19 /* without the name */
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

/* The CRC-32 of zip and of trace files, in pieces; begins with 0. Context: anywhere; some 16 instructions a byte. */
uint32_t dwell_wire_crc(uint32_t crc, const void *bytes, size_t size);

/* Returns the offset of a piece. WIRE_SUM_PIECES pieces of WIRE_SUM_BYTES, evenly spread over a text, identify the program. */
#define WIRE_SUM_PIECES 64u
#define WIRE_SUM_BYTES 4u
uint32_t dwell_wire_sum_at(uint32_t text_bytes, uint32_t piece);

struct wire_receiver {
	uint8_t bytes[WIRE_CONTENT_MAX + WIRE_CRC_BYTES];
	uint16_t count;    /* number of bytes in the member bytes */
	bool escaped, bad; /* escaped: the last byte was a WIRE_ESCAPE; bad: drop all bytes until the next flag */
	uint32_t crc;      /* of all bytes in the member bytes */
	uint32_t damaged;  /* frames that were incomplete or wrong */
};

/* Takes the next received byte. Returns the size of a frame's content (in receiver->bytes, until the next call); 0: no frame
 * ends here.
 * Context: one call at a time; some 40 instructions for any byte. */
size_t dwell_wire_receive(struct wire_receiver *receiver, uint8_t byte);

struct wire_sender {
	uint8_t bytes[WIRE_CONTENT_MAX + WIRE_CRC_BYTES]; /* the content; dwell_wire_next appends the CRC in the end */
	uint16_t count, at; /* bytes to send, with the CRC; 0: none. at: index of the next byte */
	bool begun, escaped;
	uint32_t crc; /* of the bytes of the content that were sent */
};

/* Starts to send the content in sender->bytes. pre: nothing is being sent; content_bytes <= WIRE_CONTENT_MAX. */
void dwell_wire_begin(struct wire_sender *sender, size_t content_bytes);

static inline bool dwell_wire_sends(const struct wire_sender *sender)
{
	return sender->count != 0;
}

/* Returns the next byte to send; false: there is none. Context: one call at a time; some 40 instructions. */
bool dwell_wire_next(struct wire_sender *sender, uint8_t *byte);

#endif
