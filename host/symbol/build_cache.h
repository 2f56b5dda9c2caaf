/* build_cache: the programs that perf record keeps, each build by its build-id: ~/.debug/.build-id/12/34…/elf. A recorded build
 * remains there when its program is built again. */
#ifndef DWELL_HOST_SYMBOL_BUILD_CACHE_H
#define DWELL_HOST_SYMBOL_BUILD_CACHE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the path to read for a build of a file: path if the file there has the build-id, or bytes is 0; else the kept file,
 * written to kept; else path. path may be "[vdso]". */
const char *build_cache_find(const char *path, const uint8_t *build_id, size_t bytes, char kept[static PATH_MAX]);

#endif
