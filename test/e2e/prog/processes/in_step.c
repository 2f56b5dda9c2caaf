/* in_step PERIOD_NS SECONDS [wall]: in_tenth has the first tenth of each period, in_rest the rest, of the time by which the kernel's
 * samplers go: the clock that perf events of this thread run by. What other programs do to this one moves it out of step less than one that
 * goes by any other clock. With wall it is the clock on the wall, as a display has. Status 77: there is no such clock here. */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;

__attribute__((noinline)) static void in_tenth(int loops)
{
	while (loops--)
		sink = sink * 6364136223846793005u + 1;
}

__attribute__((noinline)) static void in_rest(int loops)
{
	while (loops--)
		sink = sink * 2862933555777941757u + 3;
}

static int clock_fd = -1; /* −1: the clock on the wall */

static int read_clock(uint64_t *ns)
{
	struct timespec time;

	if (clock_fd >= 0)
		return read(clock_fd, ns, sizeof *ns) == sizeof *ns;
	clock_gettime(CLOCK_MONOTONIC, &time);
	*ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
	return 1;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1, .exclude_hv = 1};
	uint64_t begin, ns = 0, period = strtoull(argc > 1 ? argv[1] : "1000000", NULL, 10);
	double seconds = argc > 2 ? atof(argv[2]) : 1;

	if (argc < 4 && (clock_fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0)) < 0)
		return 77;
	read_clock(&begin);
	while (read_clock(&ns) && (double)(ns - begin) < seconds * 1e9)
		(ns % period < period / 10 ? in_tenth : in_rest)(4000);
	return 0;
}
