#include "record/streams.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record/drain.h"
#include "record/threads.h"

/* What is in a ring reaches the file after this at the latest, however little it is. */
#define FLUSH_NS 500000000u
/* How often a thread is asked for whether it is still there, and for its name. */
#define LOOK_NS 50000000u

/* A thread that is recorded: one LIVE slot. */
struct stream {
	struct drain drain;
	struct switch_track *track;
	uint32_t slot, process, pid, tid;
	char name[16];
	uint64_t flushed_ns, looked_ns;
	uint64_t seen_bytes; /* of its ring, to be written */
	bool gone;           /* its thread has ended: what was seen is all there will be */
	bool told;
};

bool streams_begin(struct streams *streams, const struct session *session, struct trace_writer *writer, struct switches *switches)
{
	*streams = (struct streams){.session = session, .writer = writer, .switches = switches};
	streams->by_slot = calloc(session->slot_count, sizeof *streams->by_slot);
	return streams->by_slot;
}

void streams_end(struct streams *streams)
{
	for (uint32_t i = 0; streams->by_slot && i < streams->session->slot_count; i++) {
		if (!streams->by_slot[i])
			continue;
		drain_end(&streams->by_slot[i]->drain);
		free(streams->by_slot[i]);
	}
	free(streams->by_slot);
	streams->by_slot = NULL;
}

static void tell_thread(struct streams *streams, struct stream *stream, bool ended)
{
	struct message_thread thread = {
		.stream = stream->drain.stream,
		.process = stream->process,
		.tid = stream->tid,
		.ended = ended,
		.place_kind = DWELL_PLACE_LOW32,
		.lost_events = stream->drain.ring->lost_events,
		.name = stream->name,
	};

	trace_writer_thread(streams->writer, &thread);
	stream->told = true;
}

static void begin_stream(struct streams *streams, uint32_t index)
{
	const struct dwell_session_slot *slot = session_slot(streams->session, index);
	struct dwell_ring *ring = session_ring(streams->session, index);
	struct stream *stream = calloc(1, sizeof *stream);

	if (!stream || !drain_begin(&stream->drain, streams->next_stream, ring, streams->session->ring_bytes)) {
		free(stream);
		return; /* tried again by the next sweep */
	}
	stream->slot = index;
	stream->process = slot->process;
	stream->pid = slot->pid;
	stream->tid = slot->tid;
	memcpy(stream->name, slot->name, sizeof stream->name - 1);
	stream->track = switches_track(streams->switches, stream->tid, stream->drain.stream);
	streams->next_stream++;
	streams->threads++;
	streams->by_slot[index] = stream;
}

/* A process that called exec goes on under the same numbers, in another slot: the older one has no thread any more. */
static bool is_superseded(const struct streams *streams, const struct stream *stream)
{
	for (uint32_t i = 0; i < streams->session->slot_count; i++) {
		const struct stream *other = streams->by_slot[i];

		if (other && other != stream && other->pid == stream->pid && other->drain.stream > stream->drain.stream &&
			(other->tid == stream->tid || other->process != stream->process))
			return true;
	}
	return false;
}

static void look_after(struct streams *streams, struct stream *stream)
{
	char name[16];

	if (!thread_is_alive(stream->pid, stream->tid) || is_superseded(streams, stream)) {
		stream->gone = true;
		return;
	}
	if (thread_read_name(stream->pid, stream->tid, name) && strcmp(name, stream->name)) {
		memcpy(stream->name, name, sizeof name);
		stream->told = false;
	}
}

void streams_see(struct streams *streams, bool final)
{
	uint32_t used = __atomic_load_n(&streams->session->shared->slots_used, __ATOMIC_ACQUIRE);

	if (used > streams->session->slot_count)
		used = streams->session->slot_count;
	for (uint32_t i = 0; i < used; i++) {
		if (__atomic_load_n(&session_slot(streams->session, i)->state, __ATOMIC_ACQUIRE) != DWELL_SESSION_LIVE)
			continue;
		if (!streams->by_slot[i])
			begin_stream(streams, i);
		if (streams->by_slot[i])
			streams->by_slot[i]->seen_bytes = drain_available(&streams->by_slot[i]->drain, final || streams->by_slot[i]->gone);
	}
}

/* All of it is written that will be: its thread is gone, or the recording is over. Its slot is free for another one. */
static void end_stream(struct streams *streams, struct stream *stream)
{
	struct dwell_session_slot *slot = session_slot(streams->session, stream->slot);

	tell_thread(streams, stream, stream->gone || !thread_is_alive(stream->pid, stream->tid));
	streams->events += stream->drain.events;
	streams->holes += stream->drain.holes;
	streams->lost_events += stream->drain.ring->lost_events;
	streams->broken += stream->drain.broken;
	slot->soiled |= stream->drain.broken;
	streams->by_slot[stream->slot] = NULL;
	switches_untrack(streams->switches, stream->track);
	drain_end(&stream->drain);
	free(stream);
	__atomic_store_n(&slot->state, DWELL_SESSION_FREE, __ATOMIC_RELEASE);
}

bool streams_write(struct streams *streams, uint64_t now_ns, bool final)
{
	bool busy = false;

	for (uint32_t i = 0; i < streams->session->slot_count; i++) {
		struct stream *stream = streams->by_slot[i];

		if (!stream)
			continue;
		if (!stream->told)
			tell_thread(streams, stream, false);
		if (stream->seen_bytes >= DRAIN_CHUNK_BYTES)
			busy = true;
		if (stream->seen_bytes && (busy || final || stream->gone || now_ns - stream->flushed_ns >= FLUSH_NS)) {
			switches_write(streams->switches, stream->track);
			drain_take(&stream->drain, stream->seen_bytes, streams->packer, streams->writer);
			stream->seen_bytes = 0;
			stream->flushed_ns = now_ns;
		} else if (switches_press(stream->track)) {
			switches_write(streams->switches, stream->track);
		}
		if (final || stream->gone) {
			end_stream(streams, stream);
		} else if (now_ns - stream->looked_ns >= LOOK_NS) {
			stream->looked_ns = now_ns;
			look_after(streams, stream);
		}
	}
	return busy;
}
