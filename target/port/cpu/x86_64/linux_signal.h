/* SPDX-License-Identifier: MIT
 *
 * Linux on x86-64: signal contexts. port/os/linux/system.h documents each item.
 */
#ifndef DWELL_PORT_CPU_LINUX_SIGNAL_H
#define DWELL_PORT_CPU_LINUX_SIGNAL_H

#include <linux/signal.h>
#include <asm/sigcontext.h>
#include <asm/ucontext.h>
#include <stdbool.h>
#include <stdint.h>

#define CONTEXT_PC(context) ((context)->uc_mcontext.rip)
#define CONTEXT_SP(context) ((context)->uc_mcontext.rsp)
#define CONTEXT_RESULT(context) ((int64_t)(context)->uc_mcontext.rax)

static inline uint32_t context_get_registers(const struct ucontext *context, uint64_t *to)
{
	const struct sigcontext *from = &context->uc_mcontext;
	const uint64_t values[16] = {from->rax, from->rdx, from->rcx, from->rbx, from->rsi, from->rdi, from->rbp, from->rsp,
		from->r8, from->r9, from->r10, from->r11, from->r12, from->r13, from->r14, from->r15};

	for (unsigned i = 0; i < 16; i++)
		to[i] = values[i];
	return 0xffff;
}

#define CONTEXT_CALL_BYTES 2u
static inline bool context_is_call(const uint8_t *code)
{
	return code[0] == 0x0f && code[1] == 0x05;
}

/* The kernel requires a restorer function from the program. Unwinders without a table for this function recognise its code. */
#define SIGNAL_RESTORER 0x04000000u /* SA_RESTORER */
#define SIGNAL_DEFINE_RESTORE(name)                        \
	void name(void) __attribute__((visibility("hidden"))); \
	__asm__(".text\n.type " #name ", @function\n" #name ":\n\tmov $15, %rax\n\tsyscall\n.size " #name ", . - " #name "\n")

#endif
