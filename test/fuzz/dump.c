/* Any bytes as a dump of function hooks: binary or text, in either order of bytes. Beside the sanitizers it asks for what must
 * hold: each record of a function is of a call, or counted; what decoders tell of the streams is what the reader tells of them; and
 * it tells the same twice.
 *
 * The first byte: bit 0: text; bits 1 and 2: the order of bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "classic/host/analysis/c6000.h"
#include "reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static void ignore_begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	(void)context, (void)name, (void)columns, (void)count;
}

static void count_row(void *context, const struct cell *cells)
{
	(void)cells;
	++*(uint64_t *)context;
}

static void ignore_end(void *context)
{
	(void)context;
}

/* Entries and exits in a message, mixed with when and where they are. */
static uint64_t digest(const struct message *message, uint64_t *records)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; message->kind == MESSAGE_EVENTS && i < message->events.count; i++) {
		const struct event *event = &message->events.events[i];

		*records += event->kind <= EVENT_EXIT;
		sum += (event->ticks * 31 + event->value * 7 + event->kind + 1) * (message->events.stream * 2 + 1);
	}
	return sum;
}

static void check_decoders(struct reader *reader, uint64_t told)
{
	struct reader_decoder *decoder = make_reader_decoder(reader);
	uint64_t records = 0, sum = 0;
	struct message message;

	for (uint64_t chunk = 0; decoder && chunk < reader_chunk_count(reader); chunk++) {
		must(reader_decoder_load(decoder, chunk), "a chunk cannot be loaded");
		for (reader_decoder_next(decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(decoder, &message))
			sum += digest(&message, &records);
	}
	must(!decoder || sum == told, "decoders tell something else");
	free_reader_decoder(decoder);
	sum = 0;
	must(reader_rewind(reader), "it cannot be rewound");
	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
		sum += digest(&message, &records);
	must(sum == told, "a second pass tells something else");
}

static void check(struct reader *reader, struct diag *diag)
{
	uint64_t list_rows = 0, profile_rows = 0, records = 0, told = 0;
	const struct table_sink list = {&list_rows, ignore_begin, count_row, ignore_end};
	const struct table_sink profile = {&profile_rows, ignore_begin, count_row, ignore_end};
	struct c6000 *c6000 = make_c6000();
	const struct model_options options = {.on_call = c6000_take_call, .context = c6000};
	struct model *model = make_model(&options, diag);
	struct c6000_status status;
	struct message message;

	c6000_begin(c6000, model, &list);
	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message)) {
		told += digest(&message, &records);
		c6000_tell(c6000, &message);
		model_feed(model, &message);
	}
	model_finish(model);
	must(c6000_end(c6000) && c6000_write_profile(c6000, &profile), "no memory");
	status = c6000_get_status(c6000);
	must(status.calls == list_rows, "calls and rows");
	must(2 * status.calls + status.without_entry + status.without_exit == records, "a record is of no call");
	for (size_t i = 0; i < model_get_profile(model)->thread_count; i++)
		must(model_get_profile(model)->threads[i].balanced, "times do not add up");
	check_decoders(reader, told);
	free_model(model);
	free_c6000(c6000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = make_diag();
	struct reader *reader;

	if (size) {
		const struct reader_options options = {
			.format = data[0] & 1 ? "ccs" : "c6000", .order = (enum reader_order)((data[0] >> 1 & 3) % 3)};

		reader = make_reader_as(make_source_memory("fuzz", data + 1, size - 1, diag), &options, diag);
		if (reader)
			check(reader, diag);
		free_reader(reader);
	}
	free_diag(diag);
	return 0;
}
