/* SPDX-License-Identifier: MIT
 *
 * See next.h.
 */
#include "port/os/linux/next.h"

#include "port/os/linux/image.h"

#pragma weak dl_iterate_phdr

struct search {
	const char *name;
	uint64_t not_in;
	uint64_t found;
};

static int search_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct image image;

	(void)size;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) ||
		(search->not_in >= image.low && search->not_in < image.high))
		return 0;
	search->found = image_find_symbol(&image, search->name);
	return search->found != 0;
}

void *next_find(const char *name)
{
	struct search search = {name, (uint64_t)&search_module, 0};

	if (&dl_iterate_phdr)
		dl_iterate_phdr(search_module, &search);
	return (void *)search.found;
}
