/* SPDX-License-Identifier: MIT
 *
 * Finds the numbers that `dwell record` uses for this process and its threads, and the difference of the clocks: in a PID or time
 * namespace of its own, a process has other values.
 */
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

/* Reads the last number in a link of /proc: the PID of /proc/self, or the TID of /proc/thread-self ("PID/task/TID"). Returns own if
 * the link has no number or cannot be read. The process has opened the session as
 * /proc/PID/fd/N with record's PID, so this /proc belongs to record's namespace. */
static uint32_t read_link(const char *path, uint32_t own)
{
	uint32_t number = system_read_number(path);

	return number ? number : own;
}

/* Returns the offset of the monotonic clock in this time namespace, in ns. Reads the line "monotonic 864000 0": seconds, which may
 * be negative, and nanoseconds. Returns 0 if the file is missing, or starts with another line, or if the offset is too large. */
static int64_t read_clock_offset(void)
{
	static const char name[] = "monotonic";
	char text[128];
	int fd = system_open_ro("/proc/self/timens_offsets");
	long got = fd < 0 ? 0 : system_pread(fd, text, sizeof text, 0), at = 0;
	int64_t numbers[2] = {0, 0};
	bool negative = false;

	if (fd >= 0)
		system_close(fd);
	for (; name[at]; at++)
		if (at >= got || text[at] != name[at])
			return 0;
	for (unsigned i = 0; i < 2; i++) {
		while (at < got && text[at] == ' ')
			at++;
		negative |= at < got && text[at] == '-';
		at += at < got && text[at] == '-';
		for (; at < got && text[at] >= '0' && text[at] <= '9' && numbers[i] < INT64_MAX / 20; at++)
			numbers[i] = numbers[i] * 10 + text[at] - '0';
	}
	if (numbers[0] > INT64_MAX / 2000000000)
		return 0;
	return (negative ? -numbers[0] : numbers[0]) * 1000000000 + numbers[1];
}

void numbers_begin(void)
{
	sampler.pid = system_pid();
	sampler.number = read_link("/proc/self", sampler.pid);
	sampler.clock_ahead_ns = read_clock_offset() - sampler.shared->clock_offset_ns;
}

uint32_t numbers_thread(uint32_t tid)
{
	return sampler.number == sampler.pid ? tid : read_link("/proc/thread-self", tid);
}
