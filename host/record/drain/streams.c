/* streams: begins, drains and ends the streams of all rings, once in each sweep of record. */
#include "record/drain/streams.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record/drain/drain.h"
#include "record/session/clock_point.h"
#include "record/session/threads.h"

/* Slots in a ring reach the file after this time at the latest, even a few. */
#define FLUSH_NS UINT64_C(100000000)
#define FLUSH_EACH_NS UINT64_C(100000) /* added per thread: each chunk has a fixed cost, however few slots it contains */
/* How often dwell checks the existence of a thread, and reads its name. */
#define CHECK_NS UINT64_C(50000000)
#define CHECK_EACH_NS UINT64_C(50000) /* added per slot in use, so dwell checks many threads less often */
#define NAME_NS UINT64_C(3000000000)

/* The owner of a slot in the session. pid 0: none. */
struct stream_owner {
	uint32_t pid, tid, process;
};

/* A recorded thread: one LIVE slot of the session. */
struct stream {
	struct drain drain;
	struct switch_track *track;
	uint32_t slot, process, pid, tid;
	char name[16];
	uint64_t flushed_ns, checked_ns; /* the last times when slots were written, and when the thread was checked */
	uint64_t ready_bytes; /* bytes of the ring to be written */
	uint64_t name_ns, name_step_ns; /* when the thread's name is read next; the time from then to the reading after */
	bool superseded;     /* the process has called exec, so the thread has ended */
	bool is_copy;        /* a copy of the thread that called fork */
	bool thread_ended;           /* its thread has ended: the ring gets no more slots */
	uint64_t gone_ticks;  /* when dwell found that out; 0: not yet, or dwell cannot read the thread's clock */
	bool is_written;           /* the file has the thread with its present name */
	bool is_forged;      /* the ring's counters have impossible values */
};

bool streams_begin(struct streams *streams, const struct session *session, struct trace_writer *writer, struct switches *switches,
	uint64_t budget_bytes)
{
	static const struct stage_list none;

	*streams = (struct streams){.session = session, .writer = writer, .switches = switches, .stages = &none};
	budget_begin(&streams->budget, session, budget_bytes);
	streams->by_slot = calloc(session->slot_count, sizeof *streams->by_slot);
	streams->owners = calloc(session->slot_count, sizeof *streams->owners);
	return streams->by_slot && streams->owners;
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
	free(streams->owners);
	streams->by_slot = NULL;
	streams->owners = NULL;
}

/* The events lost in the ring, as counted by its thread. The program
 * may have overwritten the counter: an impossible value counts as 0. */
static uint64_t lost_in_ring(const struct streams *streams, struct stream *stream)
{
	uint64_t lost = stream->drain.ring->lost_events;

	if (lost <= session_count_max(streams->session))
		return lost;
	stream->is_forged = true;
	return 0;
}

/* Makes the message about the stream's thread. */
static struct message_thread describe(const struct streams *streams, struct stream *stream, bool ended)
{
	return (struct message_thread){
		.stream = stream->drain.stream,
		.process = stream->process,
		.tid = task_without_mark(stream->tid),
		.ended = ended,
		.is_copy = stream->is_copy,
		.place_kind = DWELL_PLACE_LOW32,
		.lost_events = lost_in_ring(streams, stream) + stream->drain.dropped,
		.name = stream->name,
	};
}

static void write_thread(struct streams *streams, struct stream *stream, bool ended)
{
	struct message_thread thread = describe(streams, stream, ended);

	trace_writer_thread(streams->writer, &thread);
	stream->is_written = true;
}

/* Takes the name from the session's slot. The thread writes the name
 * to the slot now and then, and read_name does, too; the last name counts. */
static void take_name(struct streams *streams, struct stream *stream)
{
	struct dwell_session_slot slot = session_read_slot(streams->session, stream->slot);

	if (!strcmp(slot.name, stream->name))
		return;
	memcpy(stream->name, slot.name, sizeof stream->name);
	stream->is_written = false;
}

/* A process that called exec goes on with the same pid, but a new process index: marks all streams of the earlier index,
 * whatever their threads. Also marks an older stream with the same pid and tid. */
