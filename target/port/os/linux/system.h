/* SPDX-License-Identifier: MIT
 *
 * System calls without libc: the calls leave errno alone, no library can interpose the calls, and no cancellation can interrupt a
 * call half-way. A function without a comment of its own returns what the kernel returns: the result or −errno.
 *
 * Besides cpu.h (port.h), Linux needs two more headers in the processor's folder of port/cpu. linux.h must give
 *
 *   long system_call6(long number, long a, long b, long c, long d, long e, long f)
 *   LINUX_IS_SLOT(type)
 *       Whether a relocation of this type (elf.h) fills a word with the address of a function.
 *   LINUX_RETURN_BYTES
 *       How many bytes a call pushes: the size of the return address, or 0.
 *   LINUX_INTERPOSED(do)
 *       do(name) for each function of libc that the agent interposes on this processor alone.
 *
 * linux.h may give LINUX_OWN_COPY and linux_copy(to, from, bytes); and LINUX_OWN_VECTORS, struct linux_vectors,
 * linux_save_vectors(struct linux_vectors *) and linux_restore_vectors(const struct linux_vectors *), if hooks are called while
 * registers hold values that libc's code changes and the agent's does not. linux_signal.h must give
 *
 *   CONTEXT_PC, CONTEXT_SP, CONTEXT_RESULT
 *       Of the kernel's ucontext of a thread that a signal has interrupted: its instruction, its stack pointer, the result of a
 *       system call.
 *   uint32_t context_get_registers(const struct ucontext *context, uint64_t *to)
 *       Stores the registers with numbers below 32 in unwind tables, by number; returns a bit for each.
 *   CONTEXT_CALL_BYTES, bool context_is_call(const uint8_t *code)
 *       The instruction of a system call: its size, and whether code is one.
 *   SIGNAL_RESTORER, SIGNAL_DEFINE_RESTORE(name)
 *       A flag of sigaction(2), and a definition of the restorer function; 0 and an empty one if the kernel needs none.
 */
#ifndef DWELL_LINUX_SYSTEM_H
#define DWELL_LINUX_SYSTEM_H

#include <asm/unistd.h>
#include <stdbool.h>
#include <stdint.h>

#include "linux.h"

static inline long system_call3(long number, long a, long b, long c)
{
	return system_call6(number, a, b, c, 0, 0, 0);
}

static inline int system_open_rw(const char *path)
{
	return (int)system_call6(__NR_openat, -100 /* AT_FDCWD */, (long)path, 2 | 02000000 /* O_RDWR | O_CLOEXEC */, 0, 0, 0);
}
static inline int system_open_ro(const char *path)
{
	return (int)system_call6(__NR_openat, -100, (long)path, 02000000, 0, 0, 0);
}
static inline void system_close(int fd)
{
	system_call3(__NR_close, fd, 0, 0);
}
static inline long system_read(int fd, void *buffer, uint64_t size)
{
	return system_call3(__NR_read, fd, (long)buffer, (long)size);
}
static inline long system_pread(int fd, void *buffer, uint64_t size, uint64_t offset)
{
	return system_call6(__NR_pread64, fd, (long)buffer, (long)size, (long)offset, 0, 0);
}
static inline long system_pwrite(int fd, const void *buffer, uint64_t size, uint64_t offset)
{
	return system_call6(__NR_pwrite64, fd, (long)buffer, (long)size, (long)offset, 0, 0);
}
/* Returns an address, or −errno as a value above −4096. */
static inline long system_mmap(void *address, uint64_t size, int protection, int flags, int fd)
{
	return system_call6(__NR_mmap, (long)address, (long)size, protection, flags, fd, 0);
}
static inline long system_mmap_at(void *address, uint64_t size, int protection, int flags, int fd, uint64_t offset)
{
	return system_call6(__NR_mmap, (long)address, (long)size, protection, flags, fd, (long)offset);
}
/* Moves a mapping to wherever there is room. size 0: keeps the mapping, and makes one more of the same file from that page on.
 * Returns the new address, or −errno. */
