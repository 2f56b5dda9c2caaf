/* watch_form: what a caller of watch_write chooses for a table of dwell top. */
#ifndef DWELL_HOST_WATCH_WATCH_FORM_H
#define DWELL_HOST_WATCH_WATCH_FORM_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/by.h"

struct watch_form {
	enum by by;     /* the time by which rows are sorted; ignored for samples */
	uint64_t limit; /* largest number of rows */
	FILE *head;     /* receives the lines above the table: which time it covers, and losses. Not null */
};

#endif
