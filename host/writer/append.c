/* append: see append.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writer/append.h"

bool append_open(struct append_file *file, const char *path, struct diag *diag)
{
	struct stat stat;

	*file = (struct append_file){.fd = -1, .diag = diag};
	file->name = strdup(path);
	if (!file->name) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be created: out of memory");
		return false;
	}
	file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	if (file->fd < 0 || fstat(file->fd, &stat) < 0) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be created: %s", strerror(errno));
		append_close(file);
		return false;
	}
	file->seekable = S_ISREG(stat.st_mode);
	return true;
}

void append_close(struct append_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	free(file->name);
	file->name = NULL;
}

/* Drops what the kernel took from the front of the parts. */
static void advance(struct iovec **parts, int *part_count, size_t taken)
{
	while (*part_count > 0 && taken >= (*parts)->iov_len) {
		taken -= (*parts)->iov_len;
		++*parts;
		--*part_count;
	}
	if (taken) {
		(*parts)->iov_base = (char *)(*parts)->iov_base + taken;
		(*parts)->iov_len -= taken;
	}
}

/* The piece of size bytes failed after done of them. */
static bool fail(struct append_file *file, uint64_t size, uint64_t done, int error)
{
	file->unwritten_bytes += size;
	if (done && (!file->seekable || ftruncate(file->fd, (off_t)file->size_bytes) < 0))
		file->torn = true;
	if (!file->error) {
		file->error = error;
		file->error_bytes = file->size_bytes;
	}
	return false;
}

void append_say(struct append_file *file)
{
	if (file->error && !file->told)
		diag_add(file->diag, DIAG_WARN, file->name, file->error_bytes,
			"cannot be written: %s; what does not fit is left out and counted", strerror(file->error));
	file->told = file->error;
}

bool append_write(struct append_file *file, struct iovec *parts, int part_count)
{
	uint64_t size = 0, done = 0;

	for (int i = 0; i < part_count; i++)
		size += parts[i].iov_len;
	if (file->torn) {
		file->unwritten_bytes += size;
		return false;
	}
	advance(&parts, &part_count, 0);
	while (done < size) {
		ssize_t got = file->seekable ? pwritev(file->fd, parts, part_count, (off_t)(file->size_bytes + done))
					     : writev(file->fd, parts, part_count);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return fail(file, size, done, got < 0 ? errno : ENOSPC);
		done += (uint64_t)got;
		advance(&parts, &part_count, (size_t)got);
	}
	file->size_bytes += size;
	return true;
}

bool append_overwrite(struct append_file *file, uint64_t offset, const void *data, size_t size)
{
	if (!file->seekable || offset > file->size_bytes || size > file->size_bytes - offset)
		return false;
	return pwrite(file->fd, data, size, (off_t)offset) == (ssize_t)size;
}
