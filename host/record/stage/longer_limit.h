/* longer_limit: how long --longer is in ticks of the program's clock. */
#ifndef DWELL_HOST_RECORD_STAGE_LONGER_LIMIT_H
#define DWELL_HOST_RECORD_STAGE_LONGER_LIMIT_H

#include "reader/message.h"
#include "record/drain/streams.h"
#include "util/diag.h"

/* Sets streams->longer_ticks where it is wanted, as soon as it can be known: by the time since first, which is from before the program
 * started. Of another machine's clock nobody knows more than what it says of itself; where it says nothing, all calls are listed, and a
 * diag says so. In each sweep, before streams are looked for. */
void longer_limit_learn(struct streams *streams, const struct message_clock *first, const char *output, struct diag *diag);

#endif
