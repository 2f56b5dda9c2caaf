/* Any bytes as a trace: through the reader that takes them, the decoder of single chunks and the model. Beside the sanitizers it
 * asks for what must hold on any input: the two accounting equations of every thread, and that two passes say the same. */
#ifndef DWELL_TEST_FUZZ_READ_TRACE_H
#define DWELL_TEST_FUZZ_READ_TRACE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/source.h"
#include "model/model.h"
#include "query/parallel/parallel.h"
#include "reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static inline void on_call(void *context, const struct call *call)
{
	uint64_t *calls = context;

	++*calls;
	must(call->exit_ticks >= call->enter_ticks, "a call ends before it begins");
	must(call->self_ticks <= call->total_ticks, "self above total");
}

/* One pass; the number of events that the reader gave. */
static inline uint64_t feed_all(struct reader *reader, struct model *model)
{
	struct message message;
	uint64_t events = 0;

	for (;;) {
		reader_next(reader, &message);
		if (message.kind == MESSAGE_END)
			return events;
		if (message.kind == MESSAGE_EVENTS)
			events += message.events.count;
		if (model)
			model_feed(model, &message);
	}
}

/* Each chunk by itself, the last one first. */
static inline void decode_backwards(struct reader *reader)
{
	struct reader_decoder *decoder = make_reader_decoder(reader);
	struct message message;

	for (uint64_t chunk = reader_chunk_count(reader); decoder && chunk-- > 0;) {
		if (!reader_decoder_load(decoder, chunk))
			continue;
		do
			reader_decoder_next(decoder, &message);
		while (message.kind != MESSAGE_END);
	}
	free_reader_decoder(decoder);
}

/* Several threads give up, or say what one said. */
static inline void read_by_many(struct reader *reader, const struct profile *one, struct diag *diag)
{
	const struct model_options options = {.want_profile = true};
	struct parallel how = {.reader = reader, .model = make_model(&options, diag), .workers = 2, .segment_chunks = 1};

	if (how.model && parallel_read(&how)) {
		const struct profile *many = model_get_profile(how.model);

		must(many->total == one->total && many->thread_count == one->thread_count, "two threads and one differ");
		for (uint32_t i = 0; i < many->thread_count; i++)
			must(many->threads[i].calls == one->threads[i].calls &&
					many->threads[i].lost_ticks == one->threads[i].lost_ticks &&
					many->threads[i].off.ticks == one->threads[i].off.ticks,
				"a thread that two threads read");
	}
	free_model(how.model);
}

/* What finds callers in copies of stacks; a fuzz program may set it. */
static const struct reader_unwinder *fuzz_unwinder;

static inline void read_trace(const uint8_t *data, size_t size)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader_as(
		make_source_memory("fuzz", data, size, diag), &(struct reader_options){.unwinder = fuzz_unwinder}, diag);
	uint64_t calls = 0;
	struct model_options options = {.want_profile = true, .on_call = on_call, .context = &calls};
	struct model *model = reader ? make_model(&options, diag) : NULL;

	if (model) {
		uint64_t events = feed_all(reader, model);
		const struct profile *profile;

		model_finish(model);
		profile = model_get_profile(model);
		for (uint32_t i = 0; i < profile->thread_count; i++)
			must(profile->threads[i].balanced && profile->threads[i].off_cpu_balanced, "the accounting equations");
		for (uint32_t id = 0; id < functions_count(model_get_functions(model)); id++)
			must(functions_get_name(model_get_functions(model), id) != NULL, "a function without a name");
		if (reader_rewind(reader))
			must(feed_all(reader, NULL) == events, "two passes differ");
		decode_backwards(reader);
		if (reader_rewind(reader)) {
			reader_skip_events(reader);
			feed_all(reader, NULL);
		}
		if (reader_rewind(reader))
			read_by_many(reader, profile, diag);
	}
	free_model(model);
	free_reader(reader);
	free_diag(diag);
}

/* The head of what a fuzz program reads, and then the input. */
static inline void read_behind(const void *head, size_t head_size, const uint8_t *data, size_t size)
{
	uint8_t *whole = malloc(head_size + size ? head_size + size : 1);

	if (whole) {
		memcpy(whole, head, head_size);
		if (size)
			memcpy(whole + head_size, data, size);
		read_trace(whole, head_size + size);
	}
	free(whole);
}

#endif
