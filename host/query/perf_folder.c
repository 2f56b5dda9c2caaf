#include "query/perf_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/foreign_file.h"

static bool has_magic(const char *path)
{
	int fd = foreign_file_open(path, NULL);
	char magic[8];
	bool has = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic && !memcmp(magic, "PERFILE2", sizeof magic);

	if (fd >= 0)
		close(fd);
	return has;
}

bool perf_folder_is(const char *path)
{
	char *head;
	bool is;

	if (asprintf(&head, "%s/data", path) < 0)
		return false;
	is = has_magic(head);
	free(head);
	return is;
}
