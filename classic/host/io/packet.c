#include "classic/host/io/packet.h"

#include <stdio.h>
#include <string.h>

enum { BETWEEN, INSIDE, ESCAPED, REPEATED, FIRST_DIGIT, SECOND_DIGIT };

#define ESCAPE_XOR 0x20
#define REPEAT_BIAS 29 /* a repeat count is a printable character */
#define REPEAT_LEAST 32
#define REPEAT_MOST 126

void packet_init(struct packet *packet, uint8_t *payload, size_t room)
{
	*packet = (struct packet){.payload = payload, .room = room};
}

static int digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void begin(struct packet *packet, bool is_notice)
{
	packet->state = INSIDE;
	packet->size = 0;
	packet->sum = 0;
	packet->is_notice = is_notice;
	packet->has_last = packet->is_bad = packet->is_long = false;
}

static void put(struct packet *packet, uint8_t byte, size_t times)
{
	packet->last = byte;
	packet->has_last = true;
	if (times > packet->room - packet->size) {
		packet->is_long = true;
		return;
	}
	memset(packet->payload + packet->size, byte, times);
	packet->size += times;
}

/* Between packets. */
static enum packet_event take_outside(struct packet *packet, uint8_t c)
{
	if (c == '$' || c == '%')
		begin(packet, c == '%');
	return c == '+' ? PACKET_ACK : c == '-' ? PACKET_NAK : PACKET_NOTHING;
}

static void take_inside(struct packet *packet, uint8_t c)
{
	if (c == '$') { /* the packet before has no end */
		begin(packet, false);
		return;
	}
	if (c == '#') {
		packet->is_bad |= packet->state != INSIDE;
		packet->state = FIRST_DIGIT;
		return;
	}
	packet->sum = (uint8_t)(packet->sum + c);
	if (packet->state == ESCAPED) {
		put(packet, c ^ ESCAPE_XOR, 1);
		packet->state = INSIDE;
	} else if (packet->state == REPEATED) {
		if (c < REPEAT_LEAST || c > REPEAT_MOST || !packet->has_last)
			packet->is_bad = true;
		else
			put(packet, packet->last, c - REPEAT_BIAS);
		packet->state = INSIDE;
	} else if (c == '}') {
		packet->state = ESCAPED;
	} else if (c == '*') {
		packet->state = REPEATED;
	} else {
		put(packet, c, 1);
	}
}

static enum packet_event finish(struct packet *packet, uint8_t c)
{
	int value = digit(c);

	packet->state = BETWEEN;
	packet->is_bad |= value < 0 || (packet->told << 4 | value) != packet->sum;
	packet->payload[packet->size] = 0;
	if (packet->is_notice) /* a notice is skipped, whether valid or not */
		return PACKET_NOTHING;
	return packet->is_bad ? PACKET_BROKEN : PACKET_WHOLE;
}

size_t packet_take(struct packet *packet, const uint8_t *bytes, size_t count, enum packet_event *event)
{
	size_t i = 0;

	*event = PACKET_NOTHING;
	while (i < count && *event == PACKET_NOTHING) {
		uint8_t c = bytes[i++];

		if (packet->state == BETWEEN) {
			*event = take_outside(packet, c);
		} else if (packet->state == FIRST_DIGIT) {
			packet->is_bad |= digit(c) < 0;
			packet->told = (uint8_t)(digit(c) & 0xf);
			packet->state = SECOND_DIGIT;
		} else if (packet->state == SECOND_DIGIT) {
			*event = finish(packet, c);
		} else {
			take_inside(packet, c);
			if (packet->is_long && !packet->is_notice) { /* it may have no end */
				packet->state = BETWEEN;
				*event = PACKET_TOO_LONG;
			}
		}
	}
	return i;
}

size_t packet_frame(const char *text, char *line, size_t room)
{
	uint8_t sum = 0;
	int bytes;

	for (const char *c = text; *c; c++)
		sum = (uint8_t)(sum + (uint8_t)*c);
	bytes = snprintf(line, room, "$%s#%02x", text, sum);
	return bytes < 0 || (size_t)bytes >= room ? 0 : (size_t)bytes;
}

size_t packet_unhex(const uint8_t *text, size_t size, uint8_t *bytes, size_t room)
{
	if (size % 2 || size / 2 > room)
		return SIZE_MAX;
	for (size_t i = 0; i < size; i += 2) {
		int high = digit(text[i]), low = digit(text[i + 1]);

		if (high < 0 || low < 0)
			return SIZE_MAX;
		bytes[i / 2] = (uint8_t)(high << 4 | low);
	}
	return size / 2;
}
