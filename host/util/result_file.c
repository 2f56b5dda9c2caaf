/* result_file: opens and completes an output file (result_file.h). */
#include "util/result_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/hidden_file.h"
#include "util/stream.h"

static bool refuse(const char *path, struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be written: %s", strerror(errno));
	return false;
}

bool result_file_open(struct result_file *file, const char *path, struct diag *diag)
{
	struct stat info;
	bool exists;
	int fd;

	*file = (struct result_file){.out = stdout, .name = "standard output"};
	if (!path || !strcmp(path, "-"))
		return true;
	file->name = path;
	exists = stat(path, &info) == 0;
	if (exists && !S_ISREG(info.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	} else {
		file->path = exists ? realpath(path, NULL) : strdup(path); /* replaces the target of a link, not the link */
		fd = file->path ? hidden_file_open(file->path, O_WRONLY, &file->temporary) : -1;
	}
	file->out = fd < 0 ? NULL : fdopen(fd, "w");
	if (file->out)
		return true;
	refuse(path, diag);
	if (fd >= 0)
		close(fd);
	hidden_file_drop(file->temporary);
	free(file->path);
	return false;
}

bool result_file_close(struct result_file *file, bool good, struct diag *diag)
{
	if (!file->out || file->out == stdout)
		return good;
	good = stream_finish(file->out, 0, file->name, diag) && good;
	if (good && file->path && !hidden_file_publish(fileno(file->out), file->path, file->temporary))
		good = refuse(file->name, diag);
	fclose(file->out);
	hidden_file_drop(file->temporary);
	free(file->path);
	return good;
}
