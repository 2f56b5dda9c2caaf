/* Any bytes behind the mark of perf.data, in either order of bytes. */
#include "read_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char mark[] = "PERFILE2", swapped[] = "2ELIFREP";

	if (size < 8)
		return 0;
	read_behind(data[0] == '2' ? swapped : mark, 8, data + 8, size - 8);
	return 0;
}
