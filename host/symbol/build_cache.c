/* build_cache: searches for a build in perf's folder. */
#include "symbol/build_cache.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/build_id.h"
#include "symbol/vdso.h"

static bool is_build(const char *path, const uint8_t *build_id, size_t bytes)
{
	uint8_t found[BUILD_ID_BYTES_MAX];
	size_t found_bytes;

	return read_build_id(path, found, &found_bytes) && found_bytes == bytes && !memcmp(found, build_id, bytes);
}

const char *build_cache_find(const char *path, const uint8_t *build_id, size_t bytes, char kept[static PATH_MAX])
{
	const char *home = getenv("HOME");
	bool is_vdso = !strcmp(path, VDSO_NAME);
	char id[BUILD_ID_TEXT_BYTES];
	int length;

	if (!home || *home != '/' || bytes < 2 || bytes > BUILD_ID_BYTES_MAX || (!is_vdso && is_build(path, build_id, bytes)))
		return path;
	format_build_id(id, build_id, bytes);
	length = snprintf(kept, PATH_MAX, "%s/.debug/.build-id/%.2s/%s/%s", home, id, id + 2, is_vdso ? "vdso" : "elf");
	return length < PATH_MAX && is_build(kept, build_id, bytes) ? kept : path;
}
