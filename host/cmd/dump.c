/* dump: dwell dump lists the records of a trace file with their offsets, for authors of readers and for damaged files. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/shared_options.h"
#include "cmd/dump.h"
#include "dwell/format.h"
#include "io/source.h"
#include "pack/pack.h"
#include "reader/dwell/declaration.h"
#include "reader/dwell/feed.h"
#include "reader/dwell/header.h"
#include "reader/format.h"
#include "util/term.h"
#include "writer/writer.h"

static const char about[] =
	"Records are shown as they stand in the file: late time stamps are not corrected,\n"
	"times are ticks of the recorded clock, and addresses are not resolved. FORMAT.md\n"
	"explains them. `-` is standard input.\n";

static const struct column columns[] = {
	[COLUMN_OFFSET] = {.key = "offset", .title = "offset", .unit = UNIT_ADDRESS, .width = 10},
	[COLUMN_BYTES] = {.key = "bytes", .title = "bytes", .unit = UNIT_COUNT, .width = 8},
	[COLUMN_RECORD] = {.key = "record", .title = "record", .unit = UNIT_TEXT, .width = 13},
	[COLUMN_STREAM] = {.key = "stream", .title = "stream", .unit = UNIT_COUNT, .width = 6},
	[COLUMN_TICKS] = {.key = "ticks", .title = "ticks", .unit = UNIT_COUNT, .width = 16},
	[COLUMN_WHAT] = {.key = "what", .title = "what", .unit = UNIT_NAME},
};

static void put_chunk(struct dump *dump, const struct split_item *item, enum split_status status)
{
	const struct raw_chunk *chunk = &item->chunk;
	const char *state = status == SPLIT_CUT ? ", cut" : status == SPLIT_BAD_PAYLOAD ? ", damaged" : "";
	bool has_stream = chunk->kind <= DWELL_CHUNK_PROCESS || chunk->kind == DWELL_CHUNK_LOSS ||
			  chunk->kind == DWELL_CHUNK_SWITCHES || chunk->kind == DWELL_CHUNK_FAULTS ||
			  chunk->kind == DWELL_CHUNK_SAMPLES || chunk->kind == DWELL_CHUNK_COUNTS ||
			  chunk->kind == DWELL_CHUNK_SUMS;
	uint64_t stream = has_stream ? chunk->stream : UINT64_MAX;
	uint64_t bytes = dump->layout || item->bytes < DWELL_CHUNK_HEADER_BYTES ? item->bytes : DWELL_CHUNK_HEADER_BYTES;

	if (!chunk->kind) {
		dump_put(dump, item->offset, item->bytes, "cut", UINT64_MAX, UINT64_MAX,
			"the file ends inside of the header of a chunk");
	} else if (chunk->kind == DWELL_CHUNK_SLOTS) {
		dump_put(dump, item->offset, bytes, "SLOTS", stream, chunk->first_ticks,
			"sequence %u, %u events, %u frames, payload %u bytes%s%s", chunk->sequence, chunk->events, chunk->frames,
			chunk->length, chunk->flags & DWELL_CHUNK_PACKED ? ", packed" : "", state);
	} else {
		dump_put(dump, item->offset, bytes, declaration_kind_name(chunk->kind), stream, UINT64_MAX,
			"kind %u, sequence %u, payload %u bytes%s", chunk->kind, chunk->sequence, chunk->length, state);
	}
	if (status == SPLIT_BAD_PAYLOAD)
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), item->offset,
			"chunk (stream %u, sequence %u): payload CRC is 0x%08x, expected 0x%08x", chunk->stream, chunk->sequence,
			chunk->payload_crc_found, chunk->payload_crc);
	if (status == SPLIT_CUT)
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), item->offset,
			"the file ends inside of this chunk, after %" PRIu64 " bytes of it", item->bytes);
	if (!dump->layout && bytes < item->bytes) {
		if (status == SPLIT_BAD_PAYLOAD)
			dump_put(dump, item->offset + bytes, item->bytes - bytes, "damage", UINT64_MAX, UINT64_MAX,
				"payload with a wrong CRC");
		else if (status == SPLIT_CUT && chunk->kind != DWELL_CHUNK_SLOTS)
			dump_put_cut_record(dump, item->offset + bytes, item->bytes - bytes);
		else
			dump_payload(dump, chunk);
	}
}

/* Damage is reported in pieces. When it ends, all pieces become a single row. */
static void put_damage(struct dump *dump)
{
	if (!dump->damage_bytes)
		return;
	dump_put(dump, dump->damage_offset, dump->damage_bytes, "damage", UINT64_MAX, UINT64_MAX, "no chunk");
	diag_add(dump->diag, DIAG_WARN, source_name(dump->source), dump->damage_offset, "%" PRIu64 " bytes are no chunk",
		dump->damage_bytes);
	dump->damage_bytes = 0;
}

