/* remote_image: reads the memory, mappings and auxiliary vector of a process from /proc, also if its main thread has ended. */
#include "record/remote/remote_image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/remote/remote_thread.h"
#include "util/array.h"
#include "util/mapped_file.h"
#include "util/sorted.h"

#define LOOKS_MAX 100

pid_t remote_live_thread(pid_t pid)
{
	pid_t found = remote_exists(pid) ? pid : remote_find_thread(pid, remote_exists);

	return found ? found : pid;
}

/* Opens a file of the process in /proc. −1: errno has the reason. */
static int open_of(pid_t pid, const char *name, int flags)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%ld/%s", (long)remote_live_thread(pid), name);
	return open(path, flags | O_CLOEXEC);
}

/* Whether the main thread has ended. /proc is then read through another
 * thread, which may end at any moment, so the reads are repeated. */
static bool is_headless(pid_t pid)
{
	return remote_live_thread(pid) != pid;
}

/* Reads the auxiliary vector: up to REMOTE_AUXILIARY_BYTES. Returns the number of bytes; 0: it cannot be read. */
static size_t read_auxiliary(pid_t pid, void *to)
{
	ssize_t got = -1;

	for (int i = 0; got <= 0 && (!i || is_headless(pid)) && i < LOOKS_MAX; i++) {
		int fd = open_of(pid, "auxv", O_RDONLY);

		got = fd < 0 ? -1 : read(fd, to, REMOTE_AUXILIARY_BYTES);
		if (fd >= 0)
			close(fd);
	}
	return got > 0 ? (size_t)got : 0;
}

static int open_memory(pid_t pid)
{
	int fd = open_of(pid, "mem", O_RDWR);

	for (int i = 0; fd < 0 && errno == ENOENT && is_headless(pid) && i < LOOKS_MAX; i++)
		fd = open_of(pid, "mem", O_RDWR);
	return fd;
}

bool remote_image_open(struct remote_image *image, pid_t pid)
{
	int error;

	*image = (struct remote_image){.pid = pid, .memory = open_memory(pid)};
	if (image->memory < 0)
		return false;
	image->auxiliary_bytes = read_auxiliary(pid, image->auxiliary);
	if (remote_image_read_maps(image))
		return true;
	error = errno;
	remote_image_close(image);
	errno = error;
	return false;
}

static void clear_maps(struct remote_image *image)
{
	for (size_t i = 0; i < image->map_count; i++)
		free(image->maps[i].path);
	image->map_count = 0;
}

void remote_image_close(struct remote_image *image)
{
	if (image->memory >= 0)
		close(image->memory);
	clear_maps(image);
	free(image->maps);
	*image = (struct remote_image){.pid = image->pid, .memory = -1};
}

static bool read_maps(struct remote_image *image)
{
	FILE *maps = mapped_open(remote_live_thread(image->pid));
	struct mapped mapped;

	if (!maps)
		return false;
	clear_maps(image);
	while (mapped_next(maps, &mapped) &&
		array_reserve(&image->maps, &image->map_capacity, image->map_count + 1, sizeof *image->maps)) {
		struct remote_mapping *mapping = &image->maps[image->map_count];

		*mapping = (struct remote_mapping){mapped.low, mapped.high, mapped.offset, mapped.inode, {0}, strdup(mapped.path)};
		memcpy(mapping->access, mapped.access, sizeof mapping->access);
		if (!mapping->path)
			break;
		image->map_count++;
	}
	mapped_close(maps);
	return true;
}

bool remote_image_read_maps(struct remote_image *image)
{
	bool looked = read_maps(image);

	for (int i = 0; !image->map_count && is_headless(image->pid) && i < LOOKS_MAX; i++)
		looked = read_maps(image);
	return looked;
}

/* Memory of a program that no process runs any more cannot be read. If another process still runs the program, as
 * the parent of a vfork does, the auxiliary vector shows whether the process itself has become another program. */
bool remote_image_is_current(const struct remote_image *image)
{
	uint64_t now[REMOTE_AUXILIARY_BYTES / sizeof(uint64_t)];
	uint64_t entry = 0;
	char byte;

	for (size_t i = 0; i + 1 < image->auxiliary_bytes / sizeof *now; i += 2)
		if (image->auxiliary[i] == AT_ENTRY)
			entry = image->auxiliary[i + 1];
	return entry && remote_read(image, entry, &byte, sizeof byte) &&
	       read_auxiliary(image->pid, now) == image->auxiliary_bytes && !memcmp(now, image->auxiliary, image->auxiliary_bytes);
}

const struct remote_mapping *remote_image_at(const struct remote_image *image, uint64_t address)
{
	size_t index = SORTED_UP_TO(struct remote_mapping, high, image->maps, image->map_count, address);

	return index < image->map_count && image->maps[index].low <= address ? &image->maps[index] : NULL;
}

bool remote_read(const struct remote_image *image, uint64_t address, void *data, size_t bytes)
{
	return pread(image->memory, data, bytes, (off_t)address) == (ssize_t)bytes;
}

size_t remote_read_some(const struct remote_image *image, uint64_t address, void *data, size_t bytes)
{
	ssize_t got = pread(image->memory, data, bytes, (off_t)address);

	return got > 0 ? (size_t)got : 0;
}

bool remote_write(const struct remote_image *image, uint64_t address, const void *data, size_t bytes)
{
	return pwrite(image->memory, data, bytes, (off_t)address) == (ssize_t)bytes;
}
