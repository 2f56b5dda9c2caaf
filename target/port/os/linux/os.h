/* SPDX-License-Identifier: MIT
 *
 * The port to Linux: threads by thread-local storage, rings in the session that `dwell record` shares.
 */
#ifndef DWELL_PORT_OS_H
#define DWELL_PORT_OS_H

#include <stdbool.h>

#include "linux.h"

/* Initial-exec: reached by one instruction, without a call. The agent is linked or preloaded, never loaded late. */
extern __thread struct dwell_thread dwell_this_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline struct dwell_thread *port_thread(void)
{
	return &dwell_this_thread;
}

void port_thread_begin(struct dwell_thread *thread) __attribute__((visibility("hidden")));
void port_event_refused(struct dwell_thread *thread) __attribute__((visibility("hidden")));

/* Returns the stack pointer at the hook's entry: on x86-64 it points to the return address, as in the stubs. */
#define PORT_OWN_STACKS
static inline __attribute__((always_inline)) uintptr_t port_stack_pointer(void)
{
	return (uintptr_t)__builtin_dwarf_cfa() - LINUX_RETURN_BYTES;
}
struct dwell_ring;
struct dwell_stack;
/* stacks.c */
void port_find_stack(struct dwell_ring *ring, uintptr_t pointer, bool enters, struct dwell_stack *stack)
	__attribute__((visibility("hidden")));

/* port_block_wanted: before each block, makes the block's pages present, many at a time. Now and then the function also does rare
 * work of the agent: reads the thread's name, appends a clock point, measures the cost of recording. */
#define PORT_OWN_BLOCK
void port_block_wanted(struct dwell_ring *ring, dwell_pos pos) __attribute__((visibility("hidden")));
enum dwell_wait port_block_wait(struct dwell_ring *ring, dwell_pos pos) __attribute__((visibility("hidden")));

#endif