static void supersede(struct streams *streams, const struct stream *newer, uint32_t used)
{
	for (uint32_t i = 0; !(newer->pid & DWELL_TASK_INNER) && i < used; i++) {
		const struct stream_owner *owner = &streams->owners[i];

		if (streams->by_slot[i] && owner->pid == newer->pid &&
			(owner->tid == newer->tid || owner->process != newer->process))
			streams->by_slot[i]->superseded = true;
	}
}

/* Begins the stages of a stream. The first thread of a forked process
 * has open calls entered by the parent, so from_start is false. */
static bool begin_stages(const struct streams *streams, const struct dwell_session_slot *slot, struct dwell_ring *ring,
	struct stage_thread **stages)
{
	const struct stage_source source = {
		.stream = streams->next_stream,
		.process = slot->process,
		.ring = ring,
		.mapping_changes = &streams->stages->mapping_changes,
		.is_copy = slot->is_copy,
		.from_start = streams->from_start_pid && (slot->pid == streams->from_start_pid || slot->tid != slot->pid),
	};

	return stages_begin_thread(streams->stages, &source, stages);
}

/* Begins a stream for the thread in the session's slot index. used: the number of slots in use. */
static void begin_stream(struct streams *streams, uint32_t index, uint32_t used)
{
	const struct dwell_session_slot read = session_read_slot(streams->session, index), *slot = &read;
	struct dwell_ring *ring = session_ring(streams->session, index);
	struct stream *stream = calloc(1, sizeof *stream);
	struct stage_thread *stages;

	if (!stream || !begin_stages(streams, slot, ring, &stages) ||
		!drain_begin(&stream->drain, streams->next_stream, ring, streams->session->ring_bytes, stages)) {
		if (stream)
			drain_end(&stream->drain);
		free(stream);
		return; /* the next sweep tries again */
	}
	stream->drain.release = budget_release;
	stream->drain.release_context = &streams->budget;
	if (ring->room > streams->budget.room)
		ring->room = streams->budget.room;
	stream->slot = index;
	stream->process = slot->process;
	stream->pid = slot->pid;
	stream->tid = slot->tid;
	stream->is_copy = slot->is_copy;
	if (slot->is_copy)
		drain_set_copy(&stream->drain);
	stream->track = switches_track(streams->switches, stream->tid, stream->drain.stream);
	if (stream->track)
		stream->track->is_logged = streams->stages->uses_switches;
	stream->name_step_ns = CHECK_NS;
	take_name(streams, stream);
	supersede(streams, stream, used);
	streams->next_stream++;
	streams->threads++;
	streams->live++;
	streams->by_slot[index] = stream;
	streams->owners[index] = (struct stream_owner){stream->pid, stream->tid, stream->process};
}

/* Reads the thread's name from the system, at growing intervals: names change early or never. */
static void read_name(struct streams *streams, struct stream *stream, uint64_t now_ns)
{
	char name[sizeof stream->name];

	if (now_ns < stream->name_ns)
		return;
	stream->name_ns = now_ns + stream->name_step_ns;
	if (stream->name_step_ns < NAME_NS)
		stream->name_step_ns *= 2;
	if (thread_read_name(stream->pid, stream->tid, name))
		memcpy(session_slot(streams->session, stream->slot)->name, name, sizeof name);
}

static void note_gone(struct stream *stream)
{
	if (!stream->thread_ended)
		stream->gone_ticks = clock_point_read().ticks;
	stream->thread_ended = true;
}

/* Checks whether the thread still exists, and reads its name. */
static void check_thread(struct streams *streams, struct stream *stream, uint64_t now_ns)
{
	if (stream->superseded || !thread_is_alive(stream->pid, stream->tid)) {
		note_gone(stream);
		return;
	}
	read_name(streams, stream, now_ns);
	take_name(streams, stream);
}

