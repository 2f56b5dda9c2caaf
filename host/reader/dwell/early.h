/* early: what stands at the end of a trace, since only the end of the recording knew it, and is of use from the first message on: names.
 * Where the source can be read out of order they are told first, and not again where they stand. */
#ifndef DWELL_HOST_READER_DWELL_EARLY_H
#define DWELL_HOST_READER_DWELL_EARLY_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/dwell/overview.h"

/* Zero it before the first use, clear it after the last. */
struct early {
	struct overview overview;
	bool begun, found;
};

/* The next message that is told first. False: no more. */
bool early_next(struct early *early, struct source *source, struct message *message);
/* Whether a message that comes in the order of the file was told already. */
bool early_has_told(const struct early *early, const struct message *message);
void early_clear(struct early *early);

#endif
