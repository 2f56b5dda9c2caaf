/* split: the lines above and below the table of report --split, which shows a function's samples by parts of the code. */
#ifndef DWELL_HOST_CMD_REPORT_SPLIT_H
#define DWELL_HOST_CMD_REPORT_SPLIT_H

#include "cli/answer.h"

extern const struct answer_texts report_split_texts;

#endif
