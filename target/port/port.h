/* SPDX-License-Identifier: MIT
 *
 * The port contract: the functions and constants that a machine must give. The build picks a folder of port/cpu and one of
 * port/os (or port/sim, which is both) by include path. These folders give cpu.h and os.h; this header checks that nothing is
 * missing and derives the rest.
 *
 * General rules, for all functions: any thread, interrupt or signal handler may call them; they never block, never allocate, never
 * call libc, never touch errno, and are not instrumented themselves. The exception is port_block_wait, which may wait.
 *
 * cpu.h must give
 *
 *   static inline uint64_t port_now(void)
 *       The clock: counts up, 64 bits wide, never goes back on one core. A port widens a narrower counter (by counting overflows)
 *       and negates a counter that counts down.
 *   static inline bool port_compare_exchange(volatile dwell_pos *word, dwell_pos expected, dwell_pos desired)
 *       pre:  only this thread, and interrupts or signals on top of it, write to word.
 *       post: true: word was expected and is desired; false: nothing was written (may fail spuriously).
 *       Atomic against interrupts on this core; orders nothing against other cores.
 *   PORT_CLOCK_BITS, PORT_CLOCK_FLAGS (enum dwell_clock_flag)
 *       Width of the counter, and its properties. The header of the trace carries them, so the host need not guess.
 *
 * cpu.h may give
 *
 *   PORT_OWN_PUSH, port_commits_last() and port_push(ring, expected, slots, count)
 *       A commit whose last store moves pos, and which starts again if it is interrupted before that store. So slots below pos are
 *       always written, and blocks need no zeroing before use. port_commits_last returns whether port_push works like that on
 *       this machine; the ring keeps the answer. Default: false; port_compare_exchange moves pos, and the slots are stored
 *       after that.
 *   PORT_OWN_BEGIN and port_begin()
 *       Finds out what the machine offers, once, before the first ring. Default: nothing.
 *   PORT_OWN_PUBLISH and port_publish()
 *       Earlier stores become visible to other cores before later ones. Default: a release fence.
 *   PORT_OWN_ADD and port_add(word, add)
 *       Default: a loop of port_compare_exchange.
 *   PORT_OWN_INTERRUPT and bool port_site_is_interrupt(uintptr_t site)
 *       Whether site is the return address of the first function of an interrupt or signal handler: the machine or the kernel
 *       called that function.
 *       Default: false; then, if an interrupt falls into an unwind, the unwind lands in the wrong frame.
 *   PORT_CODE_AT_ZERO
 *       Functions lie in the first 4096 bytes of the address space, or of any 4 GiB of it, and their hooks call dwell_trace(): the
 *       hot path then checks each place for values that would be tags.
 *
 *   PORT_WORK_TICKS
 *       The recorder's work to open a block is recorded (HELD) if it takes at least this many ticks. Shorter work counts as time of
 *       the program. Default: 1024, about ten events.
 *
 *   PORT_MACHINE, PORT_CLOCK_HZ
 *       e_machine of the machine's ELF files, and the rate of the clock in Hz; 0: only the host can measure the rate. Only the
 *       Linux port needs these.
 *   PORT_CODE_STEP and uint64_t port_call_target(uint64_t return_address)
 *       Destination of the call before return_address: equal for two calls of one function from one file; 0: there is no call, or
 *       its destination is unknown. Instructions are multiples of PORT_CODE_STEP bytes. Only the Linux port needs these.
 *   void port_evict(const volatile void *address) and void port_evict_done(void)
 *       Evict a cache line from all caches, and wait until all lines are evicted. Only the Linux port needs these (overhead.c).
 *
 *   PORT_PATCHES
 *       The port has hooks.c, which changes code (port/os/linux/agent.h). Only the Linux port needs this.
 *
 *   PORT_FRAMES and uint64_t port_jump_pointer(const void *environment, bool scrambled)
 *       Returns the stack pointer in a jmp_buf, which libc stores scrambled or plain. The port also has frames.c
 *       (port/os/linux/frames.h), which finds the call that an unwind lands in. Only the Linux port needs this, with PORT_ARGS.
 *
 * os.h must give
 *
 *   struct dwell_thread *port_thread(void)
 *       The recorder's state of the running thread, zero at its start. On a machine without threads: one static object.
 *   void port_thread_begin(struct dwell_thread *thread)
 *       The first event of a thread: finds a ring for the thread and calls dwell_thread_begin(). A handler on the same thread may
 *       interrupt this with an event of its own, and then begins the thread itself. So: mask interrupts, test thread->state again,
 *       begin, unmask. A port that cannot mask first sets thread->state to DWELL_THREAD_BEGINNING: such events are refused.
 *   void port_event_refused(struct dwell_thread *thread)
 *       Counts an event of a thread that has no ring (state REFUSED), or not yet (BEGINNING).
 *
 * os.h may give
 *
 *   PORT_OWN_STACKS, uintptr_t port_stack_pointer(void) and
 *   void port_find_stack(struct dwell_ring *ring, uintptr_t pointer, bool enters, struct dwell_stack *stack)
 *       For threads that run on several stacks (coroutines). port_stack_pointer is inlined into a hook and returns the stack
 *       pointer of the hook's caller, at the same point in all hooks. port_find_stack finds the stack of a pointer, and a range
 *       of pointers on that stack; it is slow, but events within the range do without it. enters: the event is an enter.
 *       Default: a thread has one stack, except where the program reports others (dwell_trace_switch).
 *   PORT_OWN_BLOCK, void port_block_wanted(struct dwell_ring *ring, dwell_pos pos) and
 *   enum dwell_wait port_block_wait(struct dwell_ring *ring, dwell_pos pos)
 *       port_block_wanted: the block at pos is about to be opened; makes its memory present. Default: nothing.
 *       port_block_wait: the block at pos is not drained yet. If no event may be lost, waits for the drainer, or makes room itself.
 *       Handlers may record meanwhile, and wait themselves. Default: does not wait (DWELL_WAIT_NONE).
 */
