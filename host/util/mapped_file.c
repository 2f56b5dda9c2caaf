/* mapped_file: finds and opens the files behind mappings (mapped_file.h). */
#include "util/mapped_file.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "util/foreign_file.h"

#define LINE_BYTES 4352
#define LINK_BYTES 4200

FILE *mapped_open(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
	return fopen(path, "re");
}

bool mapped_next(FILE *maps, struct mapped *mapped)
{
	static const char removed[] = " (deleted)";
	char line[LINE_BYTES];
	int at = 0, bytes;

	if (!maps || !fgets(line, sizeof line, maps))
		return false;
	*mapped = (struct mapped){0};
	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &mapped->low, &mapped->high, mapped->access, &mapped->offset, &mapped->major,
		    &mapped->minor, &mapped->inode, &at) < 7 ||
		!at)
		return true; /* a malformed line counts as an empty mapping */
	bytes = (int)strcspn(line + at, "\n");
	mapped->removed = mapped->inode && (size_t)bytes >= sizeof removed &&
			  !memcmp(line + at + bytes - (sizeof removed - 1), removed, sizeof removed - 1);
	if (mapped->removed)
		bytes -= (int)sizeof removed - 1;
	snprintf(mapped->path, sizeof mapped->path, "%.*s", bytes, line + at);
	return true;
}

void mapped_close(FILE *maps)
{
	if (maps)
		fclose(maps);
}

bool mapped_find(pid_t pid, uint64_t address, struct mapped *mapped)
{
	FILE *maps = mapped_open(pid);
	bool found = false;

	while (!found && mapped_next(maps, mapped))
		found = address >= mapped->low && address < mapped->high;
	mapped_close(maps);
	return found;
}

/* If several devices form one file system (btrfs, overlayfs), maps and stat
 * may show different ones. Such devices have the major number 0. */
bool mapped_is_file(const struct mapped *mapped, const struct stat *file)
{
	return S_ISREG(file->st_mode) && file->st_ino == mapped->inode &&
	       ((major(file->st_dev) == mapped->major && minor(file->st_dev) == mapped->minor) ||
		       (!major(file->st_dev) && !mapped->major));
}

bool mapped_is_at_path(const struct mapped *mapped)
{
	struct stat file;

	return *mapped->path == '/' && stat(mapped->path, &file) == 0 && mapped_is_file(mapped, &file);
}

/* Opens only the mapped file. */
static int open_same(const char *path, const struct mapped *mapped)
{
	struct stat file;
	int fd = foreign_file_open(path, &file);

	if (fd < 0 || mapped_is_file(mapped, &file))
		return fd;
	close(fd);
	return -1;
}

int mapped_open_file(pid_t pid, const struct mapped *mapped)
{
	char path[LINK_BYTES];
	int fd = -1;

	if (!mapped->inode)
		return -1;
	if (*mapped->path == '/')
		fd = open_same(mapped->path, mapped);
	for (int way = 0; fd < 0 && way < 3; way++) {
		if (way == 0)
			snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
		else if (way == 1)
			snprintf(path, sizeof path, "/proc/%ld/map_files/%lx-%lx", (long)pid, mapped->low, mapped->high);
		else
			snprintf(path, sizeof path, "/proc/%ld/root%s", (long)pid, mapped->path);
		fd = open_same(path, mapped);
	}
	return fd;
}

void mapped_name_descriptor(char name[static MAPPED_NAME_BYTES], int descriptor)
{
	snprintf(name, MAPPED_NAME_BYTES, "/proc/self/fd/%d", descriptor);
}
