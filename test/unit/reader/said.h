/* What was said while some bytes were read, as a text. */
#ifndef DWELL_TEST_READER_SAID_H
#define DWELL_TEST_READER_SAID_H

#include <stdio.h>

#include "util/diag.h"

/* Takes the diag; for the caller to free. */
static inline char *take_said(struct diag *take_diag, int *status)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	*status = diag_status(take_diag);
	diag_print(take_diag, out);
	fclose(out);
	free_diag(take_diag);
	return text;
}

#endif
