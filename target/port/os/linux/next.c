/* SPDX-License-Identifier: MIT
 *
 * Finds the C library's functions behind the agent's wrappers; see next.h.
 */
#include "port/os/linux/next.h"

#include "port/os/linux/image.h"
#include "port/os/linux/system.h"

typedef int list_fn(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data);

#ifdef DWELL_LINKED_AGENT /* wraps no dl_iterate_phdr, and a static program has just one */
static list_fn *find_list(void)
{
	return dl_iterate_phdr;
}

/* Not tested: a static program contains only the parts of a library that it uses. */
bool next_is_glibc(void)
{
	return true;
}
#else
extern struct r_debug _r_debug __attribute__((weak));
extern const char *gnu_get_libc_version(void) __attribute__((weak));
extern void *dlsym(void *handle, const char *name) __attribute__((weak));
#define NEXT ((void *)-1l) /* RTLD_NEXT */

bool next_is_glibc(void)
{
	return &gnu_get_libc_version;
}

/* Walks along the dynamic linker's own list of files, since that takes no call of a function. musl has no such list. */
static list_fn *find_list(void)
{
	const struct link_map *map = &_r_debug ? _r_debug.r_map : 0;
	struct image image;

	for (; map; map = map->l_next)
		if (image_open_loaded(&image, map->l_addr, map->l_ld) && image_is_libc(&image))
			return (list_fn *)image_find_symbol(&image, "dl_iterate_phdr");
	return !next_is_glibc() && &dlsym ? (list_fn *)dlsym(NEXT, "dl_iterate_phdr") : 0;
}
#endif

#ifndef LINUX_OWN_VECTORS
struct linux_vectors {
	char none; /* libc's code keeps all registers that hold values */
};
#define linux_save_vectors(vectors) ((void)(vectors))
#define linux_restore_vectors(vectors) ((void)(vectors))
#endif

/* The first call comes from the agent's constructor, so one thread sets list. */
int next_list_files(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
	static list_fn *volatile list;
	struct linux_vectors vectors;
	int result;

	if (!list)
		list = find_list();
	if (!list)
		return 0;
	linux_save_vectors(&vectors);
	result = list(each, data);
	linux_restore_vectors(&vectors);
	return result;
}

/* A search for a name in load order. from: an address in the agent's file. in_front: the first definition before this file; found:
 * the first definition after this file; 0: none. is_behind: the search has passed this file. */
struct search {
	const char *name;
	uint64_t from;
	bool is_behind;
	uint64_t in_front, found;
};

static int search_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct image image;
	uint64_t found;

	(void)size;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum))
		return 0;
	if (search->from >= image.low && search->from < image.high) {
		search->is_behind = true;
		return 0;
	}
	found = image_find_symbol(&image, search->name);
	if (search->is_behind)
		search->found = found;
	else if (!search->in_front)
		search->in_front = found;
	return search->found != 0;
}

void *next_find(const char *name)
{
	struct search search = {.name = name, .from = (uint64_t)&search_module};

	next_list_files(search_module, &search);
	return (void *)(search.found ? search.found : search.in_front);
}
