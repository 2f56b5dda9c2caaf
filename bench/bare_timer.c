/* bare_timer HZ COMMAND ...: the command, interrupted so many times a second of its CPU time by a timer of the kernel's that keeps
 * nothing.
 *
 * What a sampler that is called by such timers costs at least: the way into the kernel and back, most of it on a virtual
 * machine. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	double hz = argc > 2 ? atof(argv[1]) : 0;
	struct perf_event_attr attr = {.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_type = PERF_SAMPLE_IP,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_hv = 1};

	if (hz < 1) {
		fprintf(stderr, "usage: bare_timer HZ COMMAND ...\n");
		return 2;
	}
	attr.sample_period = (unsigned long long)(1e9 / hz);
	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0) { /* no buffer: what it would tell goes nowhere */
		fprintf(stderr, "bare_timer: perf_event_open: %s\n", strerror(errno));
		return 1;
	}
	execvp(argv[2], argv + 2);
	fprintf(stderr, "bare_timer: %s: %s\n", argv[2], strerror(errno));
	return 127;
}
