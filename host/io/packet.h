/* packet: the framing of GDB's remote protocol: $payload#checksum, where } escapes and * repeats. A pump: bytes in, packets out; no I/O.
 *
 * Every byte is hostile. A payload is at most as long as the room it was given, whatever repeats in it. */
#ifndef DWELL_HOST_IO_PACKET_H
#define DWELL_HOST_IO_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum packet_event {
	PACKET_NOTHING,  /* all bytes were taken, and nothing is complete */
	PACKET_WHOLE,    /* the payload is there, until the next byte is taken */
	PACKET_BROKEN,   /* its checksum is another one, or it is not well-formed */
	PACKET_TOO_LONG, /* it had more bytes than there is room for */
	PACKET_ACK,      /* + */
	PACKET_NAK,      /* − : send it again */
};

struct packet {
	uint8_t *payload; /* the caller's; a zero byte stands behind it, which size does not count */
	size_t room;      /* without that */
	size_t size;
	/* Internal. */
	int state;
	uint8_t sum, told, last;
	bool is_notice, has_last, is_bad, is_long;
};

/* room + 1 bytes at payload. */
void packet_init(struct packet *packet, uint8_t *payload, size_t room);

/* Takes bytes up to the first event. Returns how many. What stands between packets is passed over, as are notices (%…). */
size_t packet_take(struct packet *packet, const uint8_t *bytes, size_t count, enum packet_event *event);

/* A request as it goes over the line: $text#checksum. text holds no character that would need an escape. Returns the bytes, without the
 * zero behind them; 0: there is no room. */
size_t packet_frame(const char *text, char *line, size_t room);

/* Bytes of pairs of hex digits; as many as there are. SIZE_MAX: something else is among them, or there is no room. */
size_t packet_unhex(const uint8_t *text, size_t size, uint8_t *bytes, size_t room);

#endif
