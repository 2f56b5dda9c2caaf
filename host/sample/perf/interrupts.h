/* interrupts: finds out whether a sample was taken while the kernel handled an interrupt.
 *
 * An interrupt has nothing to do with the interrupted thread. Often the kernel gives the processor to another thread at the end of
 * an interrupt. When the first thread gets the processor back, the kernel is still returning from the interrupt. Interrupts are
 * masked during the return, so the kernel's timer takes no sample: a due sample comes at the first instruction behind. With 20,000
 * switches of this kind per second, 10 to 48 % of the samples of a program that only multiplies were such samples. Much of the time
 * is missing from the system's counts, or belongs to the timer. So a profile leaves these samples out. Samples in a page fault or a
 * system call stay, since the thread causes page faults and system calls.
 *
 * The kernel's callers show an interrupt: they include the place where the processor entered the kernel for the interrupt. */
#ifndef DWELL_HOST_SAMPLE_PERF_INTERRUPTS_H
#define DWELL_HOST_SAMPLE_PERF_INTERRUPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "sample/perf/perf_record.h"

/* Zero it before the first use, clear it after the last. */
struct interrupts {
	const struct cpu *cpu;
	struct interrupts_entry {
		uint64_t low, high;
	} *entries; /* the kernel's entries for interrupts */
	size_t count, capacity;
};

/* Reads the kernel's symbols (kernel_names.h), up to the end of the code of entries: mostly some ninety lines. On kernels with this
 * code elsewhere it reads all symbols, in a tenth of a second: call it before samples are taken from the kernel. */
void interrupts_read(struct interrupts *interrupts, const struct cpu *cpu, const char *table);
/* Whether the kernel's callers, innermost first, include an interrupt. Without symbols: false. */
bool interrupts_has(const struct interrupts *interrupts, const struct perf_chain *kernel);
void interrupts_clear(struct interrupts *interrupts);

#endif
