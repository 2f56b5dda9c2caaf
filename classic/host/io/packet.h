/* packet: the framing of GDB's remote protocol: $payload#checksum,
 * where } escapes and * repeats. A pump: bytes in, packets out; no I/O.
 *
 * Every byte is hostile. A payload is at most as long as its room, whatever the repeats in it. */
#ifndef DWELL_CLASSIC_HOST_IO_PACKET_H
#define DWELL_CLASSIC_HOST_IO_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum packet_event {
	PACKET_NOTHING,  /* all bytes were taken, and no packet is complete */
	PACKET_WHOLE,    /* the payload is complete, and valid until the next call */
	PACKET_BROKEN,   /* wrong checksum or form */
	PACKET_TOO_LONG, /* more bytes than room */
	PACKET_ACK,      /* + */
	PACKET_NAK,      /* −: send it again */
};

struct packet {
	uint8_t *payload; /* the caller's; a zero byte follows, which size does not count */
	size_t room;      /* without the zero byte */
	size_t size;
	/* Internal. */
	int state;
	uint8_t sum, told, last;
	bool is_notice, has_last, is_bad, is_long;
};

/* payload must have room + 1 bytes. */
void packet_init(struct packet *packet, uint8_t *payload, size_t room);

/* Takes bytes up to the first event. Returns how many. Skips bytes between packets, and notices (%…). */
size_t packet_take(struct packet *packet, const uint8_t *bytes, size_t count, enum packet_event *event);

/* Frames a request: $text#checksum. text must contain no character that needs
 * an escape. Returns the bytes without the zero behind them; 0: no room. */
size_t packet_frame(const char *text, char *line, size_t room);

/* Converts pairs of hex digits to bytes; returns the number of bytes. SIZE_MAX: other characters, or no room. */
size_t packet_unhex(const uint8_t *text, size_t size, uint8_t *bytes, size_t room);

#endif
