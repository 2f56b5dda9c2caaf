/* table_rest: a summary of the rows beyond a table's limit (--limit), for the line below the table. */
#ifndef DWELL_HOST_ANALYSIS_TABLE_REST_H
#define DWELL_HOST_ANALYSIS_TABLE_REST_H

#include <stdint.h>

struct table_rest {
	uint64_t rows;  /* 0: the table is complete */
	double percent; /* share of these rows in the sum over all rows, 0…100 */
	const char *of; /* what is summed up: "self time"; null: the rows have no meaningful sum, and percent means nothing */
};

#endif
