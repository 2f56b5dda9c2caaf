/* append: writes whole pieces and reserves space (append.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "util/hidden_file.h"
#include "writer/trace/append.h"

/* Chooses the size of the reserve: a quarter of the free space, or of the limit on file size, if that is less than usual. */
static void choose_reserve(struct append_file *file)
{
	struct statvfs disk;
	struct rlimit limit;

	file->kept_bytes = APPEND_RESERVE_BYTES;
	if (fstatvfs(file->fd, &disk) == 0 && disk.f_frsize && disk.f_bavail < 4 * file->kept_bytes / disk.f_frsize)
		file->kept_bytes = disk.f_bavail * disk.f_frsize / 4;
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 4 < file->kept_bytes)
		file->kept_bytes = limit.rlim_cur / 4;
	file->end_bytes = file->kept_bytes < APPEND_END_BYTES ? file->kept_bytes : APPEND_END_BYTES;
}

bool append_open(struct append_file *file, const char *path, bool hidden, struct diag *diag)
{
	struct stat stat;

	*file = (struct append_file){.fd = -1, .is_hidden = hidden, .diag = diag};
	file->name = strdup(path);
	if (!file->name) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be created: out of memory");
		return false;
	}
	file->fd = hidden ? hidden_file_open(path, O_WRONLY, &file->temporary)
			 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	if (file->fd < 0 || fstat(file->fd, &stat) < 0) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot be created: %s", strerror(errno));
		append_close(file);
		return false;
	}
	file->seekable = S_ISREG(stat.st_mode);
	if (file->seekable)
		choose_reserve(file);
	return true;
}

bool append_publish(struct append_file *file)
{
	if (!file->is_hidden)
		return true;
	if (!hidden_file_publish(file->fd, file->name, file->temporary)) {
		diag_add(file->diag, DIAG_WARN, file->name, DIAG_NO_OFFSET, "cannot be created: %s", strerror(errno));
		return false;
	}
	file->is_hidden = false;
	return true;
}

void append_finish(struct append_file *file)
{
	if (file->room_bytes > file->size_bytes && ftruncate(file->fd, (off_t)file->size_bytes) == 0)
		file->room_bytes = file->size_bytes;
}

void append_close(struct append_file *file)
{
	if (file->fd >= 0) {
		append_finish(file);
		close(file->fd);
	}
	file->fd = -1;
	hidden_file_drop(file->temporary);
	file->temporary = NULL;
	free(file->name);
	file->name = NULL;
}

/* Drops the bytes that the kernel has taken from the front of the parts. */
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

/* Handles the failure of a piece of size bytes, of which done bytes were written. */
static bool fail(struct append_file *file, uint64_t size, uint64_t done, int error)
{
	file->unwritten_bytes += size;
	if (done && (!file->seekable || ftruncate(file->fd, (off_t)file->size_bytes) < 0))
		file->torn = true;
	if (done)
		file->room_bytes = file->size_bytes;
	if (!file->error) {
		file->error = error;
		file->error_bytes = file->size_bytes;
	}
	return false;
}

void append_report(struct append_file *file)
{
	if (file->error && !file->error_reported)
		diag_add(file->diag, DIAG_WARN, file->name, file->error_bytes,
			"cannot be written: %s; what does not fit is left out and counted", strerror(file->error));
	file->error_reported = file->error;
}

/* Makes the file system reserve space up to the offset `until`. Returns false with errno if there is no space; true, and sets
 * cannot_reserve, if the file system cannot reserve space. */
static bool reserve_space(struct append_file *file, uint64_t until)
{
	uint64_t from = file->room_bytes > file->size_bytes ? file->room_bytes : file->size_bytes;

	int result;

	while ((result = fallocate(file->fd, FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(until - from))) < 0 && errno == EINTR)
		;
	if (!result) {
		file->room_bytes = until;
		return true;
	}
	file->cannot_reserve = errno != ENOSPC && errno != EDQUOT && errno != EFBIG;
	return file->cannot_reserve;
}

/* Reserve this much at a time, because each reservation adds an extent. */
#define AHEAD_BYTES (1u << 20)

/* Makes the file system reserve space for a piece of size bytes, and for what the piece must leave behind it. Returns
 * false with errno if there is no space; true if the file system reserves none. */
static bool make_room(struct append_file *file, uint64_t size, enum append_room leave)
{
	uint64_t kept = leave == APPEND_BULK ? file->kept_bytes : leave == APPEND_NEEDED ? file->end_bytes : 0;
	uint64_t until = file->size_bytes + size + kept;
	struct rlimit limit;

	if (!file->seekable || !file->kept_bytes)
		return true;
	/* Read the limit each time: the user may raise it while the recording waits for room. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && until > limit.rlim_cur) {
		errno = EFBIG;
		return false;
	}
	return until <= file->room_bytes || file->cannot_reserve || reserve_space(file, until + AHEAD_BYTES) ||
	       reserve_space(file, until);
}

bool append_has_room(struct append_file *file, uint64_t size, enum append_room leave)
{
	return !file->torn && make_room(file, size, leave);
}

bool append_write(struct append_file *file, struct iovec *parts, int part_count, enum append_room leave)
{
	uint64_t size = 0, done = 0;

	for (int i = 0; i < part_count; i++)
		size += parts[i].iov_len;
	if (file->torn) {
		file->unwritten_bytes += size;
		return false;
	}
	if (!make_room(file, size, leave))
		return fail(file, size, 0, errno);
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
