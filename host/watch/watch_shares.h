/* watch_shares: a table of dwell top, of a program that is sampled: two lines of how sure it is, and the shares. */
#ifndef DWELL_HOST_WATCH_WATCH_SHARES_H
#define DWELL_HOST_WATCH_WATCH_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/live_shares.h"
#include "analysis/table.h"
#include "watch/watch_form.h"

/* As watch_write does. False: no memory. pre: the model knows how samples are taken. */
bool watch_shares_write(struct live_shares *live, struct model *model, struct watch_form *form, struct table_sink *sink);

#endif
