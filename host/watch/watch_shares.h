/* watch_shares: a table of dwell top for a sampled program: two lines about the samples and their accuracy, then the shares. */
#ifndef DWELL_HOST_WATCH_WATCH_SHARES_H
#define DWELL_HOST_WATCH_WATCH_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/live_shares.h"
#include "analysis/table.h"
#include "watch/watch_form.h"

/* Like watch_write. False: memory ran out. pre: the model has the message about sampling. */
bool watch_shares_write(struct live_shares *live, struct model *model, struct watch_form *form, struct table_sink *sink);

#endif
