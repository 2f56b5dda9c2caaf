/* match_key: the name, file and build of a function, by which match.h finds the function in another recording. Owns copies, so it
 * may outlive the recording's model. For diff.c. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_MATCH_KEY_H
#define DWELL_HOST_ANALYSIS_DIFF_MATCH_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/diff/match.h"
#include "model/function/function.h"

struct match_key {
	char *name, *file, *longer; /* as in struct match, but owned */
	bool nameless;
	uint64_t build, address;
};

/* any_file: use the name alone. False: memory ran out. Call match_key_clear in either case. */
bool match_key_make(struct match_key *key, struct functions *functions, uint32_t id, bool any_file);
void match_key_clear(struct match_key *key);
/* The result borrows from key. */
struct match match_of(const struct match_key *key, int side, void *context);

#endif
