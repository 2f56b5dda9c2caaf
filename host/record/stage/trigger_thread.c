/* trigger_thread: copies the new slots of a ring, and follows the calls of the watched functions. */
#include "record/stage/trigger_thread.h"

#include <stdlib.h>
#include <string.h>

#include "core/extent.h"
#include "record/drain/drain_row.h"
#include "record/drain/follower.h"

#define COPY_SLOTS 8192u

/* The .user of a frame of a watched function: the function's number, a flag for a call nested in
 * another call of the function, and the position of the call's enter, in slots. */
#define NUMBER_BITS 23
#define NUMBER_MASK ((UINT64_C(1) << NUMBER_BITS) - 1)
#define NESTED (UINT64_C(1) << NUMBER_BITS)
#define POSITION_SHIFT (NUMBER_BITS + 1)

struct trigger_thread {
	struct watcher_thread watch; /* .thread.calls null: no memory; restart_at tries again */
	const struct session *session;
	uint32_t slot;
	uint64_t begin_ticks;
	uint64_t end_when_read, pos;  /* positions in the ring: its end when last read; the next slot to look at */
	bool is_unreadable;          /* the ring could not be read: it contradicts itself, or there was no memory */
	uint64_t snapshot_pos;      /* with has_snapshot: the ring's position at the last snapshot */
	bool has_snapshot;      /* there was a snapshot */
	void (*take)(void *context, const struct trigger_call *call);
	void *context;
	uint64_t open;       /* open calls of watched functions */
	uint64_t copy[COPY_SLOTS];
};

/* Reports a finished call of a watched function, unless it is nested in another call of the function, or incomplete. */
static void report_call(void *context, const struct dwell_call *call)
{
	struct trigger_thread *thread = context;
	struct trigger_call reported = {.function = (uint32_t)(call->user & NUMBER_MASK),
		.enter_ticks = call->enter_ticks,
		.total_ticks = call->total_ticks,
		.position = (call->user >> POSITION_SHIFT) * DWELL_SLOT_BYTES};

	thread->open -= reported.function != 0;
	if (reported.function && !(call->user & NESTED) && !(call->flags & ~(uint32_t)DWELL_CALL_UNWOUND))
		thread->take(thread->context, &reported);
}

/* Begins at pos, without open calls. */
static void restart_at(struct trigger_thread *thread, uint64_t pos)
{
	free_follower(thread->watch.thread.calls);
	if (watcher_thread_begin(&thread->watch, thread->watch.finder, thread->watch.process, report_call))
		follower_set_without_held(thread->watch.thread.calls);
	thread->open = 0;
	thread->pos = pos;
}

struct trigger_thread *make_trigger_thread(const struct session *session, uint32_t slot, struct filter *finder)
{
	struct trigger_thread *thread = calloc(1, sizeof *thread);
	struct dwell_session_slot from = session_read_slot(session, slot);

	if (!thread)
		return NULL;
	thread->session = session;
	thread->watch.finder = finder;
	thread->slot = slot;
	thread->watch.process = from.process;
	thread->begin_ticks = from.begin_ticks;
	restart_at(thread, 0);
	return thread;
}

void free_trigger_thread(struct trigger_thread *thread)
{
	if (!thread)
		return;
	free_follower(thread->watch.thread.calls);
	free(thread);
}

bool trigger_thread_began_at(const struct trigger_thread *thread, uint64_t begin_ticks)
{
	return thread->begin_ticks == begin_ticks;
}

static struct dwell_ring *ring_of(const struct trigger_thread *thread)
{
	return session_ring(thread->session, thread->slot);
}

void trigger_thread_read_position(struct trigger_thread *thread)
{
	thread->end_when_read = __atomic_load_n(&ring_of(thread)->pos, __ATOMIC_ACQUIRE);
}

/* False: the ring contradicts itself. */
static bool get_extent(const struct trigger_thread *thread, struct dwell_extent *extent)
{
	const struct dwell_ring *ring = ring_of(thread);
	struct dwell_extent_facts facts = {
		.mode = (uint32_t)thread->session->mode,
		.commits_last = ring->commits_last != 0,
		.bytes = thread->session->ring_bytes,
	};

	facts.ready = __atomic_load_n(&ring->ready, __ATOMIC_ACQUIRE);
	facts.consumed = __atomic_load_n(&ring->consumed, __ATOMIC_ACQUIRE);
	facts.pos = __atomic_load_n(&ring->pos, __ATOMIC_ACQUIRE);
	return dwell_extent_of(&facts, extent);
}

/* Marks the frame of an entered call of a watched function. number: the function's. position: of the enter in the ring. */
static void note_enter(struct trigger_thread *thread, uint32_t number, uint64_t position)
{
	const struct dwell_pair *pair = thread->watch.thread.calls->fold.pair;
	struct dwell_frame *frame = follower_top_frame(thread->watch.thread.calls);
	uint64_t nested = 0;

	if (!frame || number > NUMBER_MASK)
		return;
	for (uint32_t i = pair->depth - 1; thread->open && i-- && !nested;)
		nested = (pair->frames[i].user & NUMBER_MASK) == number ? NESTED : 0;
	frame->user = position / DWELL_SLOT_BYTES << POSITION_SHIFT | nested | number;
	thread->open++;
}

