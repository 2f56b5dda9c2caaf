/* table: the lines above and below the table of dwell report, for people. */
#ifndef DWELL_HOST_CMD_REPORT_TABLE_H
#define DWELL_HOST_CMD_REPORT_TABLE_H

#include "cli/answer.h"

extern const struct answer_texts report_texts;

#endif
