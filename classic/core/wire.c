/* SPDX-License-Identifier: MIT */
#include "classic/core/wire.h"

void dwell_wire_put16(uint8_t *at, uint16_t number)
{
	at[0] = (uint8_t)number;
	at[1] = (uint8_t)(number >> 8);
}

void dwell_wire_put32(uint8_t *at, uint32_t number)
{
	dwell_wire_put16(at, (uint16_t)number);
	dwell_wire_put16(at + 2, (uint16_t)(number >> 16));
}

void dwell_wire_put64(uint8_t *at, uint64_t number)
{
	dwell_wire_put32(at, (uint32_t)number);
	dwell_wire_put32(at + 4, (uint32_t)(number >> 32));
}

uint16_t dwell_wire_get16(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

uint32_t dwell_wire_get32(const uint8_t *at)
{
	return dwell_wire_get16(at) | (uint32_t)dwell_wire_get16(at + 2) << 16;
}

uint64_t dwell_wire_get64(const uint8_t *at)
{
	return dwell_wire_get32(at) | (uint64_t)dwell_wire_get32(at + 4) << 32;
}

/* Four bits at a time, because the table for that has only 64 bytes, which a small machine can spare. */
uint32_t dwell_wire_crc(uint32_t crc, const void *bytes, size_t size)
{
	static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158,
		0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
	const uint8_t *at = bytes;

	crc = ~crc;
	while (size--) {
		crc ^= *at++;
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

/* The CRC of any bytes followed by their own CRC, least byte first. */
#define CRC_OF_WHOLE 0x2144df1c

/* Avoids products that do not fit in 32 bits. */
uint32_t dwell_wire_sum_at(uint32_t text_bytes, uint32_t piece)
{
	uint32_t pieces = text_bytes / WIRE_SUM_BYTES;

	return (pieces / WIRE_SUM_PIECES * piece + pieces % WIRE_SUM_PIECES * piece / WIRE_SUM_PIECES) * WIRE_SUM_BYTES;
}

static size_t end_frame(struct wire_receiver *receiver)
{
	size_t count = receiver->count;
	bool whole =
		!receiver->bad && !receiver->escaped && count >= WIRE_HEAD_BYTES + WIRE_CRC_BYTES && receiver->crc == CRC_OF_WHOLE;

	/* Two flags in a row are neither a frame nor a damaged one. */
	receiver->damaged += !whole && (count || receiver->bad);
	receiver->count = 0;
	receiver->bad = false;
	receiver->escaped = false;
	receiver->crc = 0;
	return whole ? count - WIRE_CRC_BYTES : 0;
}

size_t dwell_wire_receive(struct wire_receiver *receiver, uint8_t byte)
{
	if (byte == WIRE_FLAG)
		return end_frame(receiver);
	if (byte == WIRE_ESCAPE) {
		receiver->bad |= receiver->escaped;
		receiver->escaped = true;
		return 0;
	}
	if (receiver->escaped)
		byte ^= WIRE_FLIP;
	receiver->escaped = false;
	if (receiver->count == sizeof receiver->bytes) {
		receiver->bad = true;
		return 0;
	}
	receiver->bytes[receiver->count++] = byte;
	receiver->crc = dwell_wire_crc(receiver->crc, &byte, 1);
	return 0;
}

void dwell_wire_begin(struct wire_sender *sender, size_t content_bytes)
{
	sender->crc = 0;
	sender->count = (uint16_t)(content_bytes + WIRE_CRC_BYTES);
	sender->at = 0;
	sender->begun = false;
	sender->escaped = false;
}

bool dwell_wire_next(struct wire_sender *sender, uint8_t *byte)
{
	if (!sender->count)
		return false;
	if (!sender->begun) {
		sender->begun = true;
		*byte = WIRE_FLAG;
		return true;
	}
	if (sender->at + WIRE_CRC_BYTES == sender->count && !sender->escaped)
		dwell_wire_put32(sender->bytes + sender->at, sender->crc);
	if (sender->at == sender->count) {
		sender->count = 0;
		*byte = WIRE_FLAG;
		return true;
	}
	*byte = sender->bytes[sender->at];
	if (sender->escaped) {
		*byte ^= WIRE_FLIP;
		sender->escaped = false;
	} else if (*byte == WIRE_FLAG || *byte == WIRE_ESCAPE) {
		*byte = WIRE_ESCAPE;
		sender->escaped = true;
		return true;
	}
	sender->crc = dwell_wire_crc(sender->crc, &sender->bytes[sender->at], 1);
	sender->at++;
	return true;
}
