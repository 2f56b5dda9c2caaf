/* Any bytes as what a target says on the wire: as they are, and, since few are frames by chance, as contents of frames whose CRC is
 * right. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "classic/host/io/wire_client.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct wire_client *client)
{
	uint64_t counters = 0;

	for (uint32_t i = 0; i < wire_client_segments(client); i++) {
		const struct wire_segment *segment = wire_client_segment(client, i);
		struct wire_count *list;
		uint32_t full;
		size_t count;

		if (!segment)
			continue;
		counters += segment->counters;
		if (!wire_client_get_counts(client, i, &list, &count, &full))
			abort();
		for (size_t k = 0; k < count; k++)
			if (list[k].at >= segment->counters || (k && list[k].at <= list[k - 1].at))
				abort();
		free(list);
	}
	for (size_t i = 0; i < wire_client_areas(client)->count; i++)
		if (wire_client_areas(client)->list[i].count > wire_client_areas(client)->list[i].size)
			abort();
	if (counters > WIRE_CLIENT_COUNTERS_MAX)
		abort();
}

/* Contents: a length, then that many bytes. Answers of the session that there is. */
static size_t say(struct wire_client *client, const uint8_t *data, size_t size)
{
	uint8_t frame[WIRE_CLIENT_FRAME_MAX];
	struct wire_sender sender = {.count = 0};
	size_t bytes = data[0] < size - 1 ? data[0] : size - 1;
	uint8_t byte;

	if (bytes > WIRE_CONTENT_MAX)
		bytes = WIRE_CONTENT_MAX;
	memcpy(sender.bytes, data + 1, bytes);
	if (bytes >= WIRE_HEAD_BYTES) {
		/* What is asked has the session of the last WELCOME. */
		wire_client_frame(client, frame);
		if (sender.bytes[0] != WIRE_WELCOME)
			sender.bytes[1] = frame[2];
		dwell_wire_begin(&sender, bytes);
		while (dwell_wire_next(&sender, &byte))
			wire_client_take(client, byte);
	}
	return bytes + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_client *client = make_wire_client(1);
	bool framed = size && data[0] & 1;
	size_t at = 1, job = WIRE_JOB_FETCH + (size && data[0] & 2 ? 1 : 0);

	wire_client_begin(client, (enum wire_job)job);
	for (uint32_t frames = 0; at < size; frames++) {
		if (framed)
			at += say(client, data + at, size - at);
		else
			wire_client_take(client, data[at++]);
		if (frames % 64 == 63 && size && data[0] & 4)
			wire_client_reconnect(client);
		if (wire_client_is_done(client))
			wire_client_begin(client, (enum wire_job)(job = (job + 1) % (WIRE_JOB_BYE + 1)));
	}
	look(client);
	free_wire_client(client);
	return 0;
}
