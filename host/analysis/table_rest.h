/* table_rest: the rows left out of a table because of its limit (--limit), for a line below the table. */
#ifndef DWELL_HOST_ANALYSIS_TABLE_REST_H
#define DWELL_HOST_ANALYSIS_TABLE_REST_H

#include <stdint.h>

struct table_rest {
	uint64_t rows;  /* 0: the table is complete */
	double percent; /* share of the sum over all rows, 0…100 */
	const char *of; /* that sum: "self time"; null: the rows have no meaningful sum */
};

#endif
