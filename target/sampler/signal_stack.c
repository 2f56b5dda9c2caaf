/* SPDX-License-Identifier: MIT
 *
 * Gives each thread a signal stack for the sampler's handler, as long as the program has none for that thread. The kernel saves all
 * registers on the stack that a handler runs on: 3 KB with AVX-512, which a coroutine's stack may not have.
 *
 * The program does not see these stacks: a wrapper of sigaltstack hides them. With a signal stack of the program's own, the handler
 * runs on that. The program's handlers with SA_ONSTACK that had the thread's stack to themselves now run on the sampler's: it is
 * large, but takes memory only as far as it is used. It has no guard page: that would be one more mapping for each thread, and
 * their number is limited.
 */
#include <linux/mman.h>
#include <linux/signal.h>

#include "port/os/linux/next.h"
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define STACK_BYTES (256ul << 10)

/* The thread's stack; null: none. A forked child keeps it. */
static __thread void *own_stack __attribute__((tls_model("initial-exec")));

static int (*real_sigaltstack)(const stack_t *, stack_t *);

static long set_stack(const stack_t *stack)
{
	return system_call3(__NR_sigaltstack, (long)stack, 0, 0);
}

static bool get_stack(stack_t *stack)
{
	return system_call3(__NR_sigaltstack, 0, (long)stack, 0) == 0;
}

static bool is_own(const stack_t *stack)
{
	return own_stack && !(stack->ss_flags & SS_DISABLE) && stack->ss_sp == own_stack;
}

void signal_stack_begin(void)
{
	stack_t stack;
	long page;

	if (!get_stack(&stack) || !(stack.ss_flags & SS_DISABLE))
		return;
	if (!own_stack) {
		page = system_mmap(0, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
		if ((unsigned long)page >= -4095ul)
			return;
		own_stack = (void *)page;
	}
	stack = (stack_t){.ss_sp = own_stack, .ss_size = STACK_BYTES};
	set_stack(&stack);
}

void signal_stack_end(void)
{
	static const stack_t none = {.ss_flags = SS_DISABLE};
	stack_t stack;

	if (!own_stack || !get_stack(&stack))
		return;
	/* The kernel refuses if the thread ends in a handler on this stack, which then stays. */
	if (is_own(&stack) && set_stack(&none) < 0)
		return;
	system_munmap(own_stack, STACK_BYTES);
	own_stack = 0;
}

void signal_stack_find_original(void)
{
	real_sigaltstack = (int (*)(const stack_t *, stack_t *))next_find("sigaltstack");
}

EXPORTED int sigaltstack(const stack_t *stack, stack_t *before);

int sigaltstack(const stack_t *stack, stack_t *before)
{
	stack_t was = {.ss_flags = SS_DISABLE};
	int result;

	if (!real_sigaltstack)
		return -1;
	result = real_sigaltstack(stack, &was);
	if (result < 0)
		return result;
	if (before)
		*before = is_own(&was) ? (stack_t){.ss_flags = SS_DISABLE} : was;
	if (stack && stack->ss_flags & SS_DISABLE && sampler_this_thread.tid)
		signal_stack_begin();
	return result;
}
