/* early: gives NAMES chunks before all other messages. The recorder can write names only at
 * the end of a trace, but consumers need them from the start. If the source cannot be read out
 * of order, the names come at their place in the file; else they come first, and only once. */
#ifndef DWELL_HOST_READER_DWELL_EARLY_H
#define DWELL_HOST_READER_DWELL_EARLY_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/dwell/overview.h"

/* Zero before the first use, clear after the last. */
struct early {
	struct overview overview;
	bool begun, found;
};

/* Writes the next message to be given first. False: no more. */
bool early_next(struct early *early, struct source *source, struct message *message);
/* Returns whether a message that comes in the order of the file was already given first. */
bool early_has_told(const struct early *early, const struct message *message);
void early_clear(struct early *early);

#endif
