/* Any bytes as a data directory of uftrace: through the reader, its decoders and the model. */
#include <stdint.h>
#include <stdio.h>

#include "members.h"
#include "model/model.h"
#include "reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t feed_all(struct reader *reader, struct model *model)
{
	struct message message;
	uint64_t events = 0;

	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message)) {
		events += message.kind == MESSAGE_EVENTS ? message.events.count : 0;
		if (model)
			model_feed(model, &message);
	}
	return events;
}

static uint64_t decode_all(struct reader *reader)
{
	struct reader_decoder *decoder = make_reader_decoder(reader);
	struct message message;
	uint64_t events = 0;

	for (uint64_t chunk = reader_chunk_count(reader); decoder && chunk-- > 0;) {
		if (!reader_decoder_load(decoder, chunk))
			continue;
		do {
			reader_decoder_next(decoder, &message);
			events += message.kind == MESSAGE_EVENTS ? message.events.count : 0;
		} while (message.kind != MESSAGE_END);
	}
	free_reader_decoder(decoder);
	return events;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct model_options options = {.want_profile = true};
	struct diag *diag = make_diag();
	struct members members;
	struct source *source;
	struct reader *reader;
	struct model *model;
	uint64_t events;

	members_split(&members, data, size);
	source = make_source_memory("fuzz", data, members.first_size, diag);
	source_set_members(source, members.list, members.count);
	reader = make_reader(source, diag);
	model = reader ? make_model(&options, diag) : NULL;
	if (model) {
		events = feed_all(reader, model);
		model_finish(model);
		if (!reader_rewind(reader) || feed_all(reader, NULL) != events || decode_all(reader) != events) {
			fprintf(stderr, "broken: three passes differ\n");
			abort();
		}
	}
	free_model(model);
	free_reader(reader);
	free_diag(diag);
	return 0;
}
