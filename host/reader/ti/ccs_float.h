/* ccs float: words of memory that were saved as if they were floating point, back to words. Whether that can be depends on how many digits
 * were written: with nine, each of the numbers of 32 bits has a text of its own; with fewer many share one. */
#ifndef DWELL_HOST_READER_TI_CCS_FLOAT_H
#define DWELL_HOST_READER_TI_CCS_FLOAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ccs_float_kind {
	CCS_FLOAT_NONE,  /* no number */
	CCS_FLOAT_SURE,  /* only these bits are written so */
	CCS_FLOAT_NEAR,  /* the bits of the nearest number; others are written so, too, unless as many digits were written as it takes */
	CCS_FLOAT_VAGUE, /* of many numbers, whoever wrote it: 0.000000 */
	CCS_FLOAT_NAN,   /* no number, by its own word: all ones, or other bits that it does not tell */
};

/* is_full: nine digits were written, as those do who write as many as it takes: then what is near is sure, in all of the file. */
enum ccs_float_kind ccs_float_parse(const uint8_t *text, size_t length, uint32_t *bits, bool *is_full);

#endif
