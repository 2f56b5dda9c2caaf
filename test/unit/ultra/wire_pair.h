/* A wire client and a target's server, and the line between them. */
#ifndef DWELL_TEST_ULTRA_WIRE_PAIR_H
#define DWELL_TEST_ULTRA_WIRE_PAIR_H

#include <stdlib.h>

#include "classic/host/io/wire_client.h"
#include "port.h"
#include "target.h"

static uint64_t in_host(const struct wire_client *client)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < wire_client_segments(client); i++) {
		struct wire_count *list;
		uint32_t full;
		size_t count;

		CHECK(wire_client_get_counts(client, i, &list, &count, &full));
		for (size_t k = 0; k < count; k++) {
			sum += list[k].count;
			CHECK(!k || list[k].at > list[k - 1].at);
		}
		free(list);
	}
	return sum;
}

/* The line: bytes that the host has sent, and which the target has not taken yet. */
struct line {
	struct wire_client *client;
	uint8_t frame[WIRE_CLIENT_FRAME_MAX];
	size_t size, at;
	uint64_t moved, cut_at; /* bytes, both ways; after so many the line is cut, once. 0: never */
	uint32_t damage;        /* bytes of 10000 that are changed or get lost */
	bool quiet;             /* nothing is counted meanwhile */
};

static bool spoil(const struct line *line, uint8_t *byte)
{
	if (!line->damage || pick(10000) >= line->damage)
		return false;
	*byte ^= (uint8_t)(1 << pick(8));
	return pick(2);
}

static void cut(struct line *line)
{
	line->size = line->at = 0;
	line->cut_at = 0;
	dwell_server_reset(server);
	wire_client_reconnect(line->client);
}

/* One byte further; WIRE_NOTHING where all is quiet, too: *is_quiet. */
static enum wire_event move(struct line *line, bool *is_quiet)
{
	uint8_t byte;

	*is_quiet = false;
	if (!line->quiet && !pick(3))
		tick();
	if (line->cut_at && line->moved >= line->cut_at) {
		cut(line);
		*is_quiet = true;
		return WIRE_NOTHING;
	}
	if (line->at < line->size && dwell_server_listens(server)) {
		byte = line->frame[line->at++];
		line->moved++;
		if (!spoil(line, &byte))
			dwell_server_receive(server, byte);
		return WIRE_NOTHING;
	}
	for (int tries = 0; tries < 100; tries++)
		if (dwell_server_send(server, &byte)) {
			line->moved++;
			return spoil(line, &byte) ? WIRE_NOTHING : wire_client_take(line->client, byte);
		}
	*is_quiet = true;
	return WIRE_NOTHING;
}

/* False: it does not end. */
static bool perform(struct line *line, enum wire_job job)
{
	wire_client_begin(line->client, job);
	for (uint32_t frames = 0; frames < 100000 && !wire_client_is_done(line->client); frames++) {
		enum wire_event event = WIRE_NOTHING;

		line->size = wire_client_frame(line->client, line->frame);
		line->at = 0;
		for (bool is_quiet = false; !is_quiet && event == WIRE_NOTHING;)
			event = move(line, &is_quiet);
		if (event == WIRE_REFUSES || event == WIRE_STARVED || event == WIRE_IS_BUSY)
			return false;
	}
	return wire_client_is_done(line->client);
}

#endif
