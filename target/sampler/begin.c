/* SPDX-License-Identifier: MIT
 *
 * Starts the sampler in a process: joins the memory that `dwell record` shares, and records the process and its forks there.
 */
#include <linux/mman.h>

#include "port/os/linux/environment.h"
#include "port/os/linux/next.h"
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

struct sampler sampler HIDDEN;

extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso) __attribute__((weak));

/* Maps the memory that path names. Checks the header first: path may name another kind of recording, or by now an unrelated file.
 * Null: the file is not the memory of a sampler, or recording is over. */
static struct dwell_sampler *map_shared(const char *path)
{
	struct dwell_sampler header = {0};
	int fd = system_open_rw(path);
	uint64_t bytes;
	long address;

	if (fd < 0)
		return 0;
	if (system_pread(fd, &header, sizeof header, 0) != sizeof header || header.magic != DWELL_SAMPLER_MAGIC ||
		header.version != DWELL_SAMPLER_VERSION || header.closed || header.data_bytes < DWELL_SAMPLER_UNIT ||
		header.data_bytes > UINT32_MAX || header.data_bytes & (header.data_bytes - 1) ||
		header.period_ns < DWELL_SAMPLER_PERIOD_MIN_NS || header.period_ns > DWELL_SAMPLER_PERIOD_MAX_NS) {
		system_close(fd);
		return 0;
	}
	sampler.data_bytes = header.data_bytes;
	sampler.period_ns = header.period_ns;
	bytes = DWELL_SAMPLER_DATA_OFFSET + header.data_bytes;
	address = system_mmap(0, bytes, 3, MAP_SHARED | MAP_NORESERVE, fd);
	system_close(fd);
	return (unsigned long)address >= -4095ul ? 0 : (struct dwell_sampler *)address;
}

/* Returns the kernel's tick: the step of the coarse clock. */
static uint64_t measure_tick(void)
{
	int64_t time[2] = {0, 4000000};

	system_call3(__NR_clock_getres, 6 /* CLOCK_MONOTONIC_COARSE */, (long)time, 0);
	return (uint64_t)time[1];
}

/* Records that a program begins in this process. parent_pid 0: unknown. forked: the process is a fork of a sampled one. */
static void append_begin(uint32_t parent_pid, bool forked)
{
	struct dwell_sampler_begin begin = {parent_pid, forked, {0}};
	const struct record_part part = {&begin, sizeof begin};

	system_thread_name(begin.name);
	records_append(DWELL_SAMPLER_BEGIN, system_clock_ns(1), &part, 1);
}

/* The parent may end before the child runs. So the parent counts the fork in advance. */
static void before_fork(void)
{
	if (sampler.shared)
		__atomic_add_fetch(&sampler.shared->forks, 1, __ATOMIC_RELEASE);
}

/* Runs in the child of a fork: records the child as a process of its own, and samples its only thread. */
static void after_fork(void)
{
	uint32_t parent = sampler.number; /* if the parent is gone by now, the kernel gives another number */

	if (!sampler.shared)
		return;
	numbers_begin();
	if (!sampler.shared->closed) {
		__atomic_add_fetch(&sampler.shared->processes, 1, __ATOMIC_RELAXED);
		sampler_this_thread.tid = 0;
		append_begin(parent, true);
		thread_begin_child();
	}
	__atomic_add_fetch(&sampler.shared->forks_reported, 1, __ATOMIC_RELEASE);
}

/* Runs when the library is loaded. Without a session the wrappers of libc's functions must work, too: so it finds the originals
 * first. */
__attribute__((constructor(101))) static void begin(int argc, char **argv, char **envp)
{
	const char *path = next_is_glibc() ? environment_session(argc, argv, envp) : 0;

	signals_find_originals();
	waits_begin();
	signal_stack_find_original();
	if (!path || !(sampler.shared = map_shared(path)))
		return;
	numbers_begin();
	sampler.tick_ns = measure_tick();
	sampler.cpu_timer_suffices = sampler.period_ns >= sampler.tick_ns;
	__atomic_add_fetch(&sampler.shared->processes, 1, __ATOMIC_RELAXED);
	signals_begin();
	append_begin(sampler.number == sampler.pid ? system_parent_pid() : 0, false);
	maps_append(system_clock_ns(1));
	thread_begin();
	if (&__register_atfork)
		__register_atfork(before_fork, 0, after_fork, &sampler);
}