/* Frees a slot if the process of the thread that was taking the slot is gone. */
static void free_abandoned_slot(struct streams *streams, uint32_t index)
{
	struct dwell_session_slot *slot = session_slot(streams->session, index);
	uint64_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);

	if (dwell_session_state_of(state) == DWELL_SESSION_TAKEN && !process_exists((uint32_t)(state >> 32)))
		__atomic_compare_exchange_n(&slot->state, &state, DWELL_SESSION_FREE, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Gives each ring the room that the budget has for a ring. */
static void set_room(struct streams *streams, uint32_t used)
{
	for (uint32_t i = 0; i < used; i++)
		if (streams->by_slot[i])
			streams->by_slot[i]->drain.ring->room = streams->budget.room;
}

void streams_read_positions(struct streams *streams, uint64_t now_ns, bool final)
{
	uint32_t used = session_slots_used(streams->session);

	if (budget_update(&streams->budget, streams->live, now_ns))
		set_room(streams, used);
	for (uint32_t i = 0; i < used; i++) {
		if (session_slot_state(streams->session, i) != DWELL_SESSION_LIVE)
			continue;
		if (!streams->by_slot[i])
			begin_stream(streams, i, used);
		if (streams->by_slot[i] && final)
			drain_wait(&streams->by_slot[i]->drain);
		if (!streams->by_slot[i] || drain_is_busy(&streams->by_slot[i]->drain))
			continue;
		streams->by_slot[i]->drain.program_waits = streams->program_waits;
		streams->by_slot[i]->ready_bytes =
			drain_available(&streams->by_slot[i]->drain, final || streams->by_slot[i]->thread_ended);
	}
}

/* Ends a stream: the thread is gone, or the recording is over, and
 * everything is written. Frees the session's slot for another thread. */
static void end_stream(struct streams *streams, struct stream *stream)
{
	struct dwell_session_slot *slot = session_slot(streams->session, stream->slot);
	struct dwell_session *shared = streams->session->shared;
	struct stage_figures figures = {0};
	struct message_thread thread;
	bool ended;

	if (!stream->thread_ended)
		read_name(streams, stream, UINT64_MAX);
	take_name(streams, stream);
	ended = stream->thread_ended || !thread_is_alive(stream->pid, stream->tid);
	thread = describe(streams, stream, ended);
	drain_finish(&stream->drain, &thread, streams->workers, streams->writer);
	stages_add_figures(stream->drain.stages, &figures);
	stages_add_figures(stream->drain.stages, &streams->figures);
	if (streams->switches->on) /* those after the last event */
		switches_write_faults(streams->switches, stream->track);
	if (stream->drain.events || figures.counted_events || !stream->drain.broken)
		write_thread(streams, stream, ended);
	streams->events += stream->drain.events;
	streams->holes += stream->drain.holes;
	streams->dropped_events += stream->drain.dropped;
	streams->lost_events += lost_in_ring(streams, stream);
	streams->broken += stream->drain.broken || stream->is_forged;
	slot->dirty |= stream->drain.broken;
	streams->by_slot[stream->slot] = NULL;
	switches_untrack(streams->switches, stream->track);
	streams->owners[stream->slot] = (struct stream_owner){0};
	streams->live--;
	drain_end(&stream->drain); /* reads the ring's counters: another thread may take the ring next */
	budget_release_ring(&streams->budget, stream->slot);
	__atomic_store_n(&slot->state, DWELL_SESSION_FREE, __ATOMIC_RELEASE);
	if (shared->free_hint > stream->slot)
		shared->free_hint = stream->slot;
	free(stream);
}

/* Writes the gap of a thread that has ended while its ring was full, and the thread's end, to the ring: what the thread itself
 * would have written before one more event. So the time behind the last event counts as lost. pre: the thread is gone, and the
 * ring is drained. False: there is no such gap. */
static bool write_last_gap(struct streams *streams, struct stream *stream)
{
	struct dwell_ring *ring = stream->drain.ring;
	uint64_t events = ring->gap_events, pos = ring->pos, ticks = stream->gone_ticks, slots[3 + GAP_SLOTS];
	uint32_t stack = (uint32_t)ring->stack, count = 0; /* the lower half */

	if (!events || !ticks || stream->drain.broken || events > session_count_max(streams->session) ||
		pos != stream->drain.consumed || pos & (DWELL_BLOCK_BYTES - 1))
		return false;
	slots[count++] = dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(ticks >> 32));
	if (stack)
		slots[count++] = dwell_slot_make(DWELL_TAG_STACK, stack);
	gap_put(events, ring->gap_is_unknown ? DWELL_LOST_ALL : ring->gap_pops, ring->gap_pushes, slots + count);
	count += GAP_SLOTS;
	slots[count++] = dwell_slot_make(DWELL_TAG_OFF, (uint32_t)ticks);
	for (uint32_t i = 0; i < count; i++)
		*dwell_ring_slot(ring, pos + i * DWELL_SLOT_BYTES) = slots[i];
	ring->gap_events = 0;
	__atomic_store_n(&ring->pos, pos + count * DWELL_SLOT_BYTES, __ATOMIC_RELEASE);
	return true;
}

