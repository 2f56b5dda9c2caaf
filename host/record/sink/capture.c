/* capture: copies each ring of a session, and writes the copy through a drain. */
#include "record/sink/capture.h"

#include <stdlib.h>
#include <string.h>

#include "core/extent.h"
#include "record/drain/drain.h"
#include "record/session/threads.h"

/* The state of a ring before the journal was copied. If the session goes on, the capture writes only events up to pos: the module
 * of a later event may be missing in the copy. */
struct ring_position {
	bool used;
	struct dwell_session_slot slot; /* the session's slot then, to identify the thread */
	uint64_t pos;
};

static struct dwell_extent_facts get_facts(const struct capture *capture, const struct dwell_ring *ring)
{
	struct dwell_extent_facts facts = {
		.mode = (uint32_t)capture->session->mode,
		.commits_last = ring->commits_last != 0,
		.bytes = capture->session->ring_bytes,
	};

	/* Reads pos last: overwriting has come at least that far. */
	facts.ready = __atomic_load_n(&ring->ready, __ATOMIC_ACQUIRE);
	facts.consumed = __atomic_load_n(&ring->consumed, __ATOMIC_ACQUIRE);
	facts.pos = __atomic_load_n(&ring->pos, __ATOMIC_ACQUIRE);
	return facts;
}

static bool is_used(const struct capture *capture, uint32_t slot)
{
	uint32_t state = session_slot_state(capture->session, slot);

	return state == DWELL_SESSION_LIVE || state == DWELL_SESSION_ENDED;
}

/* Reads the positions of the rings in the session's first count slots. */
static void read_positions(struct capture *capture, struct ring_position *ring_position, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		ring_position[i].used = is_used(capture, i);
		if (!ring_position[i].used)
			continue;
		ring_position[i].slot = session_read_slot(capture->session, i);
		ring_position[i].pos = __atomic_load_n(&session_ring(capture->session, i)->pos, __ATOMIC_ACQUIRE);
	}
}

/* For a caller without a listener: journal_copy needs this callback. */
static void ignore_process(void *context, const struct message_process *process)
{
	(void)context;
	(void)process;
}

/* Copies the ring into memory, and sets *extent to the part that is whole. False: the ring is inconsistent, or has another thread
 * by now. */
static bool copy_ring(const struct capture *capture, uint32_t slot, const struct ring_position *ring_position,
	struct dwell_ring *copy, struct dwell_extent *extent)
{
	const struct dwell_ring *ring = session_ring(capture->session, slot);
	struct dwell_extent_facts facts = get_facts(capture, ring);

	if (!dwell_extent_of(&facts, extent))
		return false;
	memcpy(copy, ring, DWELL_RING_HEADER_BYTES + capture->session->ring_bytes);
	/* The drain reads these fields of the copy. */
	copy->bytes = capture->session->ring_bytes;
	copy->header_bytes = DWELL_RING_HEADER_BYTES;
	copy->mode = facts.mode;
	copy->commits_last = facts.commits_last;
	copy->pos = extent->end;
	if (capture->live) {
		struct dwell_extent now;

		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		facts = get_facts(capture, ring);
		if (!dwell_extent_of(&facts, &now) || !is_used(capture, slot) ||
			session_read_slot(capture->session, slot).begin_ticks != ring_position->slot.begin_ticks)
			return false; /* the ring is damaged, or has another thread by now */
		if (now.begin > extent->begin)
			extent->begin = now.begin;
		if (extent->end > ring_position->pos)
			extent->end = ring_position->pos;
		if (extent->begin > extent->end) /* the thread has overwritten all of it meanwhile */
			extent->begin = extent->end;
	}
	return true;
}

/* Writes the message about a ring's thread, and counts the thread's losses. from: the session's slot as read with the ring's
 * position. */
static void write_thread(struct capture *capture, uint32_t stream, uint32_t slot, const struct dwell_session_slot *from,
	const struct dwell_ring *ring, bool wrapped)
{
	struct message_thread thread = {
		.stream = stream,
		.process = from->process,
		.tid = task_without_mark(from->tid),
		.ended =
			session_slot_state(capture->session, slot) == DWELL_SESSION_ENDED || !thread_is_alive(from->pid, from->tid),
		.wrapped = wrapped,
		.is_copy = from->is_copy,
		.full = capture->session->mode == DWELL_MODE_LINEAR && ring->lost_events,
		.place_kind = DWELL_PLACE_LOW32,
		.lost_events = ring->lost_events,
		.name = from->name,
	};

	capture->threads++;
	capture->wrapped += thread.wrapped;
	capture->full += thread.full;
	capture->lost_events += thread.lost_events;
	trace_writer_thread(capture->writer, &thread);
}

