/* SPDX-License-Identifier: MIT
 *
 * What the kernel keeps of a thread that a signal has interrupted, by processor.
 *
 *     CONTEXT_PC, CONTEXT_SP, CONTEXT_RESULT   of a context: where it was, its stack pointer, what a system call returned
 *     context_get_registers()                  by the numbers that unwind tables use; returns a bit for each
 *     CONTEXT_CALL_BYTES, context_is_call()    the instruction that calls the system
 */
#ifndef DWELL_TARGET_SAMPLER_CONTEXT_H
#define DWELL_TARGET_SAMPLER_CONTEXT_H

#include <linux/signal.h>
#include <asm/sigcontext.h>
#include <asm/ucontext.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#define CONTEXT_PC(context) ((context)->uc_mcontext.rip)
#define CONTEXT_SP(context) ((context)->uc_mcontext.rsp)
#define CONTEXT_RESULT(context) ((int64_t)(context)->uc_mcontext.rax)
#define CONTEXT_CALL_BYTES 2u
static inline uint32_t context_get_registers(const struct ucontext *context, uint64_t *to)
{
	const struct sigcontext *from = &context->uc_mcontext;
	const uint64_t values[16] = {from->rax, from->rdx, from->rcx, from->rbx, from->rsi, from->rdi, from->rbp, from->rsp, from->r8,
		from->r9, from->r10, from->r11, from->r12, from->r13, from->r14, from->r15};

	for (unsigned i = 0; i < 16; i++)
		to[i] = values[i];
	return 0xffff;
}
static inline bool context_is_call(const uint8_t *code)
{
	return code[0] == 0x0f && code[1] == 0x05;
}
#elif defined(__aarch64__)
#define CONTEXT_PC(context) ((context)->uc_mcontext.pc)
#define CONTEXT_SP(context) ((context)->uc_mcontext.sp)
#define CONTEXT_RESULT(context) ((int64_t)(context)->uc_mcontext.regs[0])
#define CONTEXT_CALL_BYTES 4u
static inline uint32_t context_get_registers(const struct ucontext *context, uint64_t *to)
{
	for (unsigned i = 0; i < 31; i++)
		to[i] = context->uc_mcontext.regs[i];
	to[31] = context->uc_mcontext.sp;
	return 0xffffffff;
}
static inline bool context_is_call(const uint8_t *code)
{
	return code[0] == 0x01 && code[1] == 0x00 && code[2] == 0x00 && code[3] == 0xd4;
}
#else
#error "context.h: what a signal leaves of this processor's registers is not known"
#endif

#endif
