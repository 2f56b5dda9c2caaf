/* SPDX-License-Identifier: MIT
 *
 * The trace recorder: enters and exits into a ring. One hot path for every machine and every mode; x86-64 Linux has the same one in
 * assembler (port/cpu/x86_64/stub.S), with a restartable sequence as its claim.
 */
#ifndef DWELL_TARGET_TRACE_H
#define DWELL_TARGET_TRACE_H

#include "port/port.h"

enum dwell_event_kind { DWELL_ENTER = 0, DWELL_EXIT = 1 };

/* Prepares memory for one thread: bytes counts header and data together. The data is the largest power of two that fits, at least two
 * blocks. Null when it does not fit or memory is not aligned to 8. Where the claim needs data that is zero, it is zeroed, unless is_zero
 * says that it is; else it is not touched.
 * Context: before the thread records. */
struct dwell_ring *dwell_ring_begin(void *memory, dwell_pos header_bytes, dwell_pos bytes, enum dwell_mode mode, bool is_zero);

/* The thread records into ring from now on; null: not at all.
 * Context: port_thread_begin(), where no handler on the same thread can come. */
static inline void dwell_thread_begin(struct dwell_thread *thread, struct dwell_ring *ring)
{
	thread->ring = ring;
	thread->state = ring ? DWELL_THREAD_RECORDING : DWELL_THREAD_REFUSED;
}

/* Everything that the hot path leaves out: the first event of a thread, of a block, of an epoch; a full ring, gaps, unwinds, stops.
 * place and site are full addresses (site: 0 when unknown). window: the module table cannot tell the high half of place, say it. A place
 * whose low half would be a tag comes this way, too, and is said in another form. pointer: port_stack_pointer(), of the hook.
 * Context: any thread, any interrupt, any signal; never blocks. */
void dwell_trace_slow(struct dwell_thread *thread, uint64_t place, uint64_t site, enum dwell_event_kind kind, bool window,
	uintptr_t pointer);

/* The same, and in the same push: the first arguments, at most DWELL_ARGS_MAX; of an exit what is returned. On ports that define PORT_ARGS.
 * Context: as dwell_trace_slow. */
void dwell_trace_values(struct dwell_thread *thread, uint64_t place, uint64_t site, enum dwell_event_kind kind, bool window,
	uintptr_t pointer, const uint64_t *values, unsigned value_count);

/* An enter that no exit follows, ever: it is counted. site is an address inside of the call that it was entered by.
 * Context: as dwell_trace_slow. */
void dwell_trace_entry(struct dwell_thread *thread, uint64_t place, uint64_t site, bool window, uintptr_t pointer);

/* Frames were left without exits: tag is DWELL_TAG_UNWIND_JUMP or _CATCH. The next enter of the thread takes the slow path and says where
 * it was called from. Nothing is recorded for a thread without a ring.
 * Context: the thread itself, any signal on it. */
void dwell_trace_unwind(struct dwell_thread *thread, enum dwell_tag tag);

/* The same where it is known which call goes on: payloads of LANDED, as many as a port gives arguments as slots; nothing waits.
 * Context: as dwell_trace_unwind. */
void dwell_trace_landed(struct dwell_thread *thread, enum dwell_tag tag, const uint32_t *landed, unsigned count);

/* All events of the thread take the slow path, or those that have no other reason do not any more.
 * Context: as dwell_trace_unwind. */
void dwell_trace_watch(struct dwell_thread *thread, bool watched);

static inline bool dwell_trace_is_recording(const struct dwell_thread *thread)
{
	return thread->ring && thread->state == DWELL_THREAD_RECORDING;
}

static inline bool dwell_trace_is_watched(const struct dwell_thread *thread)
{
	const struct dwell_ring *ring = thread->ring;

	return ring && ring->watched;
}

/* From here on the thread runs on this stack (0: its own), and says so itself each time that it changes: nothing is guessed any more.
 * Context: the thread itself, any signal on it. */
void dwell_trace_switch(struct dwell_thread *thread, uint32_t stack);

/* What runs on this stack will not go on: calls that are open there are over.
 * Context: as dwell_trace_switch. */
void dwell_trace_stack_ended(struct dwell_thread *thread, uint32_t stack);

/* A mark of the program: text is the index that its text was told with, 0: none; site is where the program said so, pointer
 * into the stack that it is on.
 * Context: the thread itself, any signal on it; never blocks. */
void dwell_trace_mark(struct dwell_thread *thread, uint64_t site, uint32_t text, uintptr_t pointer);

/* Whether the next enter says where it was called from: then its call site must be right, also when it was inlined. */
static inline bool dwell_trace_wants_site(const struct dwell_thread *thread)
{
	const struct dwell_ring *ring = thread->ring;

	return ring && (ring->resume || ring->unwound); /* in this order: the one becomes the other */
}

/* The hot path. False: nothing was recorded, call dwell_trace_slow.
 * Context: any thread, any interrupt, any signal; never blocks; four loads, one clock, one claim, one store; two loads more
 * where a thread may have several stacks. Stubs in assembler make the same checks, each behind the reading of pos, so that an interrupt
 * makes the claim fail that follows: pos not at a block's head; the stack pointer in the range; the clock's high half the epoch. */
static inline bool dwell_trace_fast(struct dwell_ring *ring, uintptr_t place, enum dwell_event_kind kind, uintptr_t pointer)
{
	dwell_pos pos;
	uint64_t now;

	(void)pointer;
#ifdef PORT_CODE_AT_ZERO
	if ((uint32_t)place < DWELL_TAG_LIMIT)
		return false;
#endif
	do {
		pos = ring->pos;
		if ((pos & (DWELL_BLOCK_BYTES - 1)) == 0)
			return false;
#ifdef PORT_OWN_STACKS
		if (pointer - ring->stack_low >= ring->stack_bytes)
			return false;
#endif
		now = port_now();
		if ((uint32_t)(now >> 32) != ring->epoch)
			return false;
		/* The clock is read before the claim, so no stamp is ever late: whoever comes in between makes the claim fail. */
	} while (!port_compare_exchange(&ring->pos, pos, pos + DWELL_SLOT_BYTES));
	*dwell_ring_slot(ring, pos) = dwell_slot_make(((uint32_t)place & ~1u) | kind, (uint32_t)now);
	return true;
}

/* One event, by the hot path where it will do.
 * Context: any thread, any interrupt, any signal; never blocks. */
static inline __attribute__((always_inline)) void dwell_trace(
	struct dwell_thread *thread, void *function, void *site, enum dwell_event_kind kind)
{
	struct dwell_ring *ring = thread->ring;
	uintptr_t pointer = port_stack_pointer();

	if (!ring || !dwell_trace_fast(ring, (uintptr_t)function, kind, pointer))
		dwell_trace_slow(thread, (uintptr_t)function, (uintptr_t)site, kind, false, pointer);
}

#endif