#ifndef DWELL_TARGET_PORT_H
#define DWELL_TARGET_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "dwell/format.h"
#include "recorder/ring.h"

/* Result of port_block_wait. After NONE and FAILED, a stream loses events; a ring recording overwrites the block. */
enum dwell_wait {
	DWELL_WAIT_NONE,    /* does not wait */
	DWELL_WAIT_ROOM,    /* there is room now */
	DWELL_WAIT_FAILED, /* still no room at the end of the wait */
	DWELL_WAIT_RING_LOST,    /* the ring belongs to another thread now: do not touch it */
};

enum dwell_thread_state {
	DWELL_THREAD_NEW = 0,   /* has recorded no event yet */
	DWELL_THREAD_BEGINNING, /* is inside port_thread_begin() */
	DWELL_THREAD_RECORDING, /* has a ring */
	DWELL_THREAD_REFUSED,   /* got no ring: records nothing */
};

/* One thread's state. Only the thread itself and handlers on top of it touch the state. An exception on Linux: the thread that
 * leaves a session sets the ring of every other thread to null. The hot path reads ring only. */
struct dwell_thread {
	struct dwell_ring *volatile ring; /* null before the thread has one */
	volatile uint32_t state;          /* enum dwell_thread_state */
	volatile uint32_t generation;     /* for the port: number of the session to which ring and state belong */
	uintptr_t stack_low, stack_high;  /* for the port: bounds of the thread's own stack */
	/* For the Linux port: number of nested agent_begin_libc_call(). Above 0, the agent itself calls libc: events of these calls
	 * are dropped, and signals are blocked. */
	volatile uint32_t libc_depth;
	uint64_t libc_mask;             /* the thread's signal mask before the outermost agent_begin_libc_call() */
};

/* A stack, and a range of addresses on this stack. */
struct dwell_stack {
	uint32_t number;       /* 0: the thread's own. Below DWELL_STACK_BEGINS; unique in the process */
	bool begins;           /* the calls that were open on it are over */
	uintptr_t low, bytes;  /* stack pointers in [low, low + bytes) belong to this stack */
};

#include "cpu.h"
#include "os.h"

#ifndef PORT_CLOCK_BITS
#error "port: cpu.h must define PORT_CLOCK_BITS, the width of the counter behind port_now()"
#endif
#ifndef PORT_CLOCK_FLAGS
#error "port: cpu.h must define PORT_CLOCK_FLAGS, a set of enum dwell_clock_flag"
#endif

#ifndef PORT_WORK_TICKS
#define PORT_WORK_TICKS 1024
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

/* pre: the count slots at expected lie in one open block.
 * post: true: the slots are stored and pos is behind the slots. False: nothing was stored: a handler has recorded first, or
 * port_compare_exchange has failed spuriously. */
static inline bool port_push(struct dwell_ring *ring, dwell_pos expected, const uint64_t *slots, unsigned count)
{
	if (!port_compare_exchange(&ring->pos, expected, expected + count * DWELL_SLOT_BYTES))
		return false;
	for (unsigned i = 0; i < count; i++)
		*dwell_ring_slot(ring, expected + i * DWELL_SLOT_BYTES) = slots[i];
	return true;
}
#endif

#ifndef PORT_OWN_ADD
/* Adds to a word to which handlers on top of this thread add, too. Returns the word's old value. */
static inline dwell_pos port_add(volatile dwell_pos *word, dwell_pos add)
{
	dwell_pos was;

	do
		was = *word;
	while (!port_compare_exchange(word, was, was + add));
	return was;
}
#endif

/* Sets such a word to 0. Returns the word's old value. */
static inline dwell_pos port_take(volatile dwell_pos *word)
{
	dwell_pos was;

	do
		was = *word;
	while (was && !port_compare_exchange(word, was, 0));
	return was;
}

#endif