/* Whether workers have taken all slots of the ring. */
static bool is_drained(struct stream *stream)
{
	return !drain_is_busy(&stream->drain) && !drain_available(&stream->drain, true);
}

/* Writes the thread's switches, and passes the switches to the thread's stages. */
static void write_switches(struct streams *streams, struct stream *stream)
{
	struct switch_track *track = stream->track;

	switches_write(streams->switches, track);
	if (!track || !track->log_count)
		return;
	stages_add_switches(stream->drain.stages, track->log, track->log_count);
	track->log_count = 0;
}

/* The same at the end of the recording; takes the gap, or one that was written in this sweep. */
static void take_last_gap(struct streams *streams, struct stream *stream)
{
	if (!stream->thread_ended && !thread_is_alive(stream->pid, stream->tid))
		note_gone(stream);
	if (!stream->thread_ended || (!write_last_gap(streams, stream) && is_drained(stream)))
		return;
	drain_take(&stream->drain, drain_available(&stream->drain, true), true, streams->workers, streams->writer);
	drain_wait(&stream->drain);
}

bool streams_write(struct streams *streams, uint64_t now_ns, bool final)
{
	uint32_t used = session_slots_used(streams->session);
	uint64_t look_ns = CHECK_NS + used * CHECK_EACH_NS, flush_ns = FLUSH_NS + streams->live * FLUSH_EACH_NS;
	uint64_t much = streams->budget.room / 4 < DRAIN_CHUNK_BYTES ? streams->budget.room / 4 : DRAIN_CHUNK_BYTES;
	bool busy = false, look_at_taken = now_ns - streams->checked_ns >= NAME_NS;

	if (look_at_taken)
		streams->checked_ns = now_ns;
	for (uint32_t i = 0; i < used; i++) {
		struct stream *stream = streams->by_slot[i];

		if (!stream) {
			if (look_at_taken)
				free_abandoned_slot(streams, i);
			continue;
		}
		if (drain_is_busy(&stream->drain)) {
			busy = true;
			continue;
		}
		if (!stream->is_written && !stream->drain.broken)
			write_thread(streams, stream, false);
		if (stream->ready_bytes >= much)
			busy = true;
		if (stream->ready_bytes &&
			(busy || final || stream->thread_ended || now_ns - stream->flushed_ns >= flush_ns)) {
			write_switches(streams, stream);
			drain_take(&stream->drain, stream->ready_bytes, final, streams->workers, streams->writer);
			stream->ready_bytes = 0;
			stream->flushed_ns = now_ns;
		} else {
			if (switches_should_write(stream->track))
				write_switches(streams, stream);
			/* Without new slots, stages may still have something due. */
			drain_run_stages(&stream->drain, now_ns, streams->workers, streams->writer);
		}
		if (stream->thread_ended && is_drained(stream)) {
			if (!write_last_gap(streams, stream))
				end_stream(streams, stream);
		} else if (now_ns - stream->checked_ns >= look_ns) {
			stream->checked_ns = now_ns;
			check_thread(streams, stream, now_ns);
		}
	}
	for (uint32_t i = 0; final && i < streams->session->slot_count; i++) {
		if (!streams->by_slot[i])
			continue;
		drain_wait(&streams->by_slot[i]->drain);
		take_last_gap(streams, streams->by_slot[i]);
		end_stream(streams, streams->by_slot[i]);
	}
	return busy;
}
