/* own_text: what of a program's memory is the program itself, not libraries; in it, and in its children that are copies of it.
 *
 * Addresses of the text are offsets from where its first executable segment begins, as the file has them. */
#ifndef DWELL_HOST_SAMPLE_CODE_OWN_TEXT_H
#define DWELL_HOST_SAMPLE_CODE_OWN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sample/perf/perf_set.h"
#include "util/diag.h"

#define OWN_TEXT_OUTSIDE UINT64_MAX

/* Zero it before the first use, clear it after the last. */
struct own_text {
	uint64_t low, high; /* its link-time addresses */
	dev_t device;
	ino_t inode;
	struct own_segment {
		uint64_t address, offset, bytes; /* offset in the file */
	} *segments; /* the executable ones */
	size_t segment_count, segment_capacity;
	struct own_process {
		uint32_t pid, threads;
		struct own_map {
			uint64_t low, high, address; /* link-time address of low */
		} *maps;
		size_t map_count, map_capacity;
	} *processes; /* that live, as far as was told */
	size_t process_count, process_capacity;
	bool starved; /* for want of memory something that is the program's counts as outside */
};

/* False and a diag (an error): no program that can be read. */
bool own_text_read(struct own_text *text, const char *path, struct diag *diag);
/* The first process, which becomes the program. */
void own_text_begin(struct own_text *text, uint32_t pid);
/* What happened to processes and what they have mapped; other records are not looked at. */
void own_text_tell(struct own_text *text, const struct perf_record *record);
/* Where in the text it is. */
uint64_t own_text_offset(const struct own_text *text, uint32_t pid, uint64_t address);
void own_text_clear(struct own_text *text);

#endif
