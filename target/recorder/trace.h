/* SPDX-License-Identifier: MIT
 *
 * The trace recorder: writes enters and exits into a ring. One hot path serves every machine and every mode. Linux on x86-64 has
 * the same path in assembly (port/cpu/x86_64/stub.S), with a restartable sequence as its claim.
 */
#ifndef DWELL_TARGET_TRACE_H
#define DWELL_TARGET_TRACE_H

#include "port/port.h"

enum dwell_event_kind { DWELL_ENTER = 0, DWELL_EXIT = 1 };

/* Makes a ring for one thread in memory; bytes counts header and data together. The data is the largest power of two that
 * fits, at least two blocks. Null: memory is not aligned to 8, or too small. is_zero: the data is zero already. If the port's claim
 * needs zeroed data (invariant 6 in ring.h) and is_zero is false, the function zeroes the data; otherwise the data stays untouched.
 * Context: before the thread records. */
struct dwell_ring *dwell_ring_begin(void *memory, dwell_pos header_bytes, dwell_pos bytes, enum dwell_mode mode, bool is_zero);

/* The thread records into ring from now on; null: the thread records nothing.
 * Context: port_thread_begin(), where no handler on the same thread can come. */
static inline void dwell_thread_begin(struct dwell_thread *thread, struct dwell_ring *ring)
{
	thread->ring = ring;
	thread->state = ring ? DWELL_THREAD_RECORDING : DWELL_THREAD_REFUSED;
}

/* Records an event that the hot path cannot record: the first event of a thread, of a block or of an epoch; an event for a full
 * ring; an event after a gap, an unwind or a stop; a place whose low half would be a tag, which gets another form.
 * place and site: full addresses (site 0: unknown). window: the module table does not give the high half of place, so write a
 * WINDOW. pointer: port_stack_pointer() of the hook.
 * Context: any thread, any interrupt, any signal; never blocks, unless the port waits for room (port_block_wait). */
void dwell_trace_slow(struct dwell_thread *thread, uint64_t place, uint64_t site, enum dwell_event_kind kind, bool window,
	uintptr_t pointer);

/* Does what dwell_trace_slow does, and records values in the same push: for an enter the first arguments, at most DWELL_ARGS_MAX;
 * for an exit the returned value. Ports without PORT_ARGS ignore the values.
 * Context: as dwell_trace_slow. */
void dwell_trace_values(struct dwell_thread *thread, uint64_t place, uint64_t site, enum dwell_event_kind kind, bool window,
	uintptr_t pointer, const uint64_t *values, unsigned value_count);

/* Records an enter without an exit: the call is counted, not timed. site is an address inside the call instruction.
 * Context: as dwell_trace_slow. */
void dwell_trace_entry(struct dwell_thread *thread, uint64_t place, uint64_t site, bool window, uintptr_t pointer);

/* Records that the thread left frames without exits. tag: DWELL_TAG_UNWIND_JUMP or _CATCH. The next enter of the thread takes the
 * slow path and records its call site. A thread without a ring records nothing.
 * work: the result of dwell_trace_work_begin, if the recorder's work found the unwind: the frames were left when that work began.
 * null: the frames were left now.
 * Context: the thread itself, any signal on it. */
void dwell_trace_unwind(struct dwell_thread *thread, enum dwell_tag tag, const struct dwell_ring *work);

/* Records an unwind with a known landing. No later enter has to record its call site.
 * tag, work: as in dwell_trace_unwind. landed: the payloads of count LANDED tags; as many as a push has room for.
 * Context: as dwell_trace_unwind. */
void dwell_trace_landed(
	struct dwell_thread *thread, enum dwell_tag tag, const uint32_t *landed, unsigned count, const struct dwell_ring *work);

/* Enclose work of the recorder on this thread: the time in between counts as recording, and not as any function's own. _end writes
 * the two tags; its ring is the result of _begin. Null: the thread has no ring, or does such work already.
 * Context: as dwell_trace_unwind. */
struct dwell_ring *dwell_trace_work_begin(struct dwell_thread *thread);
void dwell_trace_work_end(struct dwell_thread *thread, struct dwell_ring *ring);

static inline bool dwell_trace_is_recording(const struct dwell_thread *thread)
{
	return thread->ring && thread->state == DWELL_THREAD_RECORDING;
}

/* Reports that the thread runs on this stack from now on; 0: the thread's own stack. After the first call, the recorder relies on
 * the program to report every change, and no longer derives the stack from the stack pointer.
 * Context: the thread itself, any signal on it. */
void dwell_trace_switch(struct dwell_thread *thread, uint32_t stack);

/* Records that the code on this stack has ended: all calls that are open on the stack are over.
 * Context: as dwell_trace_switch. */
void dwell_trace_stack_ended(struct dwell_thread *thread, uint32_t stack);

/* Records a mark of the program. text: index of its text, 0: none; site: the code that made the mark; pointer: an
 * address on the current stack.
 * Context: the thread itself, any signal on it; never blocks, unless the port waits for room. */
void dwell_trace_mark(struct dwell_thread *thread, uint64_t site, uint32_t text, uintptr_t pointer);

/* Whether the next enter records its call site: then the site must be exact, even if the function was inlined. */
static inline bool dwell_trace_wants_site(const struct dwell_thread *thread)
{
	const struct dwell_ring *ring = thread->ring;

	return ring && (ring->resume || ring->unwound); /* in this order: resume turns into unwound */
}

/* The hot path. False: nothing was recorded, call dwell_trace_slow.
 * Context: any thread, any interrupt, any signal; never blocks; four loads, one clock, one claim, one store; two loads more if a
 * thread may have several stacks. Stubs in assembly make the same checks, each after reading pos, so that an interrupt in between
 * makes the claim fail: pos is not at a block's head; the stack pointer is in the range; the clock's high half is the epoch. */
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
		/* The clock comes before the claim, so no stamp is ever late: a handler in between makes the claim fail. */
	} while (!port_compare_exchange(&ring->pos, pos, pos + DWELL_SLOT_BYTES));
	*dwell_ring_slot(ring, pos) = dwell_slot_make(((uint32_t)place & ~1u) | kind, (uint32_t)now);
	return true;
}

/* Records one event, by the hot path if it applies.
 * Context: any thread, any interrupt, any signal; never blocks, unless the port waits for room. */
static inline __attribute__((always_inline)) void dwell_trace(
	struct dwell_thread *thread, void *function, void *site, enum dwell_event_kind kind)
{
	struct dwell_ring *ring = thread->ring;
	uintptr_t pointer = port_stack_pointer();

	if (!ring || !dwell_trace_fast(ring, (uintptr_t)function, kind, pointer))
		dwell_trace_slow(thread, (uintptr_t)function, (uintptr_t)site, kind, false, pointer);
}

#endif
