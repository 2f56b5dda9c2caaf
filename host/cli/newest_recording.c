/* newest_recording: compares the files of the current folder. */
#include "cli/newest_recording.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct newest {
	char name[NAME_MAX + 1]; /* empty: no recording yet */
	struct timespec changed;
};

/* "app.dwell", or "app.dwell.12" of a snapshot. Hidden files are not meant: `ls` does not show them either. */
static bool is_recording_name(const char *name)
{
	static const char ending[] = ".dwell";
	size_t bytes = strlen(name), digits = 0;

	while (digits < bytes && strchr("0123456789", name[bytes - digits - 1]))
		digits++;
	if (digits && digits < bytes && name[bytes - digits - 1] == '.')
		bytes -= digits + 1;
	return *name != '.' && bytes > strlen(ending) && !strncmp(name + bytes - strlen(ending), ending, strlen(ending));
}

static bool is_newer(const struct newest *newest, const char *name, const struct timespec *changed)
{
	if (!*newest->name || changed->tv_sec != newest->changed.tv_sec)
		return !*newest->name || changed->tv_sec > newest->changed.tv_sec;
	if (changed->tv_nsec != newest->changed.tv_nsec)
		return changed->tv_nsec > newest->changed.tv_nsec;
	return strcmp(name, newest->name) > 0;
}

static void compare(struct newest *newest, const char *name)
{
	struct stat info;

	if (!is_recording_name(name) || stat(name, &info) < 0 || !S_ISREG(info.st_mode) || !is_newer(newest, name, &info.st_mtim))
		return;
	snprintf(newest->name, sizeof newest->name, "%s", name);
	newest->changed = info.st_mtim;
}

const char *newest_recording_find(struct diag *diag)
{
	static struct newest newest;
	DIR *folder = opendir(".");

	*newest.name = 0;
	for (const struct dirent *entry; folder && (entry = readdir(folder));)
		compare(&newest, entry->d_name);
	if (folder)
		closedir(folder);
	if (*newest.name)
		diag_add(diag, DIAG_NOTE, newest.name, DIAG_NO_OFFSET, "chosen as the newest recording in this folder, because no file was given");
	return *newest.name ? newest.name : NULL;
}
