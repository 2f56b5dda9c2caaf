/* folded_scan: reads a file of folded stacks once before its stacks are taken, since all lines decide the unit of the counts. */
#ifndef DWELL_HOST_READER_PROFILES_FOLDED_SCAN_H
#define DWELL_HOST_READER_PROFILES_FOLDED_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"

#define FOLDED_PIPE_BYTES_MAX (UINT64_C(1) << 30) /* of a stream: memory keeps the stream for the second pass */

struct folded_scan {
	uint64_t stacks, two_counts; /* lines with a stack; and such lines with two numbers at the end */
	unsigned digits;             /* behind the point, of the count with most of them */
	unsigned scale;              /* counts are multiplied by 10^scale: 0, 3, 6 or 9 */
	const char *unit;            /* of the multiplied counts: "samples", "thousandths of a sample" */
};

/* Reads the source, and rewinds it. scale: as many digits as the counts have, as long as the sum of all fits into 64 bits.
 * False: the source is a stream of more than FOLDED_PIPE_BYTES_MAX bytes, or there is no memory. */
bool folded_scan(struct source *source, struct folded_scan *scan);

#endif
