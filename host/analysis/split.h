/* split: one function's samples by parts of its code. A row for each interval of bytes: its share of the function, and between what the
 * true one is. */
#ifndef DWELL_HOST_ANALYSIS_SPLIT_H
#define DWELL_HOST_ANALYSIS_SPLIT_H

#include "analysis/table.h"
#include "model/profile/split.h"

void analysis_split(const struct split_symbol *symbol, const struct table_sink *sink);

#endif
