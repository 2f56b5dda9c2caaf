/* Writes a Perfetto trace: protobuf packets in the order of the calls. A call is a begin event and an end event on a track of its
 * thread; a call without an end is one instant event. Intervals off the CPU are on another track, below the thread's. The order of
 * packets matters only within a track, because readers sort packets by time. Within a track, packets are in order. Each function's
 * name is written once. */
#include <protobuf-c/protobuf-c.h>
#include <stdlib.h>
#include <string.h>

#include "proto/perfetto.pb-c.h"
#include "util/array.h"
#include "util/short_name.h"
#include "util/utf8.h"
#include "writer/export/export.h"
#include "writer/export/lanes.h"
#include "writer/export/timed_calls.h"

#define SEQUENCE 1u
#define FLAG_NAMES_BEGIN 1u
#define FLAG_NAMES_NEEDED 2u
enum { CLOCK_ID_UNIX = 1, CLOCK_ID_MONOTONIC = 3, CLOCK_ID_BOOT = 6 };

struct perfetto {
	struct exporter exporter;
	struct timed_calls timed_calls;
	struct lanes lanes;
	bool is_table, has_begun; /* is_table: the table is one of single calls; has_begun: a packet was written */
	uint8_t *packed; /* the current packet, encoded */
	size_t packed_capacity;
	bool *names_written; /* whether a function's name was written, by the function number of the cells */
	size_t written_capacity;
	struct {
		uint64_t pid, uuid;
	} *processes;
	size_t process_count, process_capacity;
	struct thread_tracks {
		uint64_t calls, states; /* uuids; 0: the track was not written */
	} *threads; /* by index of the thread */
	size_t thread_count;
	uint64_t uuids; /* number of the newest track */
	char *valid;    /* the text that make_valid returns */
	size_t valid_capacity;
};

static void put(struct perfetto *perfetto, Perfetto__TracePacket *packet)
{
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	size_t bytes;

	packet->trusted_packet_sequence_id = SEQUENCE;
	packet->sequence_flags = perfetto->has_begun ? FLAG_NAMES_NEEDED : FLAG_NAMES_BEGIN;
	perfetto->has_begun = true;
	trace.n_packet = 1;
	trace.packet = &packet;
	bytes = perfetto__trace__get_packed_size(&trace);
	if (!array_reserve(&perfetto->packed, &perfetto->packed_capacity, bytes, 1)) {
		export_out_of_memory(&perfetto->exporter);
		return;
	}
	output_put_bytes(
		&perfetto->exporter.output, (const char *)perfetto->packed, perfetto__trace__pack(&trace, perfetto->packed));
}

/* Makes text valid UTF-8, as protobuf requires. Valid until the next call. */
static char *make_valid(struct perfetto *perfetto, const char *text)
{
	size_t bytes = strlen(text);
	static char nothing[1];

	if (!array_reserve(&perfetto->valid, &perfetto->valid_capacity, 3 * bytes + 1, 1)) {
		export_out_of_memory(&perfetto->exporter);
		return nothing;
	}
	perfetto->valid[utf8_make_valid(text, bytes, perfetto->valid)] = 0;
	return perfetto->valid;
}

/* The same for the name of a function, shortened as in reports. */
static char *make_valid_name(struct perfetto *perfetto, const char *name)
{
	char *shorter = make_short_name(name), *valid = make_valid(perfetto, shorter ? shorter : name);

	free(shorter);
	return valid;
}

/* Converts a time since the recording's start to Perfetto's clock, which has no times before 0. */
static uint64_t timestamp_of(const struct perfetto *perfetto, int64_t ns)
{
	uint64_t origin = perfetto->exporter.target.start_monotonic_ns;

	return ns < 0 && -(uint64_t)ns > origin ? 0 : origin + (uint64_t)ns;
}

static void put_clock(struct perfetto *perfetto)
{
	const struct export_target *target = &perfetto->exporter.target;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__ClockSnapshot__Clock clocks[3], *list[3];

	if (!target->start_unix_ns)
		return;
	for (int i = 0; i < 3; i++) {
		clocks[i] = (Perfetto__ClockSnapshot__Clock)PERFETTO__CLOCK_SNAPSHOT__CLOCK__INIT;
		clocks[i].timestamp = i ? target->start_monotonic_ns : target->start_unix_ns;
		list[i] = &clocks[i];
	}
	clocks[0].clock_id = CLOCK_ID_UNIX;
	clocks[1].clock_id = CLOCK_ID_MONOTONIC;
	clocks[2].clock_id = CLOCK_ID_BOOT;
	snapshot.n_clocks = 3;
	snapshot.clocks = list;
	packet.timestamp = target->start_monotonic_ns;
	packet.clock_snapshot = &snapshot;
	put(perfetto, &packet);
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct perfetto *perfetto = context;

	(void)name;
	perfetto->is_table = timed_calls_begin(&perfetto->timed_calls, columns, count);
	put_clock(perfetto);
}

