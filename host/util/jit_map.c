/* jit_map: names and lines of maps of generated code. */
#include "util/jit_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jit_map_write_path(char path[static JIT_MAP_PATH_BYTES], uint32_t pid)
{
	snprintf(path, JIT_MAP_PATH_BYTES, "/tmp/perf-%u.map", pid);
}

bool jit_map_is_path(const char *path)
{
	static const char before[] = "/tmp/perf-";
	char same[JIT_MAP_PATH_BYTES];

	if (strncmp(path, before, sizeof before - 1))
		return false;
	jit_map_write_path(same, (uint32_t)strtoul(path + sizeof before - 1, NULL, 10));
	return !strcmp(path, same);
}

/* Reads a number in hex and the blank behind the number. False: malformed. */
static bool take_number(const char **at, uint64_t *number)
{
	const char *c = *at, *first;

	if (c[0] == '0' && (c[1] | 32) == 'x')
		c += 2;
	*number = 0;
	for (first = c;; c++) {
		int digit = *c >= '0' && *c <= '9' ? *c - '0' : (*c | 32) >= 'a' && (*c | 32) <= 'f' ? (*c | 32) - 'a' + 10 : -1;

		if (digit < 0)
			break;
		if (*number >> 60)
			return false;
		*number = *number << 4 | (uint64_t)digit;
	}
	if (c == first || *c != ' ')
		return false;
	*at = c + 1;
	return true;
}

const char *jit_map_read_line(const char *line, uint64_t *address, uint64_t *size)
{
	if (!take_number(&line, address) || !take_number(&line, size))
		return NULL;
	return *line && *size <= UINT64_MAX - *address ? line : NULL;
}
