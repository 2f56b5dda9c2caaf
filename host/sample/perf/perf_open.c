/* perf_open: fills in perf_event_attr, and opens perf events. */
#include "sample/perf/perf_open.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cpu/cpu.h"

/* The fields that the kernel appends to each record, in perf_decode.c's order. */
#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_PERIOD)

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	attr->size = sizeof *attr;
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static struct perf_event_attr common(const struct perf_kind_of_event *kind, bool on_exec)
{
	return (struct perf_event_attr){
		.sample_type = SAMPLE_TYPE,
		.sample_id_all = 1,
		.inherit = 1,
		.disabled = 1,
		.enable_on_exec = on_exec,
		.exclude_kernel = !kind->has_kernel,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

int perf_open_tracker(const struct perf_kind_of_event *kind, pid_t pid, int cpu, bool on_exec)
{
	struct perf_event_attr attr = common(kind, on_exec);

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.disabled = on_exec;
	attr.mmap = 1;
	attr.mmap2 = 1;
	attr.build_id = 1;
	attr.comm = 1;
	attr.comm_exec = 1;
	attr.task = 1;
	return open_event(&attr, pid, cpu);
}

uint64_t perf_open_period(double hz)
{
	return (uint64_t)(1e9 / hz);
}

int perf_open_sampler(
	const struct perf_kind_of_event *kind, const struct perf_open_sampler *sampler, pid_t pid, int cpu, bool on_exec)
{
	struct perf_event_attr attr = common(kind, on_exec);
	int fd;

	attr.type = kind->is_cycles ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
	attr.config = kind->is_cycles ? (uint64_t)PERF_COUNT_HW_CPU_CYCLES : (uint64_t)PERF_COUNT_SW_TASK_CLOCK;
	attr.precise_ip = kind->precise & 3;
	if (kind->is_cycles) {
		attr.freq = 1;
		attr.sample_freq = (uint64_t)(sampler->hz + 0.5);
	} else {
		attr.sample_period = perf_open_period(sampler->hz);
	}
	if (sampler->stack_bytes) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = cpu_perf_mask(cpu_native());
		attr.sample_stack_user = sampler->stack_bytes;
	}
	if (kind->has_kernel) {
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN; /* the kernel's own callers */
		attr.exclude_callchain_user = 1;
	}
	attr.read_format = PERF_FORMAT_LOST;
	fd = open_event(&attr, pid, cpu);
	if (fd >= 0 || errno != EINVAL)
		return fd;
	attr.read_format = 0; /* Linux before 6.0 */
	return open_event(&attr, pid, cpu);
}

bool perf_open_choose(struct perf_kind_of_event *kind, pid_t pid)
{
	const struct perf_open_sampler sampler = {.hz = 100, .stack_bytes = 1024};
	int error = 0;

	/* Tries the processor's own counter first, and first with the exact
	 * instruction where the counter ran out instead of a later one. */
	for (int cycles = 1; cycles >= 0; cycles--)
		for (int precise = cycles ? 2 : 0; precise >= 0; precise--)
			for (int kernel = 1; kernel >= 0; kernel--) {
				int fd;

				*kind = (struct perf_kind_of_event){cycles, (uint32_t)precise, kernel};
				fd = perf_open_sampler(kind, &sampler, pid, -1, false);
				if (fd >= 0) {
					close(fd);
					return true;
				}
				error = errno;
			}
	errno = error;
	return false;
}
