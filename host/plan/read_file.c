/* read_file: reads a whole file into memory (read_file.h). */
#include "plan/read_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/foreign_file.h"

#define FILE_BYTES_MAX (UINT64_C(1) << 32)

static bool read_all(int fd, uint8_t *to, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = read(fd, to + done, bytes - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got ? errno : EIO;
			return false;
		}
		done += (size_t)got;
	}
	return true;
}

bool plan_read_open(int fd, struct bytes *file)
{
	struct stat status;
	uint8_t *memory;

	if (fstat(fd, &status))
		return false;
	if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size > FILE_BYTES_MAX) {
		errno = S_ISDIR(status.st_mode) ? EISDIR : EFBIG;
		return false;
	}
	memory = malloc((size_t)status.st_size + 1);
	if (!memory || !read_all(fd, memory, (size_t)status.st_size)) {
		free(memory);
		return false;
	}
	*file = (struct bytes){memory, (size_t)status.st_size};
	return true;
}

bool plan_read_file(const char *path, struct bytes *file, struct diag *diag)
{
	struct stat info;
	int fd = foreign_file_open(path, &info);
	bool good = fd >= 0 && plan_read_open(fd, file);

	if (!good && diag)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be read: %s", foreign_file_problem(&info));
	if (fd >= 0)
		close(fd);
	return good;
}
