#include "query/second_pass.h"

bool second_pass_begin(struct second_pass *pass, const struct trace *trace, const char *what)
{
	*pass = (struct second_pass){.trace = trace, .decoder = make_reader_decoder(trace->reader)};
	if (!pass->decoder) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	progress_begin(&pass->progress, trace->watch, what, reader_get_health(trace->reader)->bytes_total);
	return true;
}

static uint32_t stream_of_chunk(void *context, uint64_t chunk)
{
	const struct second_pass *pass = context;

	return reader_get_chunk(pass->trace->reader, chunk).stream;
}

static bool play_chunk(void *context, uint64_t chunk, struct model *model)
{
	struct second_pass *pass = context;
	const struct trace *trace = pass->trace;
	uint64_t offset = reader_get_chunk(trace->reader, chunk).offset;
	struct message message;

	progress_update(&pass->progress, offset);
	if (!reader_decoder_load(pass->decoder, chunk)) {
		if (reader_decoder_is_starved(pass->decoder))
			diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: calls are missing");
		else
			diag_add(trace->diag, DIAG_WARN, trace->path, offset,
				"the chunk cannot be read a second time: its calls are missing");
		return false;
	}
	for (reader_decoder_next(pass->decoder, &message); message.kind != MESSAGE_END;
		reader_decoder_next(pass->decoder, &message))
		model_feed(model, &message);
	return true;
}

struct entry_replay second_pass_get_replay(struct second_pass *pass)
{
	return (struct entry_replay){.context = pass,
		.chunk_count = reader_chunk_count(pass->trace->reader),
		.get_stream = stream_of_chunk,
		.play = play_chunk};
}

void second_pass_end(struct second_pass *pass)
{
	progress_end(&pass->progress);
	free_reader_decoder(pass->decoder);
}
