#include "record/clock_point.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <x86intrin.h>

uint32_t clock_point_machine(void)
{
	return 62; /* EM_X86_64 */
}

static uint64_t ticks(void)
{
	return __rdtsc();
}
#else
uint32_t clock_point_machine(void)
{
	return 0; /* the agents tell clock points */
}

static uint64_t ticks(void)
{
	return 0;
}
#endif

/* The first page of any perf event says how its time follows from the counter that the agents read. Any event will do. */
uint64_t clock_point_nominal_hz(void)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	const struct perf_event_mmap_page *page;
	uint64_t hz = 0;

	if (fd < 0)
		return 0;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		if (page->cap_user_time && page->time_mult && page->time_shift < 64 && clock_point_machine())
			hz = (uint64_t)(1e9 * (double)(1ull << page->time_shift) / (double)page->time_mult);
		munmap((void *)(uintptr_t)page, size);
	}
	close(fd);
	return hz;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

struct message_clock clock_point_read(void)
{
	struct message_clock point = {0};
	uint64_t width = UINT64_MAX;

	/* Of some tries the one that the fewest ticks went by in: nothing came in between. */
	for (int i = 0; i < 10; i++) {
		uint64_t before = ticks(), monotonic = clock_ns(CLOCK_MONOTONIC), after = ticks();

		if (after - before >= width)
			continue;
		width = after - before;
		point.ticks = before + width / 2;
		point.monotonic_ns = monotonic;
		point.unix_ns = clock_ns(CLOCK_REALTIME) - (clock_ns(CLOCK_MONOTONIC) - monotonic);
	}
	return point;
}