/* The time of the first event in [begin, end) with a time; with last: of the last event. 0: no event has a time. */
static uint64_t event_ticks(const struct drain *drain, uint64_t begin, uint64_t end, bool last)
{
	struct dwell_slot_cursor cursor = {0};
	struct dwell_slot_event event;

	for (uint64_t at = begin; at < end && (last || !cursor.last_ticks); at += DWELL_SLOT_BYTES)
		dwell_slot_decode(&cursor, *dwell_ring_slot(drain->ring, at), &event);
	return cursor.last_ticks;
}

/* The time of the last event before end. Each block contains its time, so reading can start at the block with the last slot before
 * end. */
static uint64_t last_ticks(const struct drain *drain, uint64_t begin, uint64_t end)
{
	uint64_t block = (end - DWELL_SLOT_BYTES) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES;

	return event_ticks(drain, block > begin ? block : begin, end, true);
}

/* Writes the ring chunk by chunk, with the switches of a chunk before it. */
static void write_chunks(struct capture *capture, struct drain *drain, const struct dwell_extent *extent, uint32_t slot,
	const struct ring_position *ring_position)
{
	uint64_t first_ticks = event_ticks(drain, extent->begin, extent->end, false);
	struct kept_position position = {0};

	if (capture->on_ring)
		capture->on_ring(capture->context, slot, ring_position->slot.begin_ticks, first_ticks);
	for (uint64_t end; drain->consumed < extent->end && !drain->broken;) {
		end = drain->consumed + drain_batch_bytes(drain, extent->end - drain->consumed);
		if (capture->switches)
			kept_switches_write(capture->switches, capture->writer, drain->stream, slot,
				ring_position->slot.begin_ticks, first_ticks,
				end == extent->end ? UINT64_MAX : last_ticks(drain, drain->consumed, end), &position);
		drain_take(drain, end - drain->consumed, true, capture->workers, capture->writer);
		drain_wait(drain);
	}
}

/* Writes the thread and the events of one ring. False: no memory. Counts a ring that cannot be read as broken, and returns true. */
static bool write_ring(
	struct capture *capture, uint32_t stream, uint32_t slot, const struct ring_position *ring_position, struct dwell_ring *copy)
{
	static const struct stage_list none;
	const struct stage_source source = {.stream = stream, .process = ring_position->slot.process, .ring = copy};
	struct stage_thread *stages;
	struct dwell_extent extent;
	struct drain drain = {0};

	if (!copy_ring(capture, slot, ring_position, copy, &extent) || copy->lost_events > session_count_max(capture->session)) {
		capture->broken++;
		return true;
	}
	write_thread(capture, stream, slot, &ring_position->slot, copy, extent.begin > 0);
	if (!stages_begin_thread(capture->stages ? capture->stages : &none, &source, &stages) ||
		!drain_begin(&drain, stream, copy, capture->session->ring_bytes, stages)) {
		drain_end(&drain);
		return false;
	}
	drain.consumed = extent.begin;
	write_chunks(capture, &drain, &extent, slot, ring_position);
	capture->events += drain.events;
	capture->holes += drain.holes;
	stages_add_figures(drain.stages, &capture->figures);
	drain_end(&drain);
	return true;
}

bool capture_write(struct capture *capture)
{
	static const struct journal_listener nobody = {.on_process = ignore_process};
	const struct session *session = capture->session;
	uint32_t count = session_slots_used(session);
	struct ring_position *ring_position = calloc(count ? count : 1, sizeof *ring_position);
	struct dwell_ring *copy = malloc(DWELL_RING_HEADER_BYTES + session->ring_bytes);
	struct journal journal = {.session = session};
	bool done = ring_position && copy;

	if (done) {
		/* This order matters: the journal gets a module before a ring gets the module's first event. */
		read_positions(capture, ring_position, count);
		if (capture->on_positions_read)
			capture->on_positions_read(capture->context);
		journal_copy(&journal, capture->writer, 0, !capture->live, capture->listener ? capture->listener : &nobody);
		capture->given_up = journal.given_up;
		capture->damaged = journal.damaged;
	}
	for (uint32_t i = 0; done && i < count; i++)
		if (ring_position[i].used)
			done = write_ring(capture, journal.next_stream++, i, &ring_position[i], copy);
	free(ring_position);
	free(copy);
	return done;
}
