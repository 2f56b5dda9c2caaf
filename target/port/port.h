/* SPDX-License-Identifier: MIT
 *
 * The port contract: what a machine must give. The build picks a folder of port/cpu and one of port/os (or port/sim, which is both) by
 * include path; they give cpu.h and os.h, and this header checks that nothing is missing and derives the rest.
 *
 * General rules, for all functions: callable from any thread, any interrupt, any signal handler; never block, never allocate, never
 * call libc, never touch errno; and are not instrumented themselves.
 *
 * cpu.h must give
 *
 *   static inline uint64_t port_now(void)
 *       The clock: counts up, 64 bits wide, never goes back on one core. A narrower counter is widened by the port (an overflow
 *       count); a counter that counts down is negated.
 *   static inline bool port_compare_exchange(volatile dwell_pos *word, dwell_pos expected, dwell_pos desired)
 *       pre:  word is written by this thread and by interrupts or signals on top of it, by nobody else.
 *       post: true: it was expected and is desired; false: nothing was written (may fail spuriously).
 *       Atomic against interrupts on this core; orders nothing against other cores.
 *   PORT_CLOCK_BITS, PORT_CLOCK_FLAGS (enum dwell_clock_flag)
 *       Width of the counter and what it is like. They travel in the header of the trace: the host asks instead of guessing.
 *
 * cpu.h may give
 *
 *   PORT_OWN_PUSH, port_commits_last() and port_push(ring, expected, slots, count)
 *       A commit whose last store moves pos and which starts again when it is interrupted before: no holes, no clearing.
 *       Without it, pos is moved by port_compare_exchange and the slots are stored after it.
 *   PORT_OWN_BEGIN and port_begin()
 *       Looks at what the machine offers, once, before the first ring. Default: nothing.
 *   PORT_OWN_PUBLISH and port_publish()
 *       Earlier stores become visible to other cores before later ones. Default: a release fence.
 *   PORT_OWN_INTERRUPT and bool port_site_is_interrupt(uintptr_t site)
 *       Whether a function with this return address was called by the machine: the first one of an interrupt or a signal handler.
 *       Default: false; an unwind that an interrupt falls into lands in the wrong frame then.
 *   PORT_CODE_AT_ZERO
 *       Functions lie in the first 4096 bytes of the address space, or of any 4 GiB of it, and their hooks call dwell_trace(): places that
 *       would be tags are looked for on the hot path.
 *
 *   PORT_MACHINE, PORT_CLOCK_HZ
 *       e_machine of its ELF files, and the rate of the clock, 0 if only the host can measure it. Wanted by the Linux port only.
 *   PORT_CODE_STEP and uint64_t port_call_target(uint64_t return_address)
 *       What the call before return_address goes to: equal for two calls of one function from one file; 0 when there is no call, or when
 *       it cannot be told. Instructions are multiples of PORT_CODE_STEP bytes. Wanted by the Linux port only.
 *
 *   PORT_PATCHES
 *       The port has hooks.c, which changes code (port/os/linux/agent.h). Wanted by the Linux port only.
 *
 *   PORT_FRAMES and uint64_t port_jump_pointer(const void *environment, bool scrambled)
 *       The stack pointer that a jmp_buf holds, as libc keeps it or as it is; and the port has frames.c (port/os/linux/frames.h), so
 *       that it is known which call an unwind lands in. Wanted by the Linux port only; PORT_ARGS comes with it.
 *
 * os.h must give
 *
 *   struct dwell_thread *port_thread(void)
 *       The recorder's state of the running thread, zero at its start. On a machine without threads: one static object.
 *   void port_thread_begin(struct dwell_thread *thread)
 *       The first event of a thread: finds it a ring and calls dwell_thread_begin(). A handler on the same thread may interrupt it with
 *       an event, and begins the thread itself then; so: mask interrupts, look at thread->state once more, begin, unmask. A port that
 *       cannot mask sets thread->state to DWELL_THREAD_BEGINNING first: such events are refused.
 *   void port_event_refused(struct dwell_thread *thread)
 *       Counts an event of a thread that has no ring (state REFUSED), or not yet (BEGINNING).
 *
 * os.h may give
 *
 *   PORT_OWN_STACKS, uintptr_t port_stack_pointer(void) and
 *   void port_find_stack(struct dwell_ring *ring, uintptr_t pointer, bool enters, struct dwell_stack *stack)
 *       Where a thread may run on several stacks (coroutines): the stack pointer of whoever calls the hook that this is inlined into,
 *       the same one for all hooks; and which stack that is. Slow; an event whose pointer is in the range that it gives does not ask.
 *       enters: the event is an enter. Default: a thread has one stack, but for what the program says.
 *   PORT_OWN_BLOCK, void port_block_wanted(struct dwell_ring *ring, dwell_pos pos) and
 *   enum dwell_wait port_block_wait(struct dwell_ring *ring, dwell_pos pos)
 *       The block at pos is about to be opened: bring its memory in. Default: nothing. And: it holds what was not drained yet; wait until
 *       that is, or see to it, if nothing of it may be lost. Handlers may record meanwhile, and wait themselves. Default: it is lost.
 */
