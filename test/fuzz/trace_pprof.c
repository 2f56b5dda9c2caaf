/* Any bytes as a profile of pprof: behind a value type, which its reader is known by, or packed by gzip as they are. */
#include "read_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t type[] = {1 << 3 | 2, 4, 1 << 3, 1, 2 << 3, 2};

	if (size && (data[0] == type[0] || data[0] == 0x1f))
		read_behind(type, 0, data, size);
	else
		read_behind(type, sizeof type, data, size);
	return 0;
}
