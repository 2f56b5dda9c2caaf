/* SPDX-License-Identifier: MIT */
#include "classic/target/port/ultra/linux/wake.h"

#include <linux/time.h>

#include "port/os/linux/system.h"
#include "classic/target/port/ultra/port.h"
#include "classic/target/recorder/histogram/server.h"

#define CLOSE_ON_EXEC 02000000
#define WAIT_NS 1000000 /* a flush looks at the time this often */
#define WAKE_ALL 0x7fffffff

/* A timer, because setting a timer harms no other file: a program that closes all its descriptors may get this number again. */
static int timer = -1;

/* ns: from now on; 0: the timer is off, and not readable. */
static bool set(int fd, int64_t ns)
{
	const struct {
		int64_t again_s, again_ns, s, ns;
	} time = {.ns = ns};

	return system_call6(__NR_timerfd_settime, fd, 0, (long)&time, 0, 0, 0) == 0;
}

void ultra_wake_begin(void)
{
	timer = (int)system_call3(__NR_timerfd_create, CLOCK_MONOTONIC, CLOSE_ON_EXEC, 0);
}

int ultra_wake_fd(void)
{
	return timer;
}

bool ultra_wake_heard(int fd)
{
	return set(fd, 0);
}

void ultra_wake_flush(void)
{
	system_call3(__NR_futex, (long)&dwell_histogram_server.flushed, 1 /* FUTEX_WAKE */, WAKE_ALL);
}

void ultra_port_wait(void)
{
	uint32_t flushed = dwell_histogram_server.flushed;

	if (flushed == dwell_histogram_server.flush)
		return;
	set(timer, 1);
	system_sleep_on(&dwell_histogram_server.flushed, flushed, WAIT_NS);
}
