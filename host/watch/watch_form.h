/* watch_form: how it is asked where the time went, and what is told with the answer. */
#ifndef DWELL_HOST_WATCH_WATCH_FORM_H
#define DWELL_HOST_WATCH_WATCH_FORM_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/by.h"

/* What a table is of. */
struct watch_told {
	uint64_t since_ns;    /* the start */
	uint64_t interval_ns; /* that the table shows; 0: not known, it is the first one */
	uint64_t lost;        /* events, or samples, since the start */
};

/* How it is asked where the time went. */
struct watch_form {
	enum by by;     /* nothing to samples */
	uint64_t limit; /* rows */
	FILE *head;     /* lines in front of the table: what it is of, and what was lost; null: none */
	int width;      /* that they are cut to; 0: not */
	struct watch_told told; /* for who asks: filled before the first row */
};

#endif
