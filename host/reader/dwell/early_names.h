/* early_names: gives NAMES chunks before all other messages. The recorder can write names only at
 * the end of a trace, but consumers need them from the start. If the source cannot be read out
 * of order, the names come at their place in the file; else they come first, and only once. */
#ifndef DWELL_HOST_READER_DWELL_EARLY_NAMES_H
#define DWELL_HOST_READER_DWELL_EARLY_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/dwell/overview.h"

/* Zero before the first use, clear after the last. */
struct early_names {
	struct overview overview; /* of the NAMES chunks */
	bool begun, found; /* begun: the search for these chunks has run; found: a seek table lists them, so they come first */
};

/* Writes the next of the messages that come first. False: no more. */
bool early_names_next(struct early_names *early_names, struct source *source, struct message *message);
/* Returns whether this message, which comes in the order of the file, already came first: then skip it. */
bool early_names_is_repeat(const struct early_names *early_names, const struct message *message);
void early_names_clear(struct early_names *early_names);

#endif