static uint32_t take_row(struct watcher_thread *watch, const uint64_t *slots, uint32_t count)
{
	return drain_fold_row(&watch->thread.calls->fold, slots, count);
}

static void take_slot(struct watcher_thread *watch, const uint64_t *slot)
{
	struct trigger_thread *thread = (struct trigger_thread *)watch;
	struct dwell_slot_cursor cursor = watch->thread.calls->fold.cursor;
	struct dwell_slot_event event;
	uint32_t number = 0;

	dwell_slot_decode(&cursor, *slot, &event);
	if (event.kind == DWELL_SLOT_ENTER)
		number = filter_find_place(watch->finder, &watch->memory, watch->process, event.place, event.ticks);
	follower_feed(watch->thread.calls, slot, 1);
	if (number)
		note_enter(thread, number, thread->pos + (uint64_t)(slot - thread->copy) * DWELL_SLOT_BYTES);
}

/* The number of written slots in the copy. In some modes a thread claims a slot before writing it: then only the slots before the
 * first empty slot count, unless the thread has ended. */
static uint32_t count_written(const struct trigger_thread *thread, uint32_t count)
{
	uint32_t i = 0;

	if (ring_of(thread)->commits_last || session_slot_state(thread->session, thread->slot) == DWELL_SESSION_ENDED)
		return count;
	while (i < count && thread->copy[i])
		i++;
	return i;
}

uint64_t trigger_thread_follow(struct trigger_thread *thread, void (*take)(void *context, const struct trigger_call *call),
	void *context, uint64_t *missed)
{
	const struct session *session = thread->session;
	struct dwell_extent extent;
	uint64_t slots = 0, bytes, from, end;
	uint32_t count;

	thread->take = take;
	thread->context = context;
	thread->is_unreadable = true;
	while (get_extent(thread, &extent)) {
		end = thread->end_when_read < extent.end ? thread->end_when_read : extent.end;
		if (extent.begin > thread->pos || !thread->watch.thread.calls) {
			*missed += extent.begin > thread->pos ? (extent.begin - thread->pos) / DWELL_SLOT_BYTES : 0;
			restart_at(thread, extent.begin > thread->pos ? extent.begin : thread->pos);
		}
		thread->is_unreadable = !thread->watch.thread.calls;
		if (thread->pos >= end || !thread->watch.thread.calls)
			break;
		from = thread->pos & (session->ring_bytes - 1);
		bytes = session->ring_bytes - from;
		bytes = bytes < end - thread->pos ? bytes : end - thread->pos;
		bytes = bytes < sizeof thread->copy ? bytes : sizeof thread->copy;
		memcpy(thread->copy, (const unsigned char *)ring_of(thread) + DWELL_RING_HEADER_BYTES + from, bytes);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		/* This shows whether the thread has overwritten slots meanwhile.
		 * The session's slot may also belong to another thread by now. */
		if (!get_extent(thread, &extent) || session_read_slot(session, thread->slot).begin_ticks != thread->begin_ticks)
			break;
		if (extent.begin > thread->pos)
			continue;
		count = count_written(thread, (uint32_t)(bytes / DWELL_SLOT_BYTES));
		watcher_thread_slots(&thread->watch, thread->copy, count, take_row, take_slot);
		thread->pos += (uint64_t)count * DWELL_SLOT_BYTES;
		slots += count;
		if (count * DWELL_SLOT_BYTES < bytes)
			break;
	}
	return slots;
}

uint64_t trigger_thread_room(uint64_t ring_bytes)
{
	return ring_bytes / 4 > DWELL_BLOCK_BYTES ? ring_bytes / 4 : DWELL_BLOCK_BYTES;
}

bool trigger_thread_release(struct trigger_thread *thread)
{
	struct dwell_ring *ring = ring_of(thread);

	if (session_read_slot(thread->session, thread->slot).begin_ticks != thread->begin_ticks)
		return false; /* by now the session's slot belongs to another thread */
	/* If the trigger cannot look at the ring, no thread should wait for it. */
	__atomic_store_n(&ring->consumed, thread->is_unreadable ? thread->end_when_read : thread->pos, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&ring->waiting, __ATOMIC_SEQ_CST))
		return false;
	session_wake(ring);
	return true;
}

void trigger_thread_note_snapshot(struct trigger_thread *thread)
{
	thread->has_snapshot = true;
	thread->snapshot_pos = __atomic_load_n(&ring_of(thread)->pos, __ATOMIC_ACQUIRE);
}

bool trigger_thread_is_renewed(const struct trigger_thread *thread)
{
	return !thread->has_snapshot || thread->pos - thread->snapshot_pos >= thread->session->ring_bytes;
}

bool trigger_thread_expires_soon(const struct trigger_thread *thread, uint64_t position)
{
	return thread->pos - position >= thread->session->ring_bytes / 8 * 5;
}
