/* Any bytes as a profile of pprof: behind a value type, which its reader is known by; or as they are, where they begin
 * as gzip files and the profiles of known writers do. */
#include "read_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t type[] = {1 << 3 | 2, 4, 1 << 3, 1, 2 << 3, 2};

	static const uint8_t starts[] = {1 << 3 | 2, 0x1f, 9 << 3, 11 << 3 | 2};

	if (size && memchr(starts, data[0], sizeof starts))
		read_behind(type, 0, data, size);
	else
		read_behind(type, sizeof type, data, size);
	return 0;
}
