/* input: reads bytes of a file for a symbol format (format.h). */
#include <unistd.h>

#include "symbol/format.h"

bool symbol_input_read(const struct symbol_input *input, uint64_t offset, void *into, size_t size)
{
	char *at = into;

	if (offset > input->size || size > input->size - offset)
		return false;
	while (size) {
		ssize_t got = pread(input->fd, at, size, (off_t)offset);

		if (got <= 0)
			return false; /* the file was truncated since it was opened */
		at += got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}
	return true;
}
