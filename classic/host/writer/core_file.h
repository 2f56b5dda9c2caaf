/* core file: writes bytes of a machine's memory with their addresses as an ELF core
 * file: a program header for each part. GDB, readelf and objcopy read the file, too. */
#ifndef DWELL_CLASSIC_HOST_WRITER_CORE_FILE_H
#define DWELL_CLASSIC_HOST_WRITER_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct core_part {
	uint64_t address;
	const void *bytes;
	size_t size;
};

/* The machine, in the terms of ELF. Zeroed: unknown. */
struct core_machine {
	uint32_t machine, pointer_bytes;
	bool is_big;
};

#define CORE_PARTS_MAX 65534u

/* False and errno: a write failed, or there are too many parts. */
bool core_file_write(FILE *out, const struct core_machine *machine, const struct core_part *parts, size_t count);

#endif