static void put_header(struct dump *dump, const struct header *header)
{
	const struct message_header *message = &header->message;

	dump_put(dump, 0, header->bytes, "header", UINT64_MAX, UINT64_MAX,
		"version %u.%u, machine %u, pointers of %u bytes, clock %" PRIu64 " Hz, %u bits%s%s%s", header->major,
		header->minor, message->machine, message->pointer_bytes, message->clock_hz, message->clock_bits,
		message->clock_global ? ", global" : "", message->clock_late ? ", late" : "", message->clock_down ? ", down" : "");
}

static void dump_chunks(struct dump *dump, uint64_t offset)
{
	struct feed feed;
	struct split_item item;
	enum split_status status;

	feed_init(&feed, dump->source, offset);
	while ((status = feed_next(&feed, &item)) != SPLIT_END) {
		if (status == SPLIT_DAMAGE) {
			if (!dump->damage_bytes)
				dump->damage_offset = item.offset;
			dump->damage_bytes += item.bytes;
			continue;
		}
		put_damage(dump);
		put_chunk(dump, &item, status);
	}
	put_damage(dump);
	if (feed.no_memory)
		diag_add(dump->diag, DIAG_ERROR, source_name(dump->source), dump->end, "cannot be read further: out of memory");
	feed_clear(&feed);
}

/* Checks that the rows cover the file from its first to its last byte. */
static void check_layout(const struct dump *dump, bool say)
{
	uint64_t size = source_size(dump->source);

	if (dump->gap || dump->bytes != dump->end || (size != UINT64_MAX && dump->bytes != size))
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), DIAG_NO_OFFSET,
			"the layout covers %" PRIu64 " bytes up to 0x%" PRIx64 "; %" PRIu64 " were expected", dump->bytes,
			dump->end, size);
	else if (say)
		printf("%" PRIu64 " regions, %" PRIu64 " bytes: the whole file, each byte once\n", dump->regions, dump->bytes);
}

static void dump_trace(struct dump *dump)
{
	uint8_t start[DWELL_HEADER_BYTES];
	struct header header = header_parse((struct bytes){start, source_peek(dump->source, start, sizeof start)});

	if (header.problem)
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), 0, "%s", header.problem);
	else
		put_header(dump, &header);
	if (source_skip(dump->source, header.bytes))
		dump_chunks(dump, header.bytes);
	else
		diag_add(dump->diag, DIAG_ERROR, source_name(dump->source), DWELL_HEADER_LENGTH, "header of %u bytes exceeds file",
			header.bytes);
}

static void dump_file(struct dump *dump, const struct writer_options *form, void (*records)(struct dump *))
{
	dump->sink = make_table_writer(form, stdout, "standard output", dump->diag);
	dump->sink.begin(dump->sink.context, "dump", columns, COLUMN_COUNT);
	records(dump);
	dump->sink.end(dump->sink.context);
	free_table_writer(&dump->sink);
	declaration_clear(&dump->declaration);
	unpacker_clear(&dump->unpacker);
	check_layout(dump, dump->layout && form->form == WRITER_TEXT);
}

struct options {
	const char *path;
	enum writer_form form;
	uint64_t limit;
	bool layout;
};

static const struct option_row rows[] = {
	{"--layout", NULL, OPTION_FLAG, OPTION_AT(layout),
		"one line per header, chunk and damaged region instead of per record. dwell checks that they cover the whole file"},
	ROW_LIMIT("lines"),
	ROWS_FORM("columns: offset,bytes,record,stream,ticks,what"),
	{0}};

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.limit = UINT64_MAX};
	struct writer_options form;
	const struct reader_format *format;
	struct dump dump;

	if (!option_read_file(&command_dump, &options, argc, argv, &options.path, diag))
		return COMMAND_BY_DIAG;
	dump = (struct dump){
		.diag = diag, .source = make_source(options.path, diag), .layout = options.layout, .limit = options.limit};
	if (!dump.source)
		return COMMAND_BY_DIAG;
	form = (struct writer_options){.form = options.form, .colour = term_has_colour(stdout)};
	format = probe_format(dump.source, NULL, diag);
	if (format == &reader_dwell)
		dump_file(&dump, &form, dump_trace);
	else if (format == &reader_session)
		dump_file(&dump, &form, dump_session);
	else if (format)
		diag_add(diag, DIAG_ERROR, source_name(dump.source), 0, "holds %s; %s was expected", format->name, reader_dwell.expected);
	free_source(dump.source);
	return COMMAND_BY_DIAG;
}

const struct command command_dump = {"dump", "[FILE]", "Shows each record of a trace file with its offset", rows, about, run,
	.task = TASK_TOOLS,
	.examples = "  dwell dump app.dwell | less    all records\n"
		    "  dwell dump --layout app.dwell  headers and chunks\n"};
