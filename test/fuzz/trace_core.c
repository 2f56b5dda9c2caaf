/* Any bytes as an ELF core file, of 32 or 64 bits, in either order of bytes: an image of memory, in which buffers of dwell's may
 * stand. */
#include "read_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t head[20] = "\177ELF";

	if (size < sizeof head)
		return 0;
	memcpy(head + 4, data + 4, sizeof head - 4);
	head[4] = data[4] % 2 ? 1 : 2;
	head[5] = data[5] % 2 ? 1 : 2;
	head[16] = head[5] == 1 ? 4 : 0;
	head[17] = head[5] == 1 ? 0 : 4;
	read_behind(head, sizeof head, data + sizeof head, size - sizeof head);
	return 0;
}
