/* SPDX-License-Identifier: MIT
 *
 * Keeps descriptors of record's files for the next program; see held.h.
 */
#include "port/os/linux/held.h"

#include <linux/fcntl.h>
#include <linux/stat.h>
#include <stdint.h>

#include "port/os/linux/system.h"

#define HELD_MAX 64 /* record's descriptors have small numbers */
#define CLOEXEC 1

static long control(int fd, int what, long value)
{
	return system_call3(__NR_fcntl, fd, what, value);
}

/* Returns N of "/proc/PID/fd/N" or "/proc/PID/fd/N:FILE". −1: the name has another form, or N is HELD_MAX or more. */
static int number_in(const char *name)
{
	const char *digits = name;
	int number = 0;

	while (*name && *name != ':') {
		if (*name++ == '/')
			digits = name;
	}
	for (; *digits >= '0' && *digits <= '9' && number < HELD_MAX; digits++)
		number = number * 10 + *digits - '0';
	return digits == name && number < HELD_MAX ? number : -1;
}

/* Opens /proc/PID/fd/N of the name, without a colon and the file behind the colon. */
static int open_name(const char *name, bool writes)
{
	char path[32];
	unsigned n = 0;

	while (name[n] && name[n] != ':' && n + 1 < sizeof path) {
		path[n] = name[n];
		n++;
	}
	path[n] = 0;
	return writes ? system_open_rw(path) : system_open_ro(path);
}

/* Inodes of the held files: a program may use the number for another file. */
static uint64_t inodes[HELD_MAX];

static uint64_t inode_of(int fd)
{
	struct statx file;

	return system_call6(__NR_statx, fd, (long)"", AT_EMPTY_PATH, STATX_INO, (long)&file, 0) < 0 ? 0 : file.stx_ino;
}

static bool is_held(int number)
{
	return number >= 0 && inodes[number] && inode_of(DWELL_HELD + number) == inodes[number];
}

static void hold(int number, int fd)
{
	/* A descriptor that has the number already is the program's, or was held before. */
	long held = control(DWELL_HELD + number, F_GETFD, 0) < 0 ? control(fd, F_DUPFD_CLOEXEC, DWELL_HELD + number) : -1;

	if (held >= 0 && held != DWELL_HELD + number)
		system_close((int)held);
	else if (held >= 0)
		inodes[number] = inode_of(fd);
}

int held_open(const char *name, bool writes, bool keeps)
{
	int fd = open_name(name, writes), number = number_in(name);
	long held;

	if (number < 0 || (fd >= 0 && !keeps))
		return fd;
	if (fd >= 0) {
		hold(number, fd);
		return fd;
	}
	held = control(DWELL_HELD + number, F_DUPFD_CLOEXEC, 0);
	if (held < 0)
		return fd;
	if (keeps) { /* held_pass_on made the exec that started this program keep the descriptor: the next exec closes it again */
		control(DWELL_HELD + number, F_SETFD, CLOEXEC);
		inodes[number] = inode_of((int)held);
	}
	return (int)held;
}

bool held_pass_on(const char *name)
{
	int fd = open_name(name, false);

	if (fd >= 0) {
		system_close(fd);
		return true;
	}
	/* All held files: the next program reads the names of the others in the session, and cannot open these names, either. */
	for (int i = 0; i < HELD_MAX; i++)
		if (is_held(i))
			control(DWELL_HELD + i, F_SETFD, 0);
	return is_held(number_in(name));
}
