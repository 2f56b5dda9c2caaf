#include "util/stream.h"

#include <errno.h>
#include <stdio_ext.h>
#include <string.h>

bool stream_finish(FILE *stream, const char *name, struct diag *diag)
{
	bool failed_before = ferror(stream) != 0;
	int error = 0;

	if (fflush(stream))
		error = errno;
	else if (!failed_before)
		return true;
	else
		error = EIO; /* a write in the middle failed and nobody kept its errno */
	__fpurge(stream);
	clearerr(stream);
	if (error != EPIPE)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot write: %s", strerror(error));
	return false;
}
