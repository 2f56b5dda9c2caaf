/* SPDX-License-Identifier: MIT
 *
 * Linux on x86-64: system calls, relocations, vector registers. port/os/linux/system.h documents each item.
 */
#ifndef DWELL_PORT_CPU_LINUX_H
#define DWELL_PORT_CPU_LINUX_H

#include <stdint.h>

static inline long system_call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#define LINUX_IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#define LINUX_RETURN_BYTES 8
#define LINUX_INTERPOSED(do) do(makecontext) do(vfork) do(syscall) /* interpose.S */

/* At a patched site, vector registers hold arguments and results, and libc's code uses the registers that are older than AVX. */
#define LINUX_OWN_VECTORS
struct linux_vectors {
	unsigned char bytes[512];
} __attribute__((aligned(16)));
static inline void linux_save_vectors(struct linux_vectors *vectors)
{
	__asm__ volatile("fxsave64 %0" : "=m"(*vectors));
}
static inline void linux_restore_vectors(const struct linux_vectors *vectors)
{
	__asm__ volatile("fxrstor64 %0" : : "m"(*vectors));
}

#define LINUX_OWN_COPY
static inline void linux_copy(unsigned char *to, const unsigned char *from, uint64_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

#endif
