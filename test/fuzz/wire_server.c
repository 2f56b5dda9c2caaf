/* Any bytes as what a host says to a target: as they are, and, since few are frames by chance, as contents of frames whose CRC is
 * right, of the session that there is. Whatever it says, no tick is lost or counted twice, and nothing is read but what is
 * shared. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "classic/target/recorder/histogram/server.h"
#include "ultra64.h"
#include "unit/ultra/port.h"

#define WORDS 200
#define SEGMENTS 3
#define AREA_BYTES 300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u32 text[SEGMENTS][WORDS];
static _Alignas(4) u16 counters[SEGMENTS][WORDS];
static uint8_t area[AREA_BYTES];
static struct histogram_server *const server = &dwell_histogram_server;
/* What comes from either side, as frames. */
static struct wire_receiver asked, answered;
static uint64_t ticks, taken;
static const struct histogram_area *areas;

static uint64_t in_target(void)
{
	uint64_t sum = dwell_histogram.overflow + dwell_histogram.beyond - server->rest.overflow - server->rest.beyond;

	for (int i = 0; i < SEGMENTS; i++)
		for (int k = 0; k < WORDS; k++)
			sum += counters[i][k];
	return sum;
}

static void tick(uint32_t which)
{
	ticks++;
	dwell_histogram_sample(&dwell_histogram, which % 7 == 6 ? 16 : (uintptr_t)&text[which % SEGMENTS][which * 5 % WORDS]);
}

/* Some counts, and a counter that is full. */
static void begin(void)
{
	OSProf segments[SEGMENTS];

	if (dwell_histogram.state & HISTOGRAM_STATE_RUNNING)
		osProfileStop();
	for (int i = 0; i < SEGMENTS; i++)
		segments[i] = (OSProf){counters[i], WORDS, text[i], text[i] + WORDS - 1};
	/* All is as for the first input, but what is shared, which is for good. */
	if (!areas) {
		for (uint32_t i = 0; i < AREA_BYTES; i++)
			area[i] = (uint8_t)(i * 7);
		osProfileShare(area, AREA_BYTES);
		osProfileShare(area + 1, 1);
		areas = server->areas;
	}
	memset(server, 0, sizeof *server);
	dwell_server_share(server, areas, 2);
	osProfileInit(segments, SEGMENTS);
	osProfileStart(1000);
	memset(&asked, 0, sizeof asked);
	memset(&answered, 0, sizeof answered);
	counters[1][2] = UINT16_MAX;
	ticks = UINT16_MAX;
	taken = 0;
	for (uint32_t i = 0; i < 500; i++)
		tick(i);
}

/* What a TAKE says it takes. */
static uint64_t said_taken(const struct wire_receiver *frame, size_t size)
{
	uint64_t sum = 0;
	bool is_rest = dwell_wire_get16(frame->bytes + WIRE_HEAD_BYTES + 4) == WIRE_REST;

	if (frame->bytes[0] != WIRE_TAKE)
		return 0;
	for (size_t at = WIRE_HEAD_BYTES + 4 + WIRE_DATA_HEAD_BYTES; at + WIRE_ENTRY_BYTES <= size; at += WIRE_ENTRY_BYTES) {
		bool is_upper = is_rest && dwell_wire_get16(frame->bytes + at) % 2;

		sum += (uint64_t)dwell_wire_get16(frame->bytes + at + 2) << (is_upper ? 16 : 0);
	}
	return sum;
}

static void look_at_answer(size_t size)
{
	const uint8_t *bytes = answered.bytes + WIRE_HEAD_BYTES;

	if (size < WIRE_HEAD_BYTES || size > WIRE_CONTENT_MAX || answered.bytes[0] < WIRE_WELCOME)
		abort();
	if (answered.bytes[0] == WIRE_BYTES) {
		uint32_t from = dwell_wire_get32(bytes + 2);
		size_t count = size - WIRE_HEAD_BYTES - WIRE_BYTES_HEAD_BYTES;
		uint32_t first = dwell_wire_get16(bytes), room = first ? 1 : AREA_BYTES;

		if (first > 1 || from > room || count > room - from)
			abort();
		if (memcmp(bytes + WIRE_BYTES_HEAD_BYTES, area + first + from, count) != 0)
			abort();
	}
}

static void say(uint8_t byte)
{
	uint64_t before = in_target(), went;
	uint32_t number = (uint32_t)dwell_histogram.taken;
	size_t frame = dwell_wire_receive(&asked, byte);

	dwell_server_receive(server, byte);
	/* An answer has a line of its own; and the program goes on. */
	for (int tries = 0; tries < 2000; tries++) {
		size_t answer;

		if (dwell_server_send(server, &byte) && (answer = dwell_wire_receive(&answered, byte)))
			look_at_answer(answer);
		else if (dwell_server_listens(server) && !dwell_wire_sends(&server->out))
			break;
	}
	if (!dwell_server_listens(server) || answered.damaged)
		abort();
	went = before - in_target();
	/* Each number once, and the next one only. */
	if (went && (!frame || went != said_taken(&asked, frame) || dwell_wire_get32(asked.bytes + WIRE_HEAD_BYTES) != number + 1))
		abort();
	taken += went;
}

/* Contents: a length, then that many bytes. */
static size_t say_frame(const uint8_t *data, size_t size)
{
	struct wire_sender sender = {.count = 0};
	size_t bytes = data[0] < size - 1 ? data[0] : size - 1;
	uint8_t byte;

	if (bytes > WIRE_CONTENT_MAX)
		bytes = WIRE_CONTENT_MAX;
	memcpy(sender.bytes, data + 1, bytes);
	if (bytes >= WIRE_HEAD_BYTES) {
		if (sender.bytes[1] < 0x80)
			sender.bytes[1] = server->session;
		/* The numbers that are right are few. */
		if (sender.bytes[0] == WIRE_TAKE && bytes >= WIRE_HEAD_BYTES + 4)
			dwell_wire_put32(
				sender.bytes + WIRE_HEAD_BYTES, (uint32_t)dwell_histogram.taken + sender.bytes[WIRE_HEAD_BYTES]);
		dwell_wire_begin(&sender, bytes);
		while (dwell_wire_next(&sender, &byte))
			say(byte);
	}
	return bytes + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool framed = size && data[0] & 1;
	size_t at = 1;

	begin();
	for (uint32_t steps = 0; at < size; steps++) {
		if (framed)
			at += say_frame(data + at, size - at);
		else
			say(data[at++]);
		if (steps % 8 == 7)
			tick(steps);
		if (steps % 16 == 15 && data[0] & 4)
			dwell_server_flush(server);
		if (steps % 64 == 63 && data[0] & 2) {
			dwell_server_reset(server);
			memset(&answered, 0, sizeof answered);
			memset(&asked, 0, sizeof asked);
		}
	}
	if (in_target() + taken != ticks)
		abort();
	if (server->rest.overflow > dwell_histogram.overflow || server->rest.beyond > dwell_histogram.beyond)
		abort();
	for (int i = 0; i < SEGMENTS; i++)
		if (dwell_histogram.segments[i].bytes > 4 * WORDS)
			abort();
	return 0;
}
