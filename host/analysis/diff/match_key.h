/* match_key: what a function of a recording is known by when it is matched with those of another one: see match.h. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_MATCH_KEY_H
#define DWELL_HOST_ANALYSIS_DIFF_MATCH_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/diff/match.h"
#include "model/function/function.h"

struct match_key {
	char *name, *file; /* as in struct match, but its own */
	bool nameless;
	uint64_t build;
};

/* any_file: by its name alone. False: no memory. match_key_clear in any case. */
bool match_key_make(struct match_key *key, struct functions *functions, uint32_t id, bool any_file);
void match_key_clear(struct match_key *key);
/* Borrows the key. */
struct match match_of(const struct match_key *key, int side, void *context);

#endif
