/* debug_file: searches for a program's separate debug file. */
#include "symbol/debug/debug_file.h"

#include <elfutils/libdwelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "symbol/build_id.h"
#include "util/foreign_file.h"

#define FOLDERS_USUAL "/usr/lib/debug"

struct search {
	const char *path; /* of the program */
	uint8_t id[BUILD_ID_BYTES_MAX];
	size_t id_bytes; /* 0: the program has no build-id */
	const char *link; /* file name in .gnu_debuglink; null: none */
	uint32_t link_crc;
	char *other_build; /* the first candidate of another build */
	char *non_elf;  /* the first candidate that is no ELF file */
};

static bool is_same_file(const char *path, const struct stat *status)
{
	struct stat other;

	return !stat(path, &other) && other.st_dev == status->st_dev && other.st_ino == status->st_ino;
}

static bool has_crc(int fd, uint32_t wanted)
{
	uint8_t bytes[65536];
	uLong crc = crc32(0, NULL, 0);
	off_t at = 0;

	for (ssize_t got; (got = pread(fd, bytes, sizeof bytes, at)) > 0; at += got)
		crc = crc32(crc, bytes, (uInt)got);
	return (uint32_t)crc == wanted;
}

/* Returns whether the file has the program's build-id; if either has none, the checksum of .gnu_debuglink. */
static bool is_of_program(const struct search *search, int fd, Elf *elf)
{
	uint8_t id[BUILD_ID_BYTES_MAX];
	size_t bytes;

	if (search->id_bytes && elf_build_id(elf, id, &bytes))
		return bytes == search->id_bytes && !memcmp(id, search->id, bytes);
	return search->link && has_crc(fd, search->link_crc);
}

/* Returns whether the file at path is the debug file; path may be null. If not, frees path, or keeps it for a warning. */
static bool accept_candidate(struct search *search, char *path)
{
	struct stat status;
	int fd = path ? foreign_file_open(path, &status) : -1;
	bool good = false;
	Elf *elf;

	if (fd >= 0 && !is_same_file(search->path, &status)) {
		char **refused = &search->non_elf;

		elf = make_elf(fd);
		if (elf) {
			good = is_of_program(search, fd, elf);
			elf_end(elf);
			refused = &search->other_build;
		}
		if (!good && !*refused) {
			*refused = path;
			path = NULL;
		}
	}
	if (fd >= 0)
		close(fd);
	if (!good)
		free(path);
	return good;
}

static char *make_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *make_text(const char *format, ...)
{
	va_list arguments;
	char *text;
	int bytes;

	va_start(arguments, format);
	bytes = vasprintf(&text, format, arguments);
	va_end(arguments);
	return bytes < 0 ? NULL : text;
}

/* Searches one of the debug folders. folder: the program's, as an absolute path. */
static char *find_in_folder(struct search *search, const char *debug, int debug_bytes, const char *folder)
{
	char id[BUILD_ID_TEXT_BYTES], *path;

	if (search->id_bytes > 1) {
		format_build_id(id, search->id, search->id_bytes);
		path = make_text("%.*s/.build-id/%.2s/%s.debug", debug_bytes, debug, id, id + 2);
		if (accept_candidate(search, path))
			return path;
	}
	if (!search->link || !folder)
		return NULL;
	path = make_text("%.*s%s/%s", debug_bytes, debug, folder, search->link);
	return accept_candidate(search, path) ? path : NULL;
}

/* Searches beside the program, and in .debug/ beside it. pre: search->link is not null. */
static char *find_beside(struct search *search)
{
	const char *slash = strrchr(search->path, '/');
	int folder_bytes = slash ? (int)(slash + 1 - search->path) : 0;
	char *path = make_text("%.*s%s", folder_bytes, search->path, search->link);

	if (accept_candidate(search, path))
		return path;
	path = make_text("%.*s.debug/%s", folder_bytes, search->path, search->link);
	return accept_candidate(search, path) ? path : NULL;
}

static char *find_in_folders(struct search *search)
{
	const char *folders = getenv("DWELL_DEBUG_PATH");
	char *whole = realpath(search->path, NULL), *slash = whole ? strrchr(whole, '/') : NULL, *found = NULL;

	if (slash)
		*slash = 0;
	if (!folders)
		folders = FOLDERS_USUAL;
	while (!found && *folders) {
		size_t bytes = strcspn(folders, ":");

		if (bytes)
			found = find_in_folder(search, folders, (int)bytes, whole);
		folders += bytes + (folders[bytes] == ':');
	}
	free(whole);
	return found;
}

char *make_debug_path(Elf *elf, const char *path, struct diag *diag)
{
	struct search search = {.path = path};
	GElf_Word crc = 0;
	char *found;

	if (!elf_build_id(elf, search.id, &search.id_bytes))
		search.id_bytes = 0;
	search.link = dwelf_elf_gnu_debuglink(elf, &crc);
	search.link_crc = crc;
	if (search.link && (!*search.link || strchr(search.link, '/') || !strcmp(search.link, "..")))
		search.link = NULL; /* only a file's name is allowed, not a path */
	found = search.link ? find_beside(&search) : NULL;
	if (!found)
		found = find_in_folders(&search);
	if (!found && search.other_build)
		diag_add(diag, DIAG_WARN, search.other_build, DIAG_NO_OFFSET, "is the debug file of another build of %s: not used", path);
	else if (!found && search.non_elf)
		diag_add(diag, DIAG_WARN, search.non_elf, DIAG_NO_OFFSET, "is no ELF file, but has the name of the debug file of %s: not used", path);
	free(search.other_build);
	free(search.non_elf);
	return found;
}
