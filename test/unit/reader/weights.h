/* What a reader of sums says of some bytes, as a text. */
#ifndef DWELL_TEST_READER_WEIGHTS_H
#define DWELL_TEST_READER_WEIGHTS_H

#include <stdio.h>
#include <stdlib.h>

#include "reader/reader.h"
#include "said.h"

struct weights {
	char text[4096]; /* "a|b|c=3 " for each path that was read */
	char unit[64], counted[128];
	unsigned lines;
	uint64_t told; /* frames, without those that are the path before */
	int status;
	uint64_t skipped, left_out, total;
	char *messages;
	bool opened;
};

static inline struct weights read_weights(const void *data, size_t size)
{
	struct weights seen = {0};
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source_memory("x.folded", data, size, diag), diag);
	struct message message = {0};
	size_t used = 0;

	seen.opened = reader;
	while (reader && (reader_next(reader, &message), message.kind != MESSAGE_END)) {
		if (message.kind == MESSAGE_HEADER && message.header.unit)
			snprintf(seen.unit, sizeof seen.unit, "%s", message.header.unit);
		if (message.kind == MESSAGE_HEADER && message.header.counted)
			snprintf(seen.counted, sizeof seen.counted, "%s", message.header.counted);
		if (message.kind != MESSAGE_WEIGHT)
			continue;
		seen.lines++;
		seen.told += message.weight.depth - message.weight.kept;
		for (uint32_t i = 0; i < message.weight.depth && used < 4000; i++)
			used += (size_t)snprintf(
				seen.text + used, sizeof seen.text - used, "%s%.60s", i ? "|" : "", message.weight.names[i]);
		if (used < 4000)
			used += (size_t)snprintf(seen.text + used, sizeof seen.text - used, "=%" PRIu64 " ", message.weight.weight);
	}
	if (reader) {
		seen.skipped = reader_get_health(reader)->bytes_skipped;
		seen.left_out = reader_get_health(reader)->entries_left_out;
		seen.total = reader_get_health(reader)->bytes_total;
	}
	free_reader(reader);
	seen.messages = take_said(diag, &seen.status);
	return seen;
}

static inline void free_weights(struct weights *seen)
{
	free(seen->messages);
}

#endif
