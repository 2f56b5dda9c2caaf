/* code_share: how much of files' code is in functions of a kind: those whose times can be recorded, those with hooks. As text in a
 * trace file "12345 of 67890 bytes". */
#ifndef DWELL_HOST_UTIL_CODE_SHARE_H
#define DWELL_HOST_UTIL_CODE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

struct code_share {
	uint64_t bytes, part_bytes; /* bytes of all functions, and of those of the kind; 0: not known */
};

#define CODE_SHARE_TEXT_BYTES 64
void code_share_format(const struct code_share *share, char text[static CODE_SHARE_TEXT_BYTES]);

/* Adds what the text says. False, and nothing is added: it has another form. */
bool code_share_add(struct code_share *share, const char *text);

/* The percent of the code that is in functions of another kind, rounded down. 0 if these have fewer than bytes_min bytes. */
unsigned code_share_get_others(const struct code_share *share, uint64_t bytes_min);

/* Functions without hooks are worth a word from here on. The compiler's startup code, which has none, has some 500 bytes. */
#define CODE_SHARE_UNHOOKED_BYTES_MIN 2048u
#define CODE_SHARE_UNHOOKED_PERCENT_MIN 20u
#define CODE_SHARE_UNHOOKED_TEXT \
	"% of the code is in functions without hooks, as of a library that was compiled without them: their time is in their callers"

#endif
