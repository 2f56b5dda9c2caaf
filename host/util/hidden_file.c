/* hidden_file: opens and renames files that are not visible yet (hidden_file.h). */
#include "util/hidden_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the temporary name FILE.PID~. Null: out of memory. */
static char *make_name(const char *path)
{
	char *name;

	return asprintf(&name, "%s.%ld~", path, (long)getpid()) < 0 ? NULL : name;
}

/* Returns the folder of path. Null: out of memory. */
static char *make_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == path ? strdup("/") : slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
}

int hidden_file_open(const char *path, int flags, char **temporary)
{
	char *folder = make_folder(path);
	int fd = folder ? open(folder, flags | O_TMPFILE | O_CLOEXEC, 0666) : -1;

	free(folder);
	*temporary = NULL;
	/* Ignores the error: file systems without O_TMPFILE report different errors, and to
	 * open a file with a name, below, fails for the same problems of the folder. */
	if (fd >= 0)
		return fd;
	*temporary = make_name(path);
	fd = *temporary ? open(*temporary, flags | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666) : -1;
	if (fd < 0) {
		int error = errno;

		free(*temporary);
		*temporary = NULL;
		errno = error;
	}
	return fd;
}

/* Gives a nameless file the temporary name of make_name. */
static bool name_file(int fd, const char *path, char **name)
{
	char own[32];
	int error;

	snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
	*name = make_name(path);
	if (*name && linkat(AT_FDCWD, own, AT_FDCWD, *name, AT_SYMLINK_FOLLOW) == 0)
		return true;
	error = errno;
	free(*name);
	*name = NULL;
	errno = error;
	return false;
}

bool hidden_file_publish(int fd, const char *path, const char *temporary)
{
	char *name = NULL;
	bool appeared;
	int error;

	if (temporary)
		return rename(temporary, path) == 0;
	if (!name_file(fd, path, &name))
		return false;
	appeared = rename(name, path) == 0;
	error = errno;
	if (!appeared)
		unlink(name);
	free(name);
	errno = error;
	return appeared;
}

void hidden_file_drop(char *temporary)
{
	if (temporary)
		unlink(temporary); /* an appeared file no longer has this name */
	free(temporary);
}
