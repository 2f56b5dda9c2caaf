/* interrupts: whether a sample was taken while the kernel handled an interrupt.
 *
 * An interrupt has nothing to do with the thread that it interrupts. Often it ends with another thread on the processor; when this one
 * gets it back, it is still inside of the kernel's way back from that interrupt. The kernel's timer takes no sample while interrupts are
 * masked, as they are meanwhile: what was due then comes at the first instruction behind. With 20,000 such switches a second that was
 * 10 to 48 % of the samples of a program that only multiplies, and much of that time is in no count of the system's, or is spent on the
 * timer itself. So these samples are no part of a profile. A page fault, or a system call, is the thread's own doing, and stays one.
 *
 * It is told by the kernel's own callers: one of them is where the processor entered the kernel for an interrupt. */
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
	} *entries; /* code that the processor enters for an interrupt */
	size_t count, capacity;
};

/* Reads the kernel's symbols (kernel_names.h), up to where the code of entries ends: mostly some ninety lines. On kernels that have it
 * elsewhere it is all of them, a tenth of a second: so before anybody waits for samples to be taken from the kernel. */
void interrupts_read(struct interrupts *interrupts, const struct cpu *cpu, const char *table);
/* Whether the kernel's callers, innermost first, are of an interrupt. Without symbols it is never known: false. */
bool interrupts_has(const struct interrupts *interrupts, const struct perf_chain *kernel);
void interrupts_clear(struct interrupts *interrupts);

#endif
