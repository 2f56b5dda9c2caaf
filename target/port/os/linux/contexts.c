/* SPDX-License-Identifier: MIT
 *
 * Interposes functions of libc that make stacks, and vfork. Each wrapper notes the call and goes on to the real function; where
 * C cannot do that, the wrapper is assembly (port/cpu/x86_64/interpose.S). vfork's wrapper makes the system call itself.
 *
 *   makecontext   which memory is the stack of a coroutine, and that the coroutine begins anew
 *   vfork         the child has run on this stack, and may have left calls open there: the parent lands where it called vfork
 */
#include "port/os/linux/agent.h"

/* The head of a ucontext_t in glibc and musl. */
struct context_head {
	unsigned long flags;
	void *link;
	struct {
		void *base;
		int flags;
		size_t bytes;
	} stack;
};

typedef void function(void);

function *contexts_real_makecontext HIDDEN, *contexts_real_vfork HIDDEN;

void contexts_note_stack(const struct context_head *context) HIDDEN;
void contexts_note_vfork(void) HIDDEN;

__attribute__((constructor(102))) static void find_contexts(void)
{
	contexts_real_makecontext = (function *)unwind_find_real("makecontext");
	contexts_real_vfork = (function *)unwind_find_real("vfork");
}

void contexts_note_stack(const struct context_head *context)
{
	struct dwell_ring *work = agent.on ? dwell_trace_work_begin(port_thread()) : 0;

	stacks_note_context((uint64_t)context->stack.base, context->stack.bytes);
	dwell_trace_work_end(port_thread(), work);
}

void contexts_note_vfork(void)
{
	if (agent.on)
		dwell_trace_unwind(port_thread(), DWELL_TAG_UNWIND_JUMP, 0);
}
