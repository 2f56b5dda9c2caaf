/* table_rest: what a table lacks that ends after its first rows (--limit), for a line below it. */
#ifndef DWELL_HOST_ANALYSIS_TABLE_REST_H
#define DWELL_HOST_ANALYSIS_TABLE_REST_H

#include <stdint.h>

struct table_rest {
	uint64_t rows;  /* 0: nothing is left out */
	double percent; /* of what all rows add up to, 0…100 */
	const char *of; /* what that is: "self time"; null: the rows do not add up to anything */
};

#endif
