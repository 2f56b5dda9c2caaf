/* kept_files: the files mapped by recorded processes, from the time dwell learns of them until the recording ends.
 *
 * A path comes from the process: it may lead to another file here, or at the time when names are read. So dwell opens the file
 * through the process while the process exists (util/mapped_file.h), and keeps the file open. */
#ifndef DWELL_HOST_RECORD_SINK_KEPT_FILES_H
#define DWELL_HOST_RECORD_SINK_KEPT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "util/mapped_file.h"

struct kept_file {
	char *path; /* as the process names it */
	char name[MAPPED_NAME_BYTES]; /* a path that leads to fd */
	int fd;     /* −1: too many files are open, or the file cannot be opened */
	struct stat info; /* of the file when it was opened */
	bool lost;  /* nothing could be opened, or the file at the path is another one by now: no names can be read */
};

/* Zero it before the first use, clear it after the last. It owns the kept files. */
struct kept_files {
	struct kept_file **list;
	size_t count, capacity;
	uint64_t since_unix_ns; /* a file changed after this time does not belong to an ended process. 0: no such check */
};

/* Returns the file that a process has mapped at an address and names by a path. The file belongs to files. With pid 0, an ended
 * process, or an emulated one, whose addresses are not the kernel's: the regular file at the path. Without a build-id, this file
 * must not have changed after since_unix_ns. If no file can be opened: the last file found with this path, or else a file marked as
 * lost. build_id: as given by the process; no bytes: unknown. Null: no memory. */
struct kept_file *kept_files_find(
	struct kept_files *files, uint32_t pid, const char *path, uint64_t address, const uint8_t *build_id, size_t build_id_bytes);
/* The path at which the file can be read now: its own path, if that still leads to the file, since readers find separate debug
 * files by this path. Otherwise a path that leads to fd. With fd −1: its own path, unchecked. Null: the file is lost. The text
 * belongs to the file. */
const char *kept_file_path(const struct kept_file *file);
void kept_files_clear(struct kept_files *files);

#endif
