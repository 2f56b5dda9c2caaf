/* kept_files: opens mapped files, through the process that maps them where possible, and keeps up to OPEN_MAX of them open. */
#include "record/sink/kept_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/build_id.h"
#include "util/array.h"
#include "util/foreign_file.h"

#define OPEN_MAX 256u
#define NS UINT64_C(1000000000)

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* The last part of a path, without the suffix that the kernel appends for a deleted file. */
static size_t last_part(const char *path, const char **part)
{
	static const char removed[] = " (deleted)";
	size_t bytes;

	*part = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	bytes = strlen(*part);
	if (bytes >= sizeof removed && !strcmp(*part + bytes - (sizeof removed - 1), removed))
		bytes -= sizeof removed - 1;
	return bytes;
}

/* Whether the mapped file has the path's name. After exec, another file may be mapped there. */
static bool has_name(const struct mapped *mapped, const char *path)
{
	const char *ours, *theirs;
	size_t bytes = last_part(path, &ours);

	return last_part(mapped->path, &theirs) == bytes && !memcmp(ours, theirs, bytes);
}

static struct kept_file *add(struct kept_files *files, const char *path, int fd, const struct stat *info)
{
	struct kept_file *file;

	if (!array_reserve(&files->list, &files->capacity, files->count + 1, sizeof(*files->list)) ||
		!(file = calloc(1, sizeof *file)))
		return NULL;
	file->fd = -1;
	file->info = *info;
	file->path = strdup(path);
	if (!file->path) {
		free(file);
		return NULL;
	}
	file->lost = fd < 0;
	if (fd >= 0 && files->count < OPEN_MAX) {
		file->fd = dup(fd);
		fcntl(file->fd, F_SETFD, FD_CLOEXEC);
	}
	mapped_name_descriptor(file->name, file->fd);
	files->list[files->count++] = file;
	return file;
}

static bool has_changed_since(const struct kept_files *files, const struct stat *info)
{
	return files->since_unix_ns && (uint64_t)info->st_ctim.tv_sec * NS + (uint64_t)info->st_ctim.tv_nsec > files->since_unix_ns;
}

/* Whether the file has the build-id, or the process gave none. In an emulator, the kernel's
 * addresses are not the program's, so a different file may be there. */
static bool is_build(int fd, const uint8_t *build_id, size_t build_id_bytes)
{
	uint8_t found[BUILD_ID_BYTES_MAX];
	char name[MAPPED_NAME_BYTES];
	size_t bytes;

	mapped_name_descriptor(name, fd);
	return !build_id_bytes ||
	       (read_build_id(name, found, &bytes) && bytes == build_id_bytes && !memcmp(found, build_id, bytes));
}

/* Opens the file mapped at the address, or, without such a process or mapping, the regular file at the path. The caller closes the
 * descriptor. −1: no file can be opened. Without a build-id, a file at the path that has changed is not opened, either. */
static int open_mapped_file(const struct kept_files *files, uint32_t pid, const char *path, uint64_t address,
	const uint8_t *build_id, size_t build_id_bytes)
{
	struct mapped mapped;
	struct stat info;
	int fd;

	if (pid && mapped_find((pid_t)pid, address, &mapped) && mapped.inode && has_name(&mapped, path)) {
		fd = mapped_open_file((pid_t)pid, &mapped);
		if (fd < 0 || is_build(fd, build_id, build_id_bytes))
			return fd;
		close(fd);
	}
	fd = foreign_file_open(path, &info);
	if (fd < 0 || build_id_bytes || !has_changed_since(files, &info))
		return fd;
	close(fd);
	return -1;
}

struct kept_file *kept_files_find(
	struct kept_files *files, uint32_t pid, const char *path, uint64_t address, const uint8_t *build_id, size_t build_id_bytes)
{
	int fd = open_mapped_file(files, pid, path, address, build_id, build_id_bytes);
	struct kept_file *found = NULL;
	struct stat info = {0};

	if (fd >= 0)
		fstat(fd, &info);
	for (size_t i = files->count; !found && i--;)
		/* If no file can be opened now, the process means an earlier file with this path: the
		 * process has requested a plan for that file, or other processes have mapped that file. */
		if (!strcmp(files->list[i]->path, path) && (fd < 0 || is_same(&files->list[i]->info, &info)))
			found = files->list[i];
	if (!found)
		found = add(files, path, fd, &info);
	if (fd >= 0)
		close(fd);
	return found;
}

const char *kept_file_path(const struct kept_file *file)
{
	struct stat info;

	if (file->lost)
		return NULL;
	return file->fd < 0 || (stat(file->path, &info) == 0 && is_same(&info, &file->info)) ? file->path : file->name;
}

void kept_files_clear(struct kept_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		if (files->list[i]->fd >= 0)
			close(files->list[i]->fd);
		free(files->list[i]->path);
		free(files->list[i]);
	}
	free(files->list);
	*files = (struct kept_files){0};
}
