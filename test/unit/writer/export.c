/* Names from hostile files in the formats of other tools; tables that are not theirs; threads that share a number; a full disk. */
#include "check.h"

#include <stdlib.h>

#include "analysis/calls/timeline.h"
#include "proto/perfetto.pb-c.h"
#include "writer/export/export.h"

static const char odd[] = "a\"b\\<script>&'\n\r\t\x01\x7f\xff\xfe;(3) x\xe2\x80\xae";

static const struct column columns[] = {{.key = "thread_index", .unit = UNIT_COUNT}, {.key = "pid", .unit = UNIT_COUNT},
	{.key = "tid", .unit = UNIT_COUNT}, {.key = "tid_is_shared", .unit = UNIT_COUNT}, {.key = "process", .unit = UNIT_TEXT},
	{.key = "thread", .unit = UNIT_TEXT}, {.key = "depth", .unit = UNIT_INDENT}, {.key = "function", .unit = UNIT_NAME},
	{.key = "begin_ns", .unit = UNIT_NS_SIGNED}, {.key = "end_ns", .unit = UNIT_NS_SIGNED}, {.key = "note", .unit = UNIT_TEXT},
	{.key = "state", .unit = UNIT_TEXT}};

struct exported {
	char *text;
	size_t bytes;
	struct diag *diag;
	FILE *out;
	const struct export_format *format;
	struct table_sink sink;
};

static void begin(struct exported *exported, const char *format, FILE *out)
{
	struct export_target target = {.name = "memory", .title = odd, .unit = "things", .start_unix_ns = 5};

	*exported = (struct exported){.diag = make_diag(), .format = export_find(format)};
	exported->out = out ? out : open_memstream(&exported->text, &exported->bytes);
	target.out = exported->out;
	target.diag = exported->diag;
	exported->sink = exported->format->make(&target);
}

static void end(struct exported *exported)
{
	exported->sink.end(exported->sink.context);
	if (exported->format->finish)
		exported->format->finish(&exported->sink);
	exported->format->free(&exported->sink);
	fclose(exported->out);
}

static void clear(struct exported *exported)
{
	free(exported->text);
	free_diag(exported->diag);
}

static void put(struct exported *exported, uint64_t index, bool shared, const char *name, int64_t from, int64_t to, bool has_end)
{
	struct cell cells[TIMELINE_COLUMNS] = {[TIMELINE_INDEX].count = index,
		[TIMELINE_STATE].absent = true,
		[TIMELINE_PID].count = 7,
		[TIMELINE_TID].count = 8,
		[TIMELINE_SHARED].count = shared,
		[TIMELINE_PROCESS].text = odd,
		[TIMELINE_THREAD].text = odd,
		[TIMELINE_FUNCTION] = {.text = name, .function = name == odd ? 1 : 2},
		[TIMELINE_BEGIN].signed_count = from,
		[TIMELINE_END] = {.signed_count = to, .absent = !has_end},
		[TIMELINE_NOTE].text = "open"};

	exported->sink.row(exported->sink.context, cells);
}

static char *make_long_name(void)
{
	char *name = malloc(1000001);

	memset(name, '<', 1000000);
	name[1000000] = 0;
	return name;
}

TEST(perfetto)
{
	struct exported exported;
	char *name = make_long_name();
	Perfetto__Trace *trace;
	size_t begins = 0, ends = 0, names = 0, instants = 0;

	begin(&exported, "perfetto", NULL);
	exported.sink.begin(exported.sink.context, "timeline", columns, TIMELINE_COLUMNS);
	put(&exported, 0, false, odd, -1500, 2500, true);
	put(&exported, 0, false, odd, 0, 10, true);
	put(&exported, 0, false, name, 20, 20, false);
	put(&exported, 0, false, name, 30, 40, true);
	end(&exported);
	trace = perfetto__trace__unpack(NULL, exported.bytes, (const uint8_t *)exported.text);
	CHECK(trace);
	for (size_t i = 0; trace && i < trace->n_packet; i++) {
		const Perfetto__TracePacket *packet = trace->packet[i];

		CHECK_EQ(packet->sequence_flags, i ? 2 : 1);
		if (packet->interned_data)
			names += packet->interned_data->n_event_names;
		if (!packet->track_event)
			continue;
		begins += packet->track_event->type == PERFETTO__TRACK_EVENT__TYPE__SLICE_BEGIN;
		ends += packet->track_event->type == PERFETTO__TRACK_EVENT__TYPE__SLICE_END;
		instants += packet->track_event->type == PERFETTO__TRACK_EVENT__TYPE__INSTANT;
	}
	CHECK_EQ(begins, 3);
	CHECK_EQ(ends, 3);
	CHECK_EQ(instants, 1);
	CHECK_EQ(names, 2);
	if (trace)
		perfetto__trace__free_unpacked(trace, NULL);
	free(name);
	clear(&exported);
}

/* Whoever gets a table that it does not know writes a file of its format with nothing in it. */
TEST(other_tables)
{
	static const char *const names[] = {"callgrind", "folded", "perfetto", "pprof", "speedscope"};
	static const struct column other[] = {{.key = "x", .unit = UNIT_COUNT}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct exported exported;

		begin(&exported, names[i], NULL);
		exported.sink.begin(exported.sink.context, "other", other, 1);
		exported.sink.row(exported.sink.context, (struct cell[1]){{.count = 1}});
		end(&exported);
		CHECK_EQ(diag_status(exported.diag), 0);
		clear(&exported);
	}
	CHECK(!export_find("svg"));
}

TEST(full_disk)
{
	static const char *const names[] = {"perfetto"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct exported exported;

		begin(&exported, names[i], fopen("/dev/full", "w"));
		exported.sink.begin(exported.sink.context, "timeline", columns, TIMELINE_COLUMNS);
		put(&exported, 0, false, odd, 0, 10, true);
		end(&exported);
		CHECK_EQ(diag_status(exported.diag), 2);
		clear(&exported);
	}
}

int main(void)
{
	RUN(perfetto);
	RUN(other_tables);
	RUN(full_disk);
	return tap_done();
}
