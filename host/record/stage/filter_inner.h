/* filter_inner: the fields of a filter, for filter.c and filter_check.c. */
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
	bool is_finder; /* the filter finds functions, and drops nothing */
	bool is_hooked; /* a file known before the program ran has hooks */
	const char *known_files; /* describes the files known before the program runs, for messages */
	struct filter_process *volatile processes; /* with mapped files */
	int fd; /* memory with the answers for the agents; −1: none, as in a finder */
	char name[32]; /* the path at which agents open that memory */
};

/* Frees all memory of the filter, except the filter itself. */
void filter_clear(struct filter *filter);
/* Before the program runs: warns of patterns that match nothing, or everything, or leave nothing. */
void filter_check(const struct filter *filter, const char *program, struct diag *diag);

#endif