#ifndef DWELL_TARGET_PORT_H
#define DWELL_TARGET_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "dwell/format.h"
#include "recorder/ring.h"

enum dwell_wait {
	DWELL_WAIT_NONE,    /* nobody waits here: what comes is lost */
	DWELL_WAIT_ROOM,    /* there is room now */
	DWELL_WAIT_IN_VAIN, /* there is none after all that time: what comes is lost */
	DWELL_WAIT_LEFT,    /* the ring is not the thread's any more: it must not touch it */
};

enum dwell_thread_state {
	DWELL_THREAD_NEW = 0,
	DWELL_THREAD_BEGINNING,
	DWELL_THREAD_RECORDING,
	DWELL_THREAD_REFUSED,
};

/* One thread's state: only the thread itself and handlers on top of it touch it. The hot path reads ring and nothing else of it. */
struct dwell_thread {
	struct dwell_ring *volatile ring; /* once there is one */
	volatile uint32_t state;          /* enum dwell_thread_state */
	volatile uint32_t generation;     /* the port's own: of the recording that the above is of */
	uintptr_t stack_low, stack_high;  /* the port's own: where its stack is */
};

/* One stack, as far as it is known. */
struct dwell_stack {
	uint32_t number;       /* 0: the thread's own. Below DWELL_STACK_BEGINS; unique in the process */
	bool begins;           /* nothing that was open on it goes on */
	uintptr_t low, bytes;  /* pointers in [low, low + bytes) are on it */
};

#include "cpu.h"
#include "os.h"

#ifndef PORT_CLOCK_BITS
#error "port: cpu.h must define PORT_CLOCK_BITS, the width of the counter behind port_now()"
#endif
#ifndef PORT_CLOCK_FLAGS
#error "port: cpu.h must define PORT_CLOCK_FLAGS, a set of enum dwell_clock_flag"
#endif

#ifndef PORT_OWN_BEGIN
static inline void port_begin(void)
{
}
#endif

#ifndef PORT_OWN_PUBLISH
static inline void port_publish(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}
#endif

#ifndef PORT_OWN_INTERRUPT
static inline bool port_site_is_interrupt(uintptr_t site)
{
	(void)site;
	return false;
}
#endif

#ifndef PORT_OWN_STACKS
static inline uintptr_t port_stack_pointer(void)
{
	return 0;
}

static inline void port_find_stack(struct dwell_ring *ring, uintptr_t pointer, bool enters, struct dwell_stack *stack)
{
	(void)ring;
	(void)pointer;
	(void)enters;
	*stack = (struct dwell_stack){.bytes = UINTPTR_MAX};
}
#endif

#ifndef PORT_OWN_BLOCK
static inline void port_block_wanted(struct dwell_ring *ring, dwell_pos pos)
{
	(void)ring;
	(void)pos;
}
static inline enum dwell_wait port_block_wait(struct dwell_ring *ring, dwell_pos pos)
{
	(void)ring;
	(void)pos;
	return DWELL_WAIT_NONE;
}
#endif

#ifndef PORT_OWN_PUSH
static inline bool port_commits_last(void)
{
	return false;
}

/* pre:  the count slots at expected lie in one block, which is open.
 * post: true: they are there and pos is behind them. False: something else was recorded first (or no reason), nothing was written. */
static inline bool port_push(struct dwell_ring *ring, dwell_pos expected, const uint64_t *slots, unsigned count)
{
	if (!port_compare_exchange(&ring->pos, expected, expected + count * DWELL_SLOT_BYTES))
		return false;
	for (unsigned i = 0; i < count; i++)
		*dwell_ring_slot(ring, expected + i * DWELL_SLOT_BYTES) = slots[i];
	return true;
}
#endif

/* Adds to a word that handlers on top of this thread add to as well. Returns what it was. */
static inline dwell_pos port_add(volatile dwell_pos *word, dwell_pos add)
{
	dwell_pos was;

	do
		was = *word;
	while (!port_compare_exchange(word, was, was + add));
	return was;
}

/* Takes what is in a word and leaves 0. */
static inline dwell_pos port_take(volatile dwell_pos *word)
{
	dwell_pos was;

	do
		was = *word;
	while (was && !port_compare_exchange(word, was, 0));
	return was;
}

#endif
