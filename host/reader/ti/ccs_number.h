/* ccs number: whole numbers of memory that was saved as text: hex or decimal, with 0x in front or without, decimals perhaps signed. Which
 * of the two they are a file may say wrongly, or not at all; its numbers tell: an a to f, a 0 or a 0x in front are of hex, a - or more
 * than eight digits are of decimals. Until then they are taken for hex, which has the digits of a decimal as they are written. */
#ifndef DWELL_HOST_READER_TI_CCS_NUMBER_H
#define DWELL_HOST_READER_TI_CCS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ccs_base {
	CCS_BASE_OPEN, /* nothing has told so far */
	CCS_BASE_HEX,
	CCS_BASE_DECIMAL,
};

/* A number of up to 32 bits, negative ones in two's complement. *base becomes what this number tells. *digits: how many it has in hex.
 * False: it is none. */
bool ccs_number_parse(const uint8_t *text, size_t length, enum ccs_base *base, uint32_t *value, uint32_t *digits);

bool ccs_number_has_prefix(const uint8_t *text, size_t length);

/* What was read as hex while the base was open, as the decimal that it was: 0x123 → 123. */
uint32_t ccs_number_as_decimal(uint32_t value, uint32_t *digits);

#endif