static inline long system_mremap(void *address, uint64_t size, uint64_t new_size)
{
	return system_call6(__NR_mremap, (long)address, (long)size, (long)new_size, 1 /* MREMAP_MAYMOVE */, 0, 0);
}
static inline long system_munlock(void *address, uint64_t size)
{
	return system_call3(__NR_munlock, (long)address, (long)size, 0);
}
static inline long system_mprotect(void *address, uint64_t size, int protection)
{
	return system_call3(__NR_mprotect, (long)address, (long)size, protection);
}
static inline long system_munmap(void *address, uint64_t size)
{
	return system_call3(__NR_munmap, (long)address, (long)size, 0);
}
static inline long system_madvise(void *address, uint64_t size, int advice)
{
	return system_call3(__NR_madvise, (long)address, (long)size, advice);
}
static inline uint32_t system_pid(void)
{
	return (uint32_t)system_call3(__NR_getpid, 0, 0, 0);
}
static inline uint32_t system_parent_pid(void)
{
	return (uint32_t)system_call3(__NR_getppid, 0, 0, 0);
}
static inline uint32_t system_tid(void)
{
	return (uint32_t)system_call3(__NR_gettid, 0, 0, 0);
}
/* A zombie counts as existing. */
static inline bool system_thread_exists(uint32_t pid, uint32_t tid)
{
	return system_call3(__NR_tgkill, pid, tid, 0) != -3 /* ESRCH */;
}
static inline bool system_process_exists(uint32_t pid)
{
	return system_call3(__NR_kill, pid, 0, 0) != -3;
}
static inline long system_readlink(const char *path, char *buffer, uint64_t size)
{
	return system_call6(__NR_readlinkat, -100, (long)path, (long)buffer, (long)size, 0, 0);
}
/* Returns the last number in a link of /proc, such as "12/task/13": the task's number in the namespace for which
 * /proc is mounted. 0: none. */
static inline uint32_t system_read_number(const char *path)
{
	char link[40];
	long got = system_readlink(path, link, sizeof link);
	uint32_t number = 0;

	for (long i = 0; i < got; i++)
		number = link[i] >= '0' && link[i] <= '9' ? number * 10 + (uint32_t)(link[i] - '0') : 0;
	return number;
}
/* Copies bytes between mine and the address theirs in this very process. Returns the number of copied bytes, or −errno; memory
 * missing at theirs is −EFAULT and not a fault. call: __NR_process_vm_readv (to mine) or _writev (to theirs). pid: the process, or
 * any of its threads. */
static inline long system_process_vm(long call, uint32_t pid, void *mine, uint64_t theirs, uint64_t bytes)
{
	uint64_t local[2] = {(uint64_t)mine, bytes}, remote[2] = {theirs, bytes};

	return system_call6(call, pid, (long)local, 1, (long)remote, 1, 0);
}
/* Returns the length with the final zero, or −errno. */
static inline long system_getcwd(char *path, uint64_t size)
{
	return system_call3(__NR_getcwd, (long)path, (long)size, 0);
}
/* Stores the running thread's name: sixteen bytes, zero-terminated. */
static inline void system_thread_name(char *name)
{
	system_call3(__NR_prctl, 16 /* PR_GET_NAME */, (long)name, 0);
}
/* Blocks all of the thread's signals that can be blocked; returns the mask from before. */
static inline uint64_t system_block_signals(void)
{
	uint64_t all = ~0ull, before = 0;

	system_call6(__NR_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&all, (long)&before, sizeof all, 0, 0);
	return before;
}
static inline void system_restore_signals(uint64_t mask)
{
	system_call6(__NR_rt_sigprocmask, 2, (long)&mask, 0, sizeof mask, 0, 0);
}
/* pre: ns is below a second. A signal ends the sleep. */
static inline void system_sleep_ns(uint32_t ns)
{
	int64_t time[2] = {0, ns};

	system_call3(__NR_nanosleep, (long)time, 0, 0);
}
/* Sleeps while *word is value, for at most ns; any process that maps the word may change and wake it. A signal ends the sleep.
 * False: the kernel does not support this. pre: ns is below a second. */
static inline bool system_sleep_on(volatile uint32_t *word, uint32_t value, uint32_t ns)
{
	int64_t time[2] = {0, ns};
	long result = system_call6(__NR_futex, (long)word, 0 /* FUTEX_WAIT */, value, (long)time, 0, 0);

	return result == 0 || result == -4 /* EINTR */ || result == -11 /* EAGAIN */ || result == -110 /* ETIMEDOUT */;
}
/* Returns nanoseconds of CLOCK_REALTIME (0) or CLOCK_MONOTONIC (1). */
static inline uint64_t system_clock_ns(int clock)
{
	int64_t time[2] = {0, 0};

	system_call3(__NR_clock_gettime, clock, (long)time, 0);
	return (uint64_t)time[0] * 1000000000u + (uint64_t)time[1];
}

#endif
