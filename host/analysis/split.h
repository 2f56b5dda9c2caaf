/* split: a function's samples by parts of its code. A row for each interval of bytes: its share of the function's samples, and the
 * confidence interval around that share. For `dwell report --split`. */
#ifndef DWELL_HOST_ANALYSIS_SPLIT_H
#define DWELL_HOST_ANALYSIS_SPLIT_H

#include "analysis/table.h"
#include "model/sums/split.h"

void analysis_split(const struct split_symbol *symbol, const struct table_sink *sink);

#endif
