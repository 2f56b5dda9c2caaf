/* SPDX-License-Identifier: MIT
 *
 * Finds the text of a program and of its libraries, and the file that contains a text. */
#include <elf.h>

#include "port/os/linux/system.h"
#include "classic/target/port/ultra/port.h"
#include "ultra64.h"

#define PROTECTION 3 /* PROT_READ | PROT_WRITE */
#define FLAGS 0x4022 /* private, anonymous, without reserved memory */

/* From link.h, which is libc's. */
struct image_info {
	uintptr_t bias;
	const char *name;
	const Elf64_Phdr *headers;
	uint16_t header_count;
};
int dl_iterate_phdr(int (*each)(struct image_info *info, size_t bytes, void *context), void *context);

struct list {
	OSProf *segments;
	u32 room, count;
};

static int add(struct image_info *info, size_t bytes, void *context)
{
	struct list *list = context;

	(void)bytes;
	for (unsigned i = 0; i < info->header_count && list->count < list->room; i++) {
		const Elf64_Phdr *header = &info->headers[i];
		uintptr_t start = (info->bias + header->p_vaddr) & ~(uintptr_t)3;
		uintptr_t end = (info->bias + header->p_vaddr + header->p_memsz) & ~(uintptr_t)3;
		u32 counters = (u32)((end - start) / HISTOGRAM_TEXT_BYTES);
		long memory;

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) || start >= end || (end - start) >> 32)
			continue;
		memory = system_mmap(0, (uint64_t)counters * HISTOGRAM_COUNTER_BYTES + 2, PROTECTION, FLAGS, -1);
		if (memory < 0 && memory > -4096)
			continue;
		list->segments[list->count++] = (OSProf){(u16 *)memory, counters, (u32 *)start, (u32 *)end};
	}
	return 0;
}

u32 osProfileSegments(OSProf *profp, u32 profcnt)
{
	struct list list = {profp, profcnt < OSPROF_SEGMENTS_MAX ? profcnt : OSPROF_SEGMENTS_MAX, 0};

	dl_iterate_phdr(add, &list);
	return list.count;
}

struct wanted {
	uintptr_t text;
	char *name;
	size_t room, bytes;
};

static int find(struct image_info *info, size_t bytes, void *context)
{
	struct wanted *wanted = context;
	bool here = false;
	size_t length = 0;
	long got;

	(void)bytes;
	for (unsigned i = 0; i < info->header_count; i++)
		here |= info->headers[i].p_type == PT_LOAD &&
			wanted->text - (info->bias + info->headers[i].p_vaddr) < info->headers[i].p_memsz;
	if (!here)
		return 0;
	if (!*info->name) {
		got = system_readlink("/proc/self/exe", wanted->name, wanted->room);
		/* A truncated name would name another file. */
		wanted->bytes = got > 0 && (size_t)got < wanted->room ? (size_t)got : 0;
		return 1;
	}
	while (info->name[length])
		length++;
	for (size_t i = 0; length <= wanted->room && i < length; i++)
		wanted->name[i] = info->name[i];
	wanted->bytes = length <= wanted->room ? length : 0;
	return 1;
}

size_t ultra_port_name(uintptr_t text, char *name, size_t room)
{
	struct wanted wanted = {text, name, room, 0};

	dl_iterate_phdr(find, &wanted);
	return wanted.bytes;
}