static void put_track(struct perfetto *perfetto, Perfetto__TrackDescriptor *track)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	packet.track_descriptor = track;
	put(perfetto, &packet);
}

/* Writes the track of the process at first use. Returns its uuid; 0: out of memory. */
static uint64_t put_process(struct perfetto *perfetto, const struct timed_call *timed_call)
{
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;

	for (size_t i = perfetto->process_count; i--;)
		if (perfetto->processes[i].pid == timed_call->pid)
			return perfetto->processes[i].uuid;
	if (!array_reserve(
		    &perfetto->processes, &perfetto->process_capacity, perfetto->process_count + 1, sizeof *perfetto->processes))
		return 0;
	track.uuid = ++perfetto->uuids;
	perfetto->processes[perfetto->process_count].pid = timed_call->pid;
	perfetto->processes[perfetto->process_count++].uuid = track.uuid;
	process.pid = (int32_t)timed_call->pid;
	if (timed_call->process)
		process.process_name = make_valid(perfetto, timed_call->process);
	track.process = &process;
	put_track(perfetto, &track);
	return track.uuid;
}

/* Returns the thread's tracks; writes the one of its calls at first use. Null: out of memory. */
static struct thread_tracks *put_thread(struct perfetto *perfetto, const struct timed_call *timed_call)
{
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
	size_t had = perfetto->thread_count;

	if (timed_call->index >= had) {
		if (!array_reserve(
			    &perfetto->threads, &perfetto->thread_count, (size_t)timed_call->index + 1, sizeof *perfetto->threads))
			return NULL;
		memset(perfetto->threads + had, 0, (perfetto->thread_count - had) * sizeof *perfetto->threads);
	}
	if (perfetto->threads[timed_call->index].calls)
		return &perfetto->threads[timed_call->index];
	track.parent_uuid = put_process(perfetto, timed_call);
	if (!track.parent_uuid)
		return NULL;
	track.uuid = perfetto->threads[timed_call->index].calls = ++perfetto->uuids;
	thread.pid = (int32_t)timed_call->pid;
	thread.tid = (int32_t)timed_call->tid;
	if (timed_call->thread)
		thread.thread_name = make_valid(perfetto, timed_call->thread);
	track.thread = &thread;
	put_track(perfetto, &track);
	return &perfetto->threads[timed_call->index];
}

/* Writes a track below the thread's. Returns its uuid. */
static uint64_t put_part(struct perfetto *perfetto, const struct thread_tracks *thread, const char *name)
{
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;

	track.uuid = ++perfetto->uuids;
	track.parent_uuid = thread->calls;
	if (name)
		track.name = (char *)name;
	put_track(perfetto, &track);
	return track.uuid;
}

/* Gives a lane, of calls of one thread that lie inside each other (lanes.h), its track. The first lane has the thread's. A thread
 * has further lanes only if its calls overlap, as those of coroutines do. */
static bool put_lane(struct perfetto *perfetto, const struct timed_call *timed_call, struct lane *lane)
{
	const struct thread_tracks *thread = put_thread(perfetto, timed_call);
	bool is_first = lane == perfetto->lanes.threads[timed_call->index].lanes;

	if (thread)
		lane->number = is_first ? thread->calls : put_part(perfetto, thread, NULL);
	return thread;
}

/* Returns whether the function's name was not written yet, and notes that it is now. False also if out of memory. */
static bool is_new_name(struct perfetto *perfetto, uint32_t id)
{
	size_t had = perfetto->written_capacity;

	if (id >= had) {
		if (!array_reserve(&perfetto->names_written, &perfetto->written_capacity, (size_t)id + 1,
			    sizeof *perfetto->names_written)) {
			export_out_of_memory(&perfetto->exporter);
			return false;
		}
		memset(perfetto->names_written + had, 0, (perfetto->written_capacity - had) * sizeof *perfetto->names_written);
	}
	if (perfetto->names_written[id])
		return false;
	return perfetto->names_written[id] = true;
}

