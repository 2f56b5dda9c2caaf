/* watch_form: the parameters of a table of dwell top. */
#ifndef DWELL_HOST_WATCH_WATCH_FORM_H
#define DWELL_HOST_WATCH_WATCH_FORM_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/by.h"

/* The parameters of a table. */
struct watch_form {
	enum by by;     /* ignored for samples */
	uint64_t limit; /* number of rows */
	FILE *head;     /* receives lines above the table: what it covers, and losses; null: none */
};

#endif
