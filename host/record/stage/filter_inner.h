/* filter_inner: what filter.c and filter_check.c know of a filter. */
#ifndef DWELL_HOST_RECORD_STAGE_FILTER_INNER_H
#define DWELL_HOST_RECORD_STAGE_FILTER_INNER_H

#include "record/stage/filter.h"
#include "record/stage/filter_file.h"
#include "record/stage/stage.h"

struct filter_process;

struct filter {
	struct stage stage;
	const struct filter_options *options;
	struct filter_file **files;
	size_t count, capacity;
	bool finds; /* it drops nothing */
	bool is_hooked; /* any of the files was, before it ran */
	const char *where; /* what is known before it runs, for messages */
	struct filter_process *volatile processes;
	int fd;
	char name[32];
};

/* Frees all that it has. */
void filter_clear(struct filter *filter);
/* Before the program runs: says what patterns mean nothing, or everything, or leave nothing. */
void filter_check(const struct filter *filter, const char *program, struct diag *diag);

#endif
