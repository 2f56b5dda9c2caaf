/* SPDX-License-Identifier: MIT
 *
 * Linux on AArch64: signal contexts. port/os/linux/system.h documents each item.
 */
#ifndef DWELL_PORT_CPU_LINUX_SIGNAL_H
#define DWELL_PORT_CPU_LINUX_SIGNAL_H

#include <linux/signal.h>
#include <asm/sigcontext.h>
#include <asm/ucontext.h>
#include <stdbool.h>
#include <stdint.h>

#define CONTEXT_PC(context) ((context)->uc_mcontext.pc)
#define CONTEXT_SP(context) ((context)->uc_mcontext.sp)
#define CONTEXT_RESULT(context) ((int64_t)(context)->uc_mcontext.regs[0])

static inline uint32_t context_get_registers(const struct ucontext *context, uint64_t *to)
{
	for (unsigned i = 0; i < 31; i++)
		to[i] = context->uc_mcontext.regs[i];
	to[31] = context->uc_mcontext.sp;
	return 0xffffffff;
}

#define CONTEXT_CALL_BYTES 4u
static inline bool context_is_call(const uint8_t *code)
{
	return code[0] == 0x01 && code[1] == 0x00 && code[2] == 0x00 && code[3] == 0xd4;
}

/* The kernel has its own code for sigreturn. */
#define SIGNAL_RESTORER 0u
#define SIGNAL_DEFINE_RESTORE(name) static void name(void) {}

#endif