static void put_begin(struct perfetto *perfetto, const struct timed_call *timed_call, const struct lane *lane)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
	Perfetto__InternedData interned = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__EventName name = PERFETTO__EVENT_NAME__INIT, *names = &name;
	Perfetto__DebugAnnotation note = PERFETTO__DEBUG_ANNOTATION__INIT, *notes = &note;

	event.type = timed_call->has_end ? PERFETTO__TRACK_EVENT__TYPE__SLICE_BEGIN : PERFETTO__TRACK_EVENT__TYPE__INSTANT;
	event.track_uuid = lane->number;
	event.name_iid = timed_call->id + UINT64_C(1);
	if (is_new_name(perfetto, timed_call->id)) {
		name.iid = event.name_iid;
		name.name = make_valid_name(perfetto, timed_call->function);
		interned.n_event_names = 1;
		interned.event_names = &names;
		packet.interned_data = &interned;
	}
	if (*timed_call->note) {
		note.name = "note";
		note.string_value = (char *)timed_call->note;
		event.n_debug_annotations = 1;
		event.debug_annotations = &notes;
	}
	packet.timestamp = timestamp_of(perfetto, timed_call->begin_ns);
	packet.track_event = &event;
	put(perfetto, &packet);
}

static void put_event(struct perfetto *perfetto, Perfetto__TrackEvent__Type type, uint64_t track, const char *name, int64_t at_ns)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	event.type = type;
	event.track_uuid = track;
	if (name)
		event.name = (char *)name;
	packet.timestamp = timestamp_of(perfetto, at_ns);
	packet.track_event = &event;
	put(perfetto, &packet);
}

static void put_end(void *context, const struct lane *lane, int64_t end_ns)
{
	put_event(context, PERFETTO__TRACK_EVENT__TYPE__SLICE_END, lane->number, NULL, end_ns);
}

static void put_state(struct perfetto *perfetto, const struct timed_call *timed_call)
{
	struct thread_tracks *thread = put_thread(perfetto, timed_call);

	if (!thread) {
		export_out_of_memory(&perfetto->exporter);
		return;
	}
	if (!thread->states)
		thread->states = put_part(perfetto, thread, "off the CPU");
	put_event(perfetto, PERFETTO__TRACK_EVENT__TYPE__SLICE_BEGIN, thread->states, timed_call->state, timed_call->begin_ns);
	put_event(perfetto, PERFETTO__TRACK_EVENT__TYPE__SLICE_END, thread->states, NULL, timed_call->end_ns);
}

static void row(void *context, const struct cell *cells)
{
	struct perfetto *perfetto = context;
	struct timed_call timed_call;
	struct lane *lane;
	bool is_new;

	if (!perfetto->is_table || perfetto->exporter.starved)
		return;
	timed_call = timed_calls_get(&perfetto->timed_calls, cells);
	if (timed_call.state) {
		put_state(perfetto, &timed_call);
		return;
	}
	if (!timed_call.has_end)
		lane = lanes_touch(&perfetto->lanes, timed_call.index, timed_call.depth, timed_call.begin_ns, &is_new);
	else
		lane = lanes_enter(
			&perfetto->lanes, timed_call.index, timed_call.depth, timed_call.begin_ns, &timed_call.end_ns, &is_new);
	if (!lane || (is_new && !put_lane(perfetto, &timed_call, lane)))
		export_out_of_memory(&perfetto->exporter);
	else
		put_begin(perfetto, &timed_call, lane);
}

static void end(void *context)
{
	struct perfetto *perfetto = context;

	if (!perfetto->exporter.starved)
		lanes_finish(&perfetto->lanes);
	output_end(&perfetto->exporter.output, perfetto->exporter.target.name, perfetto->exporter.target.diag);
}

static struct table_sink make_perfetto(const struct export_target *target)
{
	struct perfetto *perfetto = make_exporter(target, sizeof *perfetto);

	if (!perfetto)
		return export_null_sink();
	perfetto->lanes.on_end = put_end;
	perfetto->lanes.context = perfetto;
	return (struct table_sink){perfetto, begin, row, end};
}

static void free_perfetto(struct table_sink *sink)
{
	struct perfetto *perfetto = sink->context;

	if (!perfetto)
		return;
	lanes_clear(&perfetto->lanes);
	free(perfetto->packed);
	free(perfetto->names_written);
	free(perfetto->processes);
	free(perfetto->threads);
	free(perfetto->valid);
	free(perfetto);
}

const struct export_format export_perfetto = {.name = "perfetto",
	.source = EXPORT_TIMELINE,
	.is_binary = true,
	.make = make_perfetto,
	.free = free_perfetto};
