/* address_text: the numbers in a stream of any bytes that may be addresses; what somebody knows of them is put in their place.
 * Everything else passes through byte by byte, in pieces of any size, and nothing is kept of it but the beginning of a word.
 *
 * A number is a whole word: letters, digits, '_' and bytes above 127 are what words are made of. With 0x in front it has 4 to 16
 * hexadecimal digits (shorter ones are sizes and flags), without it 8 or 16. What stands behind '+' or '.' is part of something else. */
#ifndef DWELL_HOST_CMD_NAMES_ADDRESS_TEXT_H
#define DWELL_HOST_CMD_NAMES_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/output.h"

#define ADDRESS_TEXT_WORD_BYTES 18 /* the longest that may be an address: 0x and 16 digits */
#define ADDRESS_TEXT_BEFORE_BYTES 4

/* What to put in place of the number; borrowed until the next call. Null: it stays as it is. is_return: "lr=" is in front of it, so the
 * code that is meant lies before the address. */
typedef const char *(*address_namer)(void *context, uint64_t address, bool is_return);

/* Zeroed but for the first three. */
struct address_text {
	address_namer name;
	void *context;
	struct output *out;
	uint64_t numbers; /* that may have been addresses, so far */
	char word[ADDRESS_TEXT_WORD_BYTES];
	size_t held;   /* bytes of a word that has not ended */
	bool too_long; /* in a word that is none, and is passed on as it comes */
	char before[ADDRESS_TEXT_BEFORE_BYTES]; /* the last bytes ahead of the word */
};

/* Everything that is not the beginning of a word that may be an address is in out afterwards. */
void address_text_feed(struct address_text *text, const char *bytes, size_t count);
/* Nothing follows: what is held is put out, too. */
void address_text_finish(struct address_text *text);

#endif
