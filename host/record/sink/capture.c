#include "record/sink/capture.h"

#include <stdlib.h>
#include <string.h>

#include "core/extent.h"
#include "record/drain/drain.h"
#include "record/session/threads.h"

/* How far a ring had come when the journal was not copied yet: what was recorded later may be of a module that is not in it. */
struct seen {
	bool used;
	struct dwell_session_slot slot; /* which thread it is of */
	uint64_t pos;
};

static struct dwell_extent_facts get_facts(const struct capture *capture, const struct dwell_ring *ring)
{
	struct dwell_extent_facts facts = {
		.mode = (uint32_t)capture->session->mode,
		.commits_last = ring->commits_last != 0,
		.bytes = capture->session->ring_bytes,
	};

	/* pos last: where the overwriting has come to, it is at least that. */
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

static void see(struct capture *capture, struct seen *seen, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		seen[i].used = is_used(capture, i);
		if (!seen[i].used)
			continue;
		seen[i].slot = session_read_slot(capture->session, i);
		seen[i].pos = __atomic_load_n(&session_ring(capture->session, i)->pos, __ATOMIC_ACQUIRE);
	}
}

static void hear_nothing(void *context, const struct message_process *process)
{
	(void)context;
	(void)process;
}

/* The ring's data into memory, and which part of it is whole. False: it is none that can be read. */
static bool copy_ring(const struct capture *capture, uint32_t slot, const struct seen *seen, struct dwell_ring *copy,
	struct dwell_extent *extent)
{
	const struct dwell_ring *ring = session_ring(capture->session, slot);
	struct dwell_extent_facts facts = get_facts(capture, ring);

	if (!dwell_extent_of(&facts, extent))
		return false;
	memcpy(copy, ring, DWELL_RING_HEADER_BYTES + capture->session->ring_bytes);
	/* Whoever reads the copy goes by these. */
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
			session_read_slot(capture->session, slot).begin_ticks != seen->slot.begin_ticks)
			return false; /* damaged, or taken for another thread meanwhile */
		if (now.begin > extent->begin)
			extent->begin = now.begin;
		if (extent->end > seen->pos)
			extent->end = seen->pos;
		if (extent->begin > extent->end) /* it went round meanwhile */
			extent->begin = extent->end;
	}
	return true;
}

static void tell_thread(struct capture *capture, uint32_t stream, uint32_t slot, const struct dwell_session_slot *from,
	const struct dwell_ring *ring, bool wrapped)
{
	struct message_thread thread = {
		.stream = stream,
		.process = from->process,
		.tid = from->tid,
		.ended = session_slot_state(capture->session, slot) == DWELL_SESSION_ENDED || !thread_is_alive(from->pid, from->tid),
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

/* The time of the first event in [begin, end) that has one, or of the last. 0: none has. */
static uint64_t event_ticks(const struct drain *drain, uint64_t begin, uint64_t end, bool last)
{
	struct dwell_slot_cursor cursor = {0};
	struct dwell_slot_event event;

	for (uint64_t at = begin; at < end && (last || !cursor.last_ticks); at += DWELL_SLOT_BYTES)
		dwell_slot_decode(&cursor, *dwell_ring_slot(drain->ring, at), &event);
	return cursor.last_ticks;
}

/* The block that a position is in, or that ends there, says the time by itself. */
static uint64_t last_ticks(const struct drain *drain, uint64_t begin, uint64_t end)
{
	uint64_t block = (end - DWELL_SLOT_BYTES) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES;

	return event_ticks(drain, block > begin ? block : begin, end, true);
}

/* Chunk by chunk, each behind the switches that it needs. */
static void write_chunks(struct capture *capture, struct drain *drain, const struct dwell_extent *extent, uint32_t slot,
	const struct seen *seen)
{
	uint64_t first_ticks = event_ticks(drain, extent->begin, extent->end, false);
	struct kept_position position = {0};

	if (capture->on_ring)
		capture->on_ring(capture->context, slot, seen->slot.begin_ticks, first_ticks);
	for (uint64_t end; drain->consumed < extent->end && !drain->broken;) {
		end = drain->consumed + drain_run_bytes(drain, extent->end - drain->consumed);
		if (capture->switches)
			kept_switches_write(capture->switches, capture->writer, drain->stream, slot, seen->slot.begin_ticks, first_ticks,
				end == extent->end ? UINT64_MAX : last_ticks(drain, drain->consumed, end), &position);
		drain_take(drain, end - drain->consumed, true, capture->workers, capture->writer);
		drain_wait(drain);
	}
}

/* False: no memory. */
static bool write_ring(struct capture *capture, uint32_t stream, uint32_t slot, const struct seen *seen, struct dwell_ring *copy)
{
	static const struct stage_list none;
	const struct stage_source source = {.stream = stream, .process = seen->slot.process, .ring = copy};
	struct stage_thread *stages;
	struct dwell_extent extent;
	struct drain drain = {0};

	if (!copy_ring(capture, slot, seen, copy, &extent) || copy->lost_events > session_count_max(capture->session)) {
		capture->broken++;
		return true;
	}
	tell_thread(capture, stream, slot, &seen->slot, copy, extent.begin > 0);
	if (!stages_begin_thread(capture->stages ? capture->stages : &none, &source, &stages) ||
		!drain_begin(&drain, stream, copy, capture->session->ring_bytes, stages)) {
		drain_end(&drain);
		return false;
	}
	drain.consumed = extent.begin;
	write_chunks(capture, &drain, &extent, slot, seen);
	capture->events += drain.events;
	capture->holes += drain.holes;
	stages_add_figures(drain.stages, &capture->figures);
	drain_end(&drain);
	return true;
}

bool capture_write(struct capture *capture)
{
	static const struct journal_listener nobody = {.on_process = hear_nothing};
	const struct session *session = capture->session;
	uint32_t count = session_slots_used(session);
	struct seen *seen = calloc(count ? count : 1, sizeof *seen);
	struct dwell_ring *copy = malloc(DWELL_RING_HEADER_BYTES + session->ring_bytes);
	struct journal journal = {.session = session};
	bool done = seen && copy;

	if (done) {
		/* In this order: a module is in the journal before its first event is in a ring. */
		see(capture, seen, count);
		if (capture->on_seen)
			capture->on_seen(capture->context);
		journal_copy(&journal, capture->writer, 0, !capture->live, capture->listener ? capture->listener : &nobody);
		capture->given_up = journal.given_up;
		capture->damaged = journal.damaged;
	}
	for (uint32_t i = 0; done && i < count; i++)
		if (seen[i].used)
			done = write_ring(capture, journal.next_stream++, i, &seen[i], copy);
	free(seen);
	free(copy);
	return done;
}
