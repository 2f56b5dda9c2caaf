/* Any text behind the line that says which format it is. */
#include "read_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char head[] = "# callgrind format\nevents: Ir Dr\n";

	if (memchr(data, 0, size)) /* no text: nobody takes it */
		return 0;
	read_behind(head, size && data[0] == '#' ? 0 : sizeof head - 1, data, size);
	return 0;
}
