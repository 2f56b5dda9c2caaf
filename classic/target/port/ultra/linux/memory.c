/* SPDX-License-Identifier: MIT
 *
 * Reads the program's memory through the kernel, so a closed library or a freed buffer is an error and no crash. */
#include "port/os/linux/system.h"
#include "classic/target/port/ultra/port.h"

bool ultra_port_read(uintptr_t from, uint8_t *to, uint32_t bytes)
{
	static uint32_t of;
	static int fd;

	/* A child of fork has its own file. */
	if (of != system_pid()) {
		of = system_pid();
		fd = system_open_ro("/proc/self/mem");
	}
	if (fd >= 0)
		return system_pread(fd, to, bytes, from) == (long)bytes;
	/* Fallback: the process may not be read, or /proc is missing. */
	for (uint32_t i = 0; i < bytes; i++)
		to[i] = ((const volatile uint8_t *)from)[i];
	return true;
}
