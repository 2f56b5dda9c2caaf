/* remote_image: the program that a process runs now, and the process's mappings.
 *
 * exec(2) may replace the program at any moment; then addresses found before are invalid. So open the image
 * before you look for addresses, and call remote_image_is_current while one of the process's threads is stopped.
 * Memory is read and written through one descriptor, which becomes useless with the end of the program. */
#ifndef DWELL_HOST_RECORD_REMOTE_IMAGE_H
#define DWELL_HOST_RECORD_REMOTE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define REMOTE_AUXILIARY_BYTES 1024u

struct remote_mapping {
	uint64_t low, high, offset, inode;
	char access[5]; /* "r-xp" */
	char *path;     /* empty: no file */
};

struct remote_image {
	pid_t pid;
	int memory; /* −1: not open */
	/* The auxiliary vector, which the kernel gives a program at the start, with random addresses. */
	uint64_t auxiliary[REMOTE_AUXILIARY_BYTES / sizeof(uint64_t)];
	size_t auxiliary_bytes;
	struct remote_mapping *maps; /* as of the last remote_image_read_maps, in order of address */
	size_t map_count, map_capacity;
};

/* Returns a thread of the process that has not ended: the main thread, if possible. If only the main thread has
 * ended, /proc/THREAD has maps, mem and auxv, and /proc/PID has none. Returns pid if all threads have ended. */
pid_t remote_live_thread(pid_t pid);
/* Opens the image. False: errno has the reason. Call remote_image_close in any case. */
bool remote_image_open(struct remote_image *image, pid_t pid);
void remote_image_close(struct remote_image *image);
/* Reads the mappings again. False: the process has ended. */
bool remote_image_read_maps(struct remote_image *image);
/* Whether the process still runs the image's program. Call this while a thread of the
 * process is stopped: then no thread can exec without ending the stopped thread. */
bool remote_image_is_current(const struct remote_image *image);
/* The mapping of an address, as of the last remote_image_read_maps. Null: no mapping. */
const struct remote_mapping *remote_image_at(const struct remote_image *image, uint64_t address);

/* Reads bytes of the process's memory. False: a part of the bytes cannot be read. */
bool remote_read(const struct remote_image *image, uint64_t address, void *data, size_t bytes);
/* Reads the readable part of the bytes, from address on. Returns the size of this part. */
size_t remote_read_some(const struct remote_image *image, uint64_t address, void *data, size_t bytes);
/* Writes bytes, even to memory read-only for the process. */
bool remote_write(const struct remote_image *image, uint64_t address, const void *data, size_t bytes);

#endif
