#include "query/again.h"

bool again_begin(struct again *again, const struct trace *trace, const char *what)
{
	*again = (struct again){.trace = trace, .decoder = make_reader_decoder(trace->reader)};
	if (!again->decoder) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	progress_begin(&again->progress, trace->watch, what, reader_get_health(trace->reader)->bytes_total);
	return true;
}

static uint32_t stream_of_chunk(void *context, uint64_t chunk)
{
	const struct again *again = context;

	return reader_get_chunk(again->trace->reader, chunk).stream;
}

static bool play_chunk(void *context, uint64_t chunk, struct model *model)
{
	struct again *again = context;
	const struct trace *trace = again->trace;
	uint64_t offset = reader_get_chunk(trace->reader, chunk).offset;
	struct message message;

	progress_update(&again->progress, offset);
	if (!reader_decoder_load(again->decoder, chunk)) {
		if (reader_decoder_is_starved(again->decoder))
			diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: calls are missing");
		else
			diag_add(trace->diag, DIAG_WARN, trace->path, offset,
				"the chunk cannot be read a second time: its calls are missing");
		return false;
	}
	for (reader_decoder_next(again->decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(again->decoder, &message))
		model_feed(model, &message);
	return true;
}

struct entry_replay again_get_replay(struct again *again)
{
	return (struct entry_replay){again, reader_chunk_count(again->trace->reader), stream_of_chunk, play_chunk};
}

void again_end(struct again *again)
{
	progress_end(&again->progress);
	free_reader_decoder(again->decoder);
}
