/* memory_limit: reads the limits of machine and cgroups (memory_limit.h). */
#include "util/memory_limit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATH_BYTES 4096
#define LINE_BYTES (3 * PATH_BYTES)

/* How to read limits in the two versions of cgroups. In version 2 all controllers share one file system. */
struct hierarchy {
	const char *type; /* type of its file system … */
	const char *option; /* … with this word among the options */
	const char *limits[3]; /* files with limits; above the high limit a process is not killed, but uselessly slow */
	const char *usage, *cache;
};
static const struct hierarchy hierarchies[] = {
	{"cgroup2", "", {"memory.max", "memory.high"}, "memory.current", "inactive_file "},
	{"cgroup", "memory", {"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file "},
};

/* Returns whether a comma-separated list contains a word. */
static bool has_word(const char *list, const char *word)
{
	size_t bytes = strlen(word);

	for (const char *at = list; bytes && (at = strstr(at, word)); at += bytes)
		if ((at == list || at[-1] == ',') && (!at[bytes] || strchr(",:\n", at[bytes])))
			return true;
	return !bytes;
}

/* Returns the number after `begins` at the start of a line of the file. UINT64_MAX: none, or "max". */
static uint64_t read_number(const char *folder, const char *name, const char *begins)
{
	char path[PATH_BYTES + 32], line[256];
	uint64_t number = UINT64_MAX;
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, begins, strlen(begins)) && line[strlen(begins)] >= '0' && line[strlen(begins)] <= '9') {
			number = strtoull(line + strlen(begins), NULL, 10);
			break;
		}
	if (file)
		fclose(file);
	return number;
}

/* Lowers *limit to the limits of one group. folder: of the group, in the cgroup file system. */
static void read_group_limits(const struct hierarchy *hierarchy, const char *folder, struct memory_limit *limit)
{
	uint64_t bytes = UINT64_MAX, used, cache, free;

	for (size_t i = 0; hierarchy->limits[i]; i++) {
		uint64_t number = read_number(folder, hierarchy->limits[i], "");

		bytes = number < bytes ? number : bytes;
	}
	if (bytes == UINT64_MAX)
		return;
	used = read_number(folder, hierarchy->usage, "");
	cache = read_number(folder, "memory.stat", hierarchy->cache);
	used = used == UINT64_MAX ? 0 : cache < used ? used - cache : used;
	free = used < bytes ? bytes - used : 0;
	limit->bytes = bytes < limit->bytes ? bytes : limit->bytes;
	limit->free = free < limit->free ? free : limit->free;
}

/* Finds the path of this process's group in a hierarchy. cgroups: path of a file in the form
 * of /proc/self/cgroup. Returns false without a group. */
static bool find_own(const char *cgroups, const struct hierarchy *hierarchy, char own[PATH_BYTES])
{
	char line[LINE_BYTES], controllers[PATH_BYTES];
	FILE *file = fopen(cgroups, "re");
	bool found = false;

	/* "4:memory:/a/b"; in version 2 "0::/a/b". */
	while (file && !found && fgets(line, sizeof line, file)) {
		char *colon = strchr(line, ':'), *path = colon ? strchr(colon + 1, ':') : NULL;

		if (!path)
			continue;
		snprintf(controllers, sizeof controllers, "%.*s", (int)(path - colon - 1), colon + 1);
		found = *hierarchy->option ? has_word(controllers, hierarchy->option) : !*controllers;
		path[strcspn(path, "\n")] = 0;
		snprintf(own, PATH_BYTES, "%s", path + 1);
	}
	if (file)
		fclose(file);
	return found;
}

/* Lowers *limit to the limits of the group `own`, which is this process's, and of the groups around it, up to the group `root`. The
 * folder of root is `point`. If own is not below root, reads only point: a container may mount its own group, and know own by the
 * path outside. */
static void read_groups_limits(
	const struct hierarchy *hierarchy, const char *root, const char *point, const char *own, struct memory_limit *limit)
{
	size_t skip = strcmp(root, "/") ? strlen(root) : 0;
	bool below = !strncmp(own, root, skip) && (!own[skip] || own[skip] == '/');
	char folder[2 * PATH_BYTES];

	snprintf(folder, sizeof folder, "%s%s", point, below ? own + skip : "");
	for (;;) {
		char *slash = strrchr(folder, '/');

		if (slash && !slash[1] && strlen(folder) > strlen(point)) {
			*slash = 0;
			continue;
		}
		read_group_limits(hierarchy, folder, limit);
		if (!slash || strlen(folder) <= strlen(point))
			return;
		*slash = 0;
	}
}

struct memory_limit memory_limit_of_cgroups(const char *mounts, const char *cgroups)
{
	struct memory_limit limit = {UINT64_MAX, UINT64_MAX};
	char line[LINE_BYTES], root[PATH_BYTES], point[PATH_BYTES], type[32], options[PATH_BYTES], own[PATH_BYTES];
	FILE *file = fopen(mounts, "re");

	/* "30 25 0:26 ROOT POINT OPTIONS TAGS - TYPE SOURCE OPTIONS" */
	while (file && fgets(line, sizeof line, file)) {
		const char *behind = strstr(line, " - ");

		if (!behind || sscanf(line, "%*s %*s %*s %4095s %4095s", root, point) != 2 ||
			sscanf(behind + 3, "%31s %*s %4095s", type, options) != 2)
			continue;
		for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++)
			if (!strcmp(type, hierarchies[i].type) && has_word(options, hierarchies[i].option) &&
				find_own(cgroups, &hierarchies[i], own))
				read_groups_limits(&hierarchies[i], root, point, own, &limit);
	}
	if (file)
		fclose(file);
	return limit;
}

static void lower_limit(struct memory_limit *limit, uint64_t bytes)
{
	limit->bytes = bytes < limit->bytes ? bytes : limit->bytes;
	limit->free = bytes < limit->free ? bytes : limit->free;
}

struct memory_limit memory_limit(void)
{
	struct memory_limit limit = memory_limit_of_cgroups("/proc/self/mountinfo", "/proc/self/cgroup");
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	struct rlimit space;

	if (pages > 0 && page > 0)
		lower_limit(&limit, (uint64_t)pages * (uint64_t)page);
	if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
		lower_limit(&limit, (uint64_t)space.rlim_cur);
	return limit;
}
