/* SPDX-License-Identifier: MIT
 *
 * Copies a sample of a thread: its registers and the innermost part of its stack. The reader finds the callers (host/unwind).
 */
#include "linux_signal.h"
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define PAGE 4096ul
#define EINTR 4
#define EFAULT 14

/* Whether a page can be read. The kernel reads eight bytes before it checks the invalid request (-1), so the call fails with EFAULT
 * if the page is unreadable, and changes nothing in any case. (process_vm_readv also reads a process's own memory without faults,
 * but systems that refuse perf events often refuse process_vm_readv, too.) */
static bool is_readable(uint64_t page)
{
	return system_call6(__NR_rt_sigprocmask, -1, (long)page, 0, 8, 0, 0) != -EFAULT;
}

/* Returns how many bytes from address upwards can be read, at most max. The first page is in use: it holds the stack pointer. */
static uint32_t measure(uint64_t address, uint32_t max)
{
	uint64_t end = address + max, page = (address | (PAGE - 1)) + 1;

	if (end < address)
		return 0;
	while (page < end && is_readable(page))
		page += PAGE;
	return (uint32_t)((page < end ? page : end) - address);
}

/* Whether the instruction at address is a system call. Its bytes share a page with code that has just run,
 * or lie in a readable page. */
static bool code_is_call(uint64_t address)
{
	return ((address & (PAGE - 1)) <= PAGE - CONTEXT_CALL_BYTES || is_readable((address | (PAGE - 1)) + 1)) &&
	       context_is_call((const uint8_t *)address);
}

/* The signal interrupted a system call if the call has returned EINTR, or if pc is at the call again because the kernel
 * will restart it. */
bool sample_was_waiting(const void *of)
{
	const struct ucontext *context = of;
	uint64_t pc = CONTEXT_PC(context);

	if (CONTEXT_RESULT(context) == -EINTR && (pc & (PAGE - 1)) >= CONTEXT_CALL_BYTES && code_is_call(pc - CONTEXT_CALL_BYTES))
		return true;
	return code_is_call(pc);
}

uint64_t sample_get_pc(const void *context)
{
	return CONTEXT_PC((const struct ucontext *)context);
}

void sample_take(uint64_t weight_ns, uint64_t now_ns, const void *of)
{
	const struct ucontext *context = of;
	struct dwell_sampler_sample sample;
	uint32_t max = sampler.shared->stack_bytes;
	struct record_part parts[2] = {{&sample, sizeof sample}, {0, 0}};

	max = max < DWELL_SAMPLER_STACK_BYTES_MAX ? max : DWELL_SAMPLER_STACK_BYTES_MAX; /* the program may have overwritten it */
	for (unsigned i = 0; i < DWELL_SAMPLER_REGISTERS; i++)
		sample.registers[i] = 0;
	sample.weight_ns = weight_ns;
	sample.pc = CONTEXT_PC(context);
	sample.stack_pointer = CONTEXT_SP(context);
	sample.known = context_get_registers(context, sample.registers);
	sample.stack_bytes = max ? measure(sample.stack_pointer, max) : 0;
	parts[1] = (struct record_part){(const void *)sample.stack_pointer, sample.stack_bytes};
	records_append(DWELL_SAMPLER_SAMPLE, now_ns, parts, 2);
}
