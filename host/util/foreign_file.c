/* foreign_file: opens regular files only (foreign_file.h). */
#include "util/foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Checks before opening, because opening a device has effects; and again, because the path may lead elsewhere meanwhile.
 * O_NONBLOCK: a pipe that appears meanwhile cannot hang dwell. Regular files are not affected. */
static int open_regular(const char *path, int flags, struct stat *info)
{
	int fd, found = flags & O_NOFOLLOW ? lstat(path, info) : stat(path, info);

	if (found < 0)
		return -1;
	fd = S_ISREG(info->st_mode) ? open(path, flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	if (fd < 0 || fstat(fd, info) < 0 || !S_ISREG(info->st_mode)) {
		int problem = S_ISREG(info->st_mode) ? errno : 0;

		if (fd >= 0)
			close(fd);
		errno = problem;
		return -1;
	}
	return fd;
}

int foreign_file_open(const char *path, struct stat *info)
{
	struct stat unused;

	return open_regular(path, 0, info ? info : &unused);
}

int foreign_file_open_unlinked(const char *path, struct stat *info)
{
	struct stat unused;

	return open_regular(path, O_NOFOLLOW, info ? info : &unused);
}

const char *foreign_file_kind(const struct stat *info)
{
	return S_ISDIR(info->st_mode)	 ? "a directory"
	       : S_ISFIFO(info->st_mode) ? "a pipe"
	       : S_ISSOCK(info->st_mode) ? "a socket"
	       : S_ISLNK(info->st_mode)	 ? "a symbolic link"
					 : "a device";
}

const char *foreign_file_problem(const struct stat *info)
{
	static _Thread_local char text[32];

	if (errno)
		return strerror(errno);
	snprintf(text, sizeof text, "it is %s", foreign_file_kind(info));
	return text;
}
