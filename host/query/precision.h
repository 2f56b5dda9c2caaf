/* precision: a recording of samples that ends when enough is known. Its own growing file is read now and then, by a thread. */
#ifndef DWELL_HOST_QUERY_PRECISION_H
#define DWELL_HOST_QUERY_PRECISION_H

#include <stdbool.h>

#include "model/model.h"
#include "util/diag.h"

struct precision;

/* What a recording knows by now. */
struct precision_known {
	uint64_t samples, functions; /* functions: with a share of 1 % or more */
	double half;                 /* of these, the farthest that an end of an interval is from the share: percentage points */
	char name[200];              /* whose that is */
};
/* pre: the model has read all that there is. */
void precision_find_widest(struct model *model, struct precision_known *known);

/* points: how far from the found share the ends of the interval may be, of each function above 1 %. Null and a diag: no memory. */
struct precision *make_precision(double points, struct diag *diag);
void free_precision(struct precision *precision);

/* The recording has begun, into that file; context is the precision. */
void precision_begin(void *context, const char *path);
/* Becomes true when enough is known. */
const volatile bool *precision_stop(const struct precision *precision);
/* The recording has ended, and is in the file: says (a note) why, or (a warning) that not enough is known and of what. */
void precision_end(struct precision *precision, struct diag *diag);

#endif
