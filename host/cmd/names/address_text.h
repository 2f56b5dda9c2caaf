/* address_text: finds numbers that may be addresses in a stream of any bytes, and replaces them by texts from a callback.
 * Everything else passes through byte by byte, in pieces of any size. Only the beginning of a word is held back.
 *
 * A number is a whole word; words consist of letters, digits, '_' and bytes above 127. With 0x in front, a number
 * has 4 to 16 hexadecimal digits (shorter numbers are sizes and flags); without 0x, 8 or 16. A word after '+' or '.'
 * is part of something else. */
#ifndef DWELL_HOST_CMD_NAMES_ADDRESS_TEXT_H
#define DWELL_HOST_CMD_NAMES_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/output.h"

#define ADDRESS_TEXT_WORD_BYTES 18 /* the longest word that may be an address: 0x and 16 digits */
#define ADDRESS_TEXT_BEFORE_BYTES 4

/* Returns the text to replace the number; borrowed until the next call. Null: the number stays. is_return: "lr=" stands in front of
 * the number, so the code in question is before the address. */
typedef const char *(*address_namer)(void *context, uint64_t address, bool is_return);

/* Set the first three members and zero the rest. */
struct address_text {
	address_namer name;
	void *context;
	struct output *out;
	uint64_t numbers; /* numbers so far that may have been addresses */
	char word[ADDRESS_TEXT_WORD_BYTES]; /* the beginning of a word whose end is not known yet */
	size_t held;   /* number of bytes in word */
	bool too_long; /* inside a word that is too long for a number and passes through at once */
	char before[ADDRESS_TEXT_BEFORE_BYTES]; /* the last bytes in front of the word */
};

/* Afterwards everything is in out, except the beginning of a word that may be an address. */
void address_text_feed(struct address_text *text, const char *bytes, size_t count);
/* The input has ended: writes the bytes held back, too. */
void address_text_finish(struct address_text *text);

#endif
