/* stream: flushes and checks an output stream (stream.h). */
#include "util/stream.h"

#include <errno.h>
#include <stdio_ext.h>
#include <string.h>

bool stream_finish(FILE *stream, int error, const char *name, struct diag *diag)
{
	bool failed_before = ferror(stream) != 0;

	if (fflush(stream) && !error)
		error = errno;
	else if (failed_before && !error)
		error = EIO; /* its errno is lost */
	if (!error)
		return true;
	__fpurge(stream);
	clearerr(stream);
	if (error != EPIPE)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot write: %s", strerror(error));
	return false;
}
